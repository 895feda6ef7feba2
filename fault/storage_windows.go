package fault

import "syscall"

// Errors of the system by the kind of trouble.
var (
	full = []error{
		syscall.Errno(39),   // ERROR_HANDLE_DISK_FULL
		syscall.Errno(112),  // ERROR_DISK_FULL
		syscall.Errno(1295), // ERROR_DISK_QUOTA_EXCEEDED
	}
	unwritable = []error{
		syscall.Errno(19), // ERROR_WRITE_PROTECT
		syscall.Errno(32), // ERROR_SHARING_VIOLATION
	}
	failing = []error{
		syscall.Errno(23),   // ERROR_CRC
		syscall.Errno(1117), // ERROR_IO_DEVICE
	}
)
