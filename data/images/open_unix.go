//go:build unix

package images

import (
	"os"
	"syscall"
)

// openFlags keeps the opening of a pipe that took the place of a file from waiting for someone to
// write into it.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK
