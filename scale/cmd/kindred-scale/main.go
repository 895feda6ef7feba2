// Command kindred-scale clusters tables that no machine holds, on an engine that is there already.
package main

import (
	"os"

	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/scale/engine"
)

func main() {
	engine.Init() // a worker that an engine started goes no further
	ctx, stop := cli.Interruptible()
	code := run(ctx, newApp(os.Stdout, os.Stderr, os.Getenv), os.Args[1:])
	stop()
	os.Exit(code)
}
