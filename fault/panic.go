package fault

import (
	"fmt"
	"runtime/debug"
)

// Panic is an error that was a panic: a mistake in the program.
type Panic struct {
	Value any
	Stack string
}

// Recovered returns what recover returned as an error with the stack of the panic. It is called by
// the deferred function that recovers.
func Recovered(value any) *Panic { return &Panic{Value: value, Stack: string(debug.Stack())} }

// Error returns the value, without the stack.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// Unwrap returns the value if it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}
