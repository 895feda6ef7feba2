package dissim

import "github.com/kindred-go/kindred/fault"

// Room reports whether the machine has so many bytes of memory left, before they are asked for.
// Where it has not, the fault says that what takes them, and returns the fix.
func Room(bytes float64, what, fix string) error {
	have := availableMemory()
	if have == 0 {
		have = mostMemory
	}
	if bytes <= float64(have) {
		return nil
	}
	return &fault.Input{Problem: what + " take " + size(bytes) + ", and " + size(float64(have)) +
		" of memory are free", Fix: fix}
}
