// Package dying has a context for tests of work that must end with its context, wherever it is.
package dying

import (
	"context"
	"sync/atomic"
)

// Context is cancelled after it was looked at so many times by Err. Who waits for Done does not
// hear of that.
type Context struct {
	context.Context
	looks atomic.Int64
}

// New returns a context that may be looked at so many times.
func New(ctx context.Context, looks int) *Context {
	c := &Context{Context: ctx}
	c.looks.Store(int64(looks))
	return c
}

// Err returns context.Canceled once the looks are used up.
func (c *Context) Err() error {
	if c.looks.Add(-1) < 0 {
		return context.Canceled
	}
	return c.Context.Err()
}
