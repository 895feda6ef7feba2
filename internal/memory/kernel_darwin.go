package memory

import "golang.org/x/sys/unix"

// kernel returns the memory of the machine. How much of it could be had macOS does not say: it
// keeps files in what is not used, and compresses what is.
func kernel(string) int64 {
	bytes, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(bytes)
}
