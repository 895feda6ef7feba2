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
	over  bool        // there are too many: names has the seeds of the limit alone
}

// newDict returns a dictionary that has the seeds of its limit as its first names.
func newDict(limit *levelLimit) dict {
	d := dict{limit: limit}
	if limit != nil && len(limit.seeds) > 0 {
		d.keepSeeds()
	}
	return d
}

// keepSeeds makes the seeds the only names.
func (d *dict) keepSeeds() {
	d.codes = make(map[string]int32, len(d.limit.seeds))
	d.names = append([]string(nil), d.limit.seeds...)
	for i, name := range d.names {
		d.codes[name] = int32(i)
	}
}

func (d *dict) code(s []byte) int32 {
	if code, ok := d.codes[string(s)]; ok {
		return code
	}
	if d.over {
		return int32(len(d.names)) // one of the others
	}
	name := string(s)
	if d.limit != nil && d.limit.passed(name) {
		d.over = true
		d.keepSeeds()
		return int32(len(d.names))
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
// depends on the file alone, not on the order in which the blocks are read. Where there are, those
// of the first rows are kept, and one more for the others.
type levelLimit struct {
	seeds []string
	over  atomic.Bool
	lock  sync.Mutex
	seen  map[string]struct{}
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
		for _, seed := range l.seeds {
			l.seen[seed] = struct{}{}
		}
	}
	l.seen[name] = struct{}{}
	if len(l.seen) > MaxLevels {
		l.seen = nil
		l.over.Store(true)
		return true
	}
	return false
}
