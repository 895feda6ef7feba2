//go:build unix

package fault_test

import (
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/kindred-go/kindred/fault"
)

func TestNumbersOfTheSystem(t *testing.T) {
	for number, want := range map[syscall.Errno]fault.Kind{
		syscall.ENOSPC: fault.Full, syscall.EDQUOT: fault.Full, syscall.EFBIG: fault.Full,
		syscall.EROFS: fault.Unwritable, syscall.EACCES: fault.Unwritable,
		syscall.EPERM: fault.Unwritable, syscall.EIO: fault.Failing,
	} {
		if got := fault.Writing("x", fmt.Errorf("w: %w", number)); !errors.Is(got, want) {
			t.Errorf("%v is %v", number, got)
		}
	}
	said := "x: it cannot be written (read-only file system); see that it and its folder may be " +
		"written, or name another file"
	if got := fault.Writing("x", syscall.EROFS).Error(); got != said {
		t.Errorf("it says %q", got)
	}
}
