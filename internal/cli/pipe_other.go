//go:build !windows

package cli

import "syscall"

// closedPipe are the errors of a write to a pipe whose reader is gone.
var closedPipe = []error{syscall.EPIPE}
