package dataset

import (
	"sync"
	"sync/atomic"
)

// dict numbers texts in the order in which they are met.
type dict struct {
	codes map[string]int32
	names []string
	limit *levelLimit // nil: none
	over  bool        // there are too many, so every code is 0
}

func (d *dict) code(s []byte) int32 {
	if code, ok := d.codes[string(s)]; ok {
		return code
	}
	if d.over {
		return 0
	}
	name := string(s)
	if d.limit != nil && d.limit.passed(name) {
		d.codes, d.names, d.over = nil, nil, true
		return 0
	}
	if d.codes == nil {
		d.codes = make(map[string]int32)
	}
	code := int32(len(d.names))
	d.codes[name] = code
	d.names = append(d.names, name)
	return code
}

// levelLimit counts the levels of one column over all blocks. Whether there are more than MaxLevels
// depends on the file alone, not on the order in which the blocks are read.
type levelLimit struct {
	over atomic.Bool
	lock sync.Mutex
	seen map[string]struct{}
}

// passed takes note of a level and reports whether there are too many now.
func (l *levelLimit) passed(name string) bool {
	if l.over.Load() {
		return true
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.over.Load() {
		return true
	}
	if l.seen == nil {
		l.seen = make(map[string]struct{})
	}
	l.seen[name] = struct{}{}
	if len(l.seen) > MaxLevels {
		l.seen = nil
		l.over.Store(true)
		return true
	}
	return false
}
