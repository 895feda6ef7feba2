// Command release builds the command kindred for other machines and writes one archive for each,
// with the files and the licences that go with it, and SHA256SUMS. The same sources have the same
// bytes, wherever and whenever they are built: the version of Go is that of go.mod.
//
//	release -version v1.2.3 -out dist [-targets linux/amd64,windows/arm64] [-again]
//
// With -again it builds once more, from a copy of the sources in another folder and with an empty
// build cache, and fails where an archive has other bytes than the one in the folder -out.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

const allTargets = "darwin/amd64,darwin/arm64,linux/amd64,linux/arm64,windows/amd64,windows/arm64"

// beside are the files of the sources that go into each archive.
var beside = []string{"LICENSE", "NOTICE", "README.md"}

func main() {
	version := flag.String("version", "unreleased", "version of the command")
	out := flag.String("out", "dist", "folder of the archives")
	targets := flag.String("targets", allTargets, "systems and processors, separated by commas")
	again := flag.Bool("again", false,
		"build once more elsewhere, and compare with the archives in -out")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	r := release{version: *version, source: ".", out: *out}
	var err error
	if *again {
		err = r.again(ctx, strings.Split(*targets, ","))
	} else {
		err = r.make(ctx, strings.Split(*targets, ","))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release is one build of a version from the folder source into the folder out.
type release struct {
	version, source, out string
	cache                string // folder of the build cache, or empty for the usual one
}

// name returns the name of the archive of a target, without its ending.
func (r release) name(system, processor string) string {
	return "kindred-" + r.version + "-" + system + "-" + processor
}

// archive returns the name of the file of a target.
func (r release) archive(system, processor string) string {
	if system == "windows" {
		return r.name(system, processor) + ".zip"
	}
	return r.name(system, processor) + ".tar.gz"
}

// make writes the archives of the targets and SHA256SUMS.
func (r release) make(ctx context.Context, targets []string) error {
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	var sums []string
	for _, target := range targets {
		system, processor, ok := strings.Cut(target, "/")
		if !ok {
			return fmt.Errorf("%q is not a target; write it as in linux/amd64", target)
		}
		data, err := r.pack(ctx, system, processor)
		if err != nil {
			return fmt.Errorf("%s: %w", target, err)
		}
		name := r.archive(system, processor)
		if err := os.WriteFile(filepath.Join(r.out, name), data, 0o644); err != nil {
			return err
		}
		sums = append(sums, fmt.Sprintf("%x  %s\n", sha256.Sum256(data), name))
		fmt.Printf("%s: %d bytes\n", name, len(data))
	}
	slices.SortFunc(sums, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	sum := filepath.Join(r.out, "SHA256SUMS")
	return os.WriteFile(sum, []byte(strings.Join(sums, "")), 0o644)
}

// pack builds the command for a target and returns the bytes of its archive.
func (r release) pack(ctx context.Context, system, processor string) ([]byte, error) {
	command := "kindred"
	if system == "windows" {
		command += ".exe"
	}
	built, err := r.build(ctx, system, processor)
	if err != nil {
		return nil, err
	}
	files := []file{{name: command, mode: 0o755, data: built}}
	for _, name := range beside {
		data, err := os.ReadFile(filepath.Join(r.source, name))
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: name, mode: 0o644, data: data})
	}
	terms, err := r.run(ctx, "tools", "run", "./licences", "-texts", "..")
	if err != nil {
		return nil, err
	}
	files = append(files, file{name: "LICENCES.txt", mode: 0o644, data: terms})
	folder := r.name(system, processor)
	if system == "windows" {
		return zipped(folder, files)
	}
	return tarred(folder, files)
}

// run runs the go command in a folder of the sources, and returns what it prints.
func (r release) run(ctx context.Context, folder string, args ...string) ([]byte, error) {
	chain, err := toolchain(r.source)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = filepath.Join(r.source, folder)
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOTOOLCHAIN="+chain)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, said.Bytes())
	}
	return out, nil
}

// toolchain returns the version of Go that releases are built with, by the go.mod of the sources.
func toolchain(source string) (string, error) {
	text, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if version, ok := strings.CutPrefix(line, "toolchain "); ok {
			return strings.TrimSpace(version), nil
		}
	}
	return "", errors.New("go.mod has no toolchain")
}

// build returns the bytes of the command for a target. All that the environment could change in
// them is set.
func (r release) build(ctx context.Context, system, processor string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "kindred")
	chain, err := toolchain(r.source)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false",
		"-ldflags", "-s -w -X main.version="+r.version, "-o", out, "./cmd/kindred")
	cmd.Dir = r.source
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0",
		"GOFLAGS=", "GOEXPERIMENT=", "GOAMD64=v1", "GOARM64=v8.0", "GOWORK=off",
		"GOTOOLCHAIN="+chain)
	if r.cache != "" {
		cmd.Env = append(cmd.Env, "GOCACHE="+r.cache)
	}
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, text)
	}
	return os.ReadFile(out)
}

// again builds the targets in another folder and compares the archives with those in r.out.
func (r release) again(ctx context.Context, targets []string) error {
	dir, err := os.MkdirTemp("", "release-again-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	other := release{
		version: r.version, source: filepath.Join(dir, "source"),
		out: filepath.Join(dir, "out"), cache: filepath.Join(dir, "cache"),
	}
	if err := copyTracked(ctx, r.source, other.source); err != nil {
		return err
	}
	if err := other.make(ctx, targets); err != nil {
		return err
	}
	for _, target := range targets {
		system, processor, _ := strings.Cut(target, "/")
		name := r.archive(system, processor)
		first, err := os.ReadFile(filepath.Join(r.out, name))
		if err != nil {
			return err
		}
		second, err := os.ReadFile(filepath.Join(other.out, name))
		if err != nil {
			return err
		}
		if !bytes.Equal(first, second) {
			return fmt.Errorf("%s: built again it has other bytes", name)
		}
		fmt.Printf("%s: built again it has the same bytes\n", name)
	}
	return nil
}

// copyTracked copies the files of a checkout that git knows.
func copyTracked(ctx context.Context, from, to string) error {
	cmd := exec.CommandContext(ctx, "git", "ls-files", "-z")
	cmd.Dir = from
	list, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w; run it in a checkout", err)
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(from, name))
		if os.IsNotExist(err) {
			continue // taken out of the checkout
		} else if err != nil {
			return err
		}
		target := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
