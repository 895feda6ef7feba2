// Command kindred finds the groups a person means: clustering guided by a few answers.
package main

import (
	"os"

	"github.com/kindred-go/kindred/internal/cli"
)

func main() {
	ctx, stop := cli.Interruptible()
	code := run(ctx, newApp(os.Stdin, os.Stdout, os.Stderr, os.Getenv), os.Args[1:])
	stop()
	os.Exit(code)
}
