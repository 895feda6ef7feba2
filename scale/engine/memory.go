package engine

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
)

// room refuses to begin what the memory of this machine does not hold, or gives nil. Where it cannot be told, nothing is refused.
func room(job fold.Job, state []byte, kernels int) *fault.Input {
	heavy, ok := job.(fold.Heavy)
	if !ok {
		return nil
	}
	need, have := heavy.KernelBytes(state)*int64(max(1, kernels)), available()
	if have <= 0 || need <= have {
		return nil
	}
	return &fault.Input{
		Problem: fmt.Sprintf("a worker needs %s for %d %s and has %s", size(need), kernels, plural(kernels, "split"), size(have)),
		Mend:    "give workers more memory, fewer threads, or ask for fewer clusters",
	}
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

func size(n int64) string {
	if n >= 10<<30 {
		return fmt.Sprintf("%d GB", n>>30)
	}
	return fmt.Sprintf("%d MB", max(1, n>>20))
}

// available gives the bytes that this process may still take: the least of what the machine and its control group leave; 0: not known.
func available() int64 {
	have := field("/proc/meminfo", "MemAvailable:") << 10
	for _, group := range [][2]string{
		{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
		{"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"},
	} {
		limit, used := numberIn(group[0]), numberIn(group[1])
		if limit > 0 && limit-used < have {
			have = max(1, limit-used)
		}
	}
	return have
}

func numberIn(path string) int64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n
}

// field gives the number after a name in a file of lines.
func field(path, name string) int64 {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) > 1 && words[0] == name {
			n, _ := strconv.ParseInt(words[1], 10, 64)
			return n
		}
	}
	return 0
}
