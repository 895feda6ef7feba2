package memory

import (
	"syscall"
	"unsafe"
)

// statusEx is MEMORYSTATUSEX.
type statusEx struct {
	length, load                               uint32
	total, free, totalPage, freePage           uint64
	totalVirtual, freeVirtual, extendedVirtual uint64
}

// kernel returns the bytes that are free, by Windows; 0 where it does not say.
func kernel(string) int64 {
	s := statusEx{}
	s.length = uint32(unsafe.Sizeof(s))
	call := syscall.NewLazyDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	if ok, _, _ := call.Call(uintptr(unsafe.Pointer(&s))); ok == 0 {
		return 0
	}
	return int64(min(s.free, s.freePage))
}
