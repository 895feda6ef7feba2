package fault

import "fmt"

// Setting is a mistake in settings or in a command line, as a rule found before any data are read.
type Setting string

// Error returns the text of s.
func (s Setting) Error() string { return string(s) }

// Settingf writes a Setting.
func Settingf(format string, args ...any) Setting { return Setting(fmt.Sprintf(format, args...)) }
