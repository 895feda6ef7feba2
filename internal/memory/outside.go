package memory

import (
	"bytes"
	"os"
	"runtime/metrics"
	"strconv"
)

// Outside returns about how many bytes of memory this process holds of which the runtime of Go
// knows nothing, as SQLite takes them; 0 where the kernel does not say. Differences between two
// calls mean more than the number itself.
func Outside() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	fields := bytes.Fields(text)
	if err != nil || len(fields) < 3 {
		return 0
	}
	resident, wrong := strconv.ParseInt(string(fields[1]), 10, 64)
	shared, also := strconv.ParseInt(string(fields[2]), 10, 64)
	if wrong != nil || also != nil {
		return 0
	}
	of := []metrics.Sample{{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(of)
	return (resident-shared)*int64(os.Getpagesize()) -
		int64(of[0].Value.Uint64()-of[1].Value.Uint64())
}
