package dissim

import "github.com/kindred-go/kindred/fault"

// Room tells whether the machine has so many bytes of memory left, before they are asked for. Where it has not, the fault says
// that what takes them, and gives the mend.
func Room(bytes float64, what, mend string) error {
	have := availableMemory()
	if have == 0 {
		have = mostMemory
	}
	if bytes <= float64(have) {
		return nil
	}
	return &fault.Input{Problem: what + " take " + size(bytes) + ", and " + size(float64(have)) + " of memory are free", Mend: mend}
}
