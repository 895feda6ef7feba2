package engine

import "sync/atomic"

// heard counts rows that workers within this process were given, for progress: what an engine's own
// counters tell comes at the end of a job only.
var heard atomic.Int64
