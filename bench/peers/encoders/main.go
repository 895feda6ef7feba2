// Command encoders encodes texts by an encoder in a folder for encoders.py, and prints what it took
// as JSON, the way encoders_peer.py does for sentence-transformers and model2vec.
//
// usage: encoders FOLDER TEXTS THREADS RESULT
package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/data/encode/folder"
)

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: encoders FOLDER TEXTS THREADS RESULT")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(dir, path, threads, to string) error {
	ctx := context.Background()
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	texts := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	o := encode.Options{}
	if o.Threads, err = strconv.Atoi(threads); err != nil {
		return err
	}
	e, err := folder.Open(ctx, dir, folder.Options{})
	if err != nil {
		return err
	}
	if _, err := e.Encode(ctx, texts[:min(64, len(texts))], o); err != nil { // warm up
		return err
	}
	began, before := time.Now(), processor()
	x, err := e.Encode(ctx, texts, o)
	if err != nil {
		return err
	}
	took, used := time.Since(began), processor()-before
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := binary.Write(f, binary.LittleEndian, x.F32); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"seconds": took.Seconds(),
		"processor": used.Seconds(), "rows": x.Rows, "columns": x.Cols})
}

// processor returns the time of all threads so far.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
