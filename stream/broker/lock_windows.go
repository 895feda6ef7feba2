package broker

import (
	"os"

	"golang.org/x/sys/windows"
)

// lockFile fails where another process has the lock; the lock ends with the file or the process.
func lockFile(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
}
