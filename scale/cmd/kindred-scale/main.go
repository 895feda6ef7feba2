// Command kindred-scale clusters tables that no machine holds, on an engine that is there already.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/kindred-go/kindred/scale/engine"
)

func main() {
	engine.Init() // a worker that an engine started goes no further
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup means it
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	code := run(ctx, newApp(os.Stdout, os.Stderr, os.Getenv), os.Args[1:])
	stop()
	os.Exit(code)
}
