//go:build unix

package cli

import (
	"os/signal"
	"syscall"
)

// heedLimits lets a write beyond the limit on the size of files fail as one on a full disk does: by
// itself it would end the process.
func heedLimits() { signal.Ignore(syscall.SIGXFSZ) }
