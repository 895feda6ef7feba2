package intake

import "fmt"

// Usage is a slip in settings, as a rule found before any data are read.
type Usage struct{ Problem string }

func (u Usage) Error() string { return u.Problem }

func usagef(format string, args ...any) Usage { return Usage{fmt.Sprintf(format, args...)} }
