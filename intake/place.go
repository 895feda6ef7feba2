package intake

import (
	"io"
	"os"
)

// Place is where DATA are looked for.
type Place struct {
	Stdin  io.Reader // for the name "-"; nil: there is none
	Folder string    // of sets that are known by name; "": none
	Root   *os.Root  // files are opened in it alone, by names relative to it; nil: anywhere
}
