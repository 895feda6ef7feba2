//go:build unix

package studio

import "golang.org/x/sys/unix"

// descriptors returns how many files and connections this process may have open at once.
func descriptors() int {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return unlimited
	}
	return int(min(uint64(limit.Cur), unlimited))
}
