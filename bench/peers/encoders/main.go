// Command encoders encodes texts by an encoder in a folder for encoders.py, and prints what it took
// as JSON, the way encoders_peer.py does for sentence-transformers and model2vec.
//
// usage: encoders FOLDER TEXTS THREADS RESULT
package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/kindred-go/kindred/bench/peers/rows"
	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/data/encode/folder"
)

func main() { rows.Main("encoders FOLDER TEXTS THREADS RESULT", run) }

func run(args []string) (map[string]any, error) {
	ctx := context.Background()
	data, err := os.ReadFile(args[1])
	if err != nil {
		return nil, err
	}
	texts := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	numbers, err := rows.Ints(args[2])
	if err != nil {
		return nil, err
	}
	o := encode.Options{Threads: numbers[0]}
	e, err := folder.Open(ctx, args[0], folder.Options{})
	if err != nil {
		return nil, err
	}
	if _, err := e.Encode(ctx, texts[:min(64, len(texts))], o); err != nil { // warm up
		return nil, err
	}
	began, before := time.Now(), processor()
	x, err := e.Encode(ctx, texts, o)
	if err != nil {
		return nil, err
	}
	took, used := time.Since(began), processor()-before
	var out bytes.Buffer
	if err := binary.Write(&out, binary.LittleEndian, x.F32); err != nil {
		return nil, err
	}
	return map[string]any{"seconds": took.Seconds(), "processor": used.Seconds(), "rows": x.Rows,
		"columns": x.Cols}, os.WriteFile(args[3], out.Bytes(), 0o600)
}

// processor returns the time of all threads so far.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
