package worker

import (
	"errors"
	"slices"
	"sync"

	"github.com/kindred-go/kindred/method"
)

// Bounds of what is kept after a request: results, bytes of their data, and of those of one.
const (
	mostKept      = 8
	mostKeptBytes = 256 << 20
	mostOfOne     = 64 << 20
)

// errGone is the error where a result is not kept any more.
var errGone = errors.New("the result is not kept any more")

// kept is a result that pictures and a model are made of later.
type kept struct {
	*task
	out    *method.Outcome
	number int64
	bytes  int64
	users  int // requests that look at it, and the list
	arrays []*array
}

// shelf keeps the latest results that were looked at.
type shelf struct {
	mu    sync.Mutex
	last  int64
	items []*kept // the latest last
	bytes int64
}

// put keeps a result with the arrays of its data, and returns its number from 1; 0 where it is too
// large.
func (s *shelf) put(t *task, out *method.Outcome, arrays map[string]*array) int64 {
	k := &kept{task: t, out: out, users: 1}
	for _, a := range arrays {
		k.arrays, k.bytes = append(k.arrays, a), k.bytes+int64(len(a.bytes))
	}
	if k.bytes > mostOfOne {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	k.number = s.last
	s.items, s.bytes = append(s.items, k), s.bytes+k.bytes
	for len(s.items) > mostKept || s.bytes > mostKeptBytes {
		s.bytes -= s.items[0].bytes
		s.items[0].leave()
		s.items = slices.Delete(s.items, 0, 1)
	}
	return k.number
}

// take returns the result of a number; release is to be called once it is no longer looked at.
func (s *shelf) take(number int64) (k *kept, release func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.items, func(k *kept) bool { return k.number == number })
	if at < 0 {
		return nil, nil, errGone
	}
	k = s.items[at]
	s.items = append(slices.Delete(s.items, at, at+1), k)
	k.users++
	return k, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		k.leave()
	}, nil
}

// leave frees the arrays once nobody looks at the result.
func (k *kept) leave() {
	if k.users--; k.users == 0 {
		free(k.arrays)
	}
}

// free returns the memory of arrays.
func free(arrays []*array) {
	for _, a := range arrays {
		if a.unmap != nil {
			a.unmap()
		}
	}
}
