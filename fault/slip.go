package fault

import "fmt"

// Slip is a mistake in settings or in a command line, as a rule found before any data are read.
type Slip string

func (s Slip) Error() string { return string(s) }

// Slipf writes a Slip.
func Slipf(format string, args ...any) Slip { return Slip(fmt.Sprintf(format, args...)) }
