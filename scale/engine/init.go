package engine

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// Init must be called first in main. An engine starts this same program as a worker: there it does
// what the engine asks for and never returns. Else it returns at once.
//
// A program that calls it can itself be named as the command of PROCESS, and as the worker of a
// container.
func Init() {
	if _, is := argument("worker"); is {
		beamlog.LogLevel = "error"
		flag.Parse()
		go leaveWith(os.Getenv(booted))
		beam.Init() // never returns
	}
	if endpoint, is := argument("provision_endpoint"); is {
		id, _ := argument("id")
		os.Exit(boot(id, endpoint))
	}
	beam.Init()
	// what fails comes back as an error; Options.Log brings the rest
	slog.SetDefault(slog.New(slog.DiscardHandler))
}

// argument returns the value of a flag, as --name=value or --name value, and whether the program
// was started with it.
func argument(name string) (value string, given bool) {
	for i, a := range os.Args {
		flag, value, ok := strings.Cut(a, "=")
		if i == 0 || !strings.HasPrefix(a, "-") || strings.TrimLeft(flag, "-") != name {
			continue
		}
		if !ok && i+1 < len(os.Args) {
			value = os.Args[i+1]
		}
		return value, true
	}
	return "", false
}

// boot asks an engine what a worker process needs to know, and becomes that worker: a process of
// its own would outlive the engine's killing of this one. It returns only where that fails, with an
// exit code. Beam's containers have a program of their own for it.
func boot(id, endpoint string) int {
	ctx := grpcx.WriteWorkerID(context.Background(), id)
	info, err := tools.ProvisionInfo(ctx, endpoint)
	if err != nil {
		return failed(err)
	}
	options, err := tools.ProtoToJSON(info.GetPipelineOptions())
	if err != nil {
		return failed(err)
	}
	self, err := os.Executable()
	if err != nil {
		return failed(err)
	}
	args := []string{self, "--worker=true", "--id=" + id,
		"--logging_endpoint=" + info.GetLoggingEndpoint().GetUrl(),
		"--control_endpoint=" + info.GetControlEndpoint().GetUrl(), "--options=" + options}
	env := append(os.Environ(), booted+"="+strconv.Itoa(os.Getppid()))
	if status := info.GetStatusEndpoint(); status != nil {
		env = append(env, "STATUS_ENDPOINT="+status.GetUrl())
	}
	return failed(become(self, args, env))
}

// booted is the variable in which a worker finds the process that started it.
const booted = "KINDRED_SCALE_STARTED_BY"

// leaveWith ends a worker when the process that had it started is gone: nobody would ever end it
// otherwise.
func leaveWith(parent string) {
	for parent != "" && strconv.Itoa(os.Getppid()) == parent {
		time.Sleep(time.Second)
	}
	if parent != "" {
		os.Exit(1)
	}
}

// failed reports why no worker was started, and returns the exit code.
func failed(err error) int {
	fmt.Fprintln(os.Stderr, "kindred-scale: starting a worker:", err)
	return 1
}
