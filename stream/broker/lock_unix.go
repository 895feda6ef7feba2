//go:build unix

package broker

import (
	"os"

	"golang.org/x/sys/unix"
)

// lockFile fails where another process has the lock; the lock ends with the file or the process.
func lockFile(f *os.File) error {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
}
