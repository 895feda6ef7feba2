package engine

import (
	"math"
	"os"
	"strings"
	"testing"
)

// fat is a job whose kernels take as much memory as it declares.
type fat struct {
	halve
	bytes int64
}

func (f fat) KernelBytes([]byte) int64 { return f.bytes }

func TestAWorkerSaysWhatMemoryItLacks(t *testing.T) {
	if _, err := os.Stat("/proc/meminfo"); err != nil {
		t.Skip("this system does not report how much memory is left")
	}
	if in := fits(&fat{bytes: 1 << 10}, nil, 4); in != nil {
		t.Errorf("four kernels of a kilobyte: %v", in)
	}
	if in := fits(&halve{}, nil, 4); in != nil {
		t.Errorf("kernels that do not declare what they take: %v", in)
	}
	in := fits(&fat{bytes: math.MaxInt64 / 8}, nil, 4)
	if in == nil || !strings.Contains(in.Error(), "on a worker, the sums of 4 splits take ") ||
		!strings.Contains(in.Error(), " of memory are free; give workers more memory") {
		t.Errorf("kernels beyond any machine: %v", in)
	}
}
