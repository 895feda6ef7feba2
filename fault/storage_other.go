//go:build !windows

package fault

import "syscall"

// Errors of the system by the kind of trouble. A limit on the size of files is as a full disk is.
var (
	full       = []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG}
	unwritable = []error{syscall.EROFS}
	failing    = []error{syscall.EIO}
)
