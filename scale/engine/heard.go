package engine

import "sync/atomic"

// heard counts rows that workers within this process were given, for progress: what an engine's own counters tell comes at the end
// of a job only.
var heard counter

type counter struct{ n atomic.Int64 }

func (c *counter) add(n int64) { c.n.Add(n) }
func (c *counter) get() int64  { return c.n.Load() }
