package dissim

import (
	"bytes"
	"cmp"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"sync"

	"github.com/kindred-go/kindred/fault"
)

// availableMemory returns the bytes that can still be had: by the kernel, by the control group and
// by GOMEMLIMIT. It is 0 where none of them limits it.
func availableMemory() int64 {
	have := int64(math.MaxInt64)
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		if kib := numberAfter(text, "MemAvailable:"); kib > 0 {
			have = min(have, kib<<10)
		}
	}
	if limit, ok := readInt("/sys/fs/cgroup/memory.max"); ok {
		// What files hold of memory.current would be given back, so only what programs hold counts.
		if stat, err := os.ReadFile("/sys/fs/cgroup/memory.stat"); err == nil {
			have = min(have, max(1, limit-numberAfter(stat, "anon ")))
		}
	}
	have = min(have, debug.SetMemoryLimit(-1))
	if have == math.MaxInt64 {
		return 0
	}
	return have
}

// numberAfter finds the number that follows key in the text; 0 when there is none.
func numberAfter(text []byte, key string) int64 {
	_, rest, _ := bytes.Cut(text, []byte(key))
	fields := bytes.Fields(rest[:min(len(rest), 64)])
	if len(fields) == 0 {
		return 0
	}
	v, err := strconv.ParseInt(string(fields[0]), 10, 64)
	if err != nil {
		return 0
	}
	return v
}

// readInt reads a file that holds one number.
func readInt(path string) (int64, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	v, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	return v, err == nil
}

// size writes bytes for people.
func size(b float64) string {
	for _, u := range []struct {
		unit string
		is   float64
	}{{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}} {
		if b >= u.is {
			return strconv.FormatFloat(b/u.is, 'f', 1, 64) + " " + u.unit
		}
	}
	return strconv.FormatFloat(b, 'f', 0, 64) + " bytes"
}

// counter adds up work done by several goroutines and reports it.
type counter struct {
	lock        sync.Mutex
	report      func(done, total int64)
	done, total int64
}

func (c *counter) add(n int64) {
	if c.report == nil {
		return
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	c.done += n
	c.report(c.done, c.total)
}

// CheckMemory returns an error if fewer bytes of memory are free than bytes.
// The error names what needs them and the fix.
func CheckMemory(bytes float64, what, fix string) error {
	have := cmp.Or(availableMemory(), mostMemory)
	if bytes <= float64(have) {
		return nil
	}
	return &fault.Input{Problem: what + " take " + size(bytes) + ", and " + size(float64(have)) +
		" of memory are free", Fix: fix}
}
