package stream

import (
	"maps"
	"sort"
	"strconv"

	"github.com/kindred-go/kindred/cluster/competitive"
)

// seen describes what is known of a row named in a link.
type seen uint8

const (
	unseen    seen = iota // it may yet come
	here                  // the learner has it
	forgotten             // it has left the memory
	nameless              // rows have no such ids
)

// rowIndex knows the rows that the learner remembers by their ids: the latest in a ring, and those
// that links name.
type rowIndex struct {
	learner *competitive.Learner
	most    int
	count   int64   // rows learnt: the learner's number of the latest
	numbers []int64 // ring: number in the input of each of the latest rows
	last    int64   // number in the input of the latest row, bad ones included

	named bool             // rows have ids of their own
	ids   []string         // ring, where named
	of    map[string]int64 // where named: latest row of each id in the ring
	kept  map[string]int64 // rows that links name, which the learner may keep longer
	prune int              // length of kept at which to look for those it did not
}

func newRowIndex(l *competitive.Learner, named bool) *rowIndex {
	c := l.Config()
	r := &rowIndex{learner: l, most: max(0, c.Remember), named: named, kept: make(map[string]int64),
		prune: 2*(max(0, c.MostLinked)+max(0, c.Remember)) + 16}
	if named {
		r.of = make(map[string]int64)
	}
	return r
}

// add enters rows lo to hi of b, which the learner has just learnt.
func (r *rowIndex) add(b *Block, lo, hi int) {
	if r.most == 0 {
		r.count += int64(hi - lo)
		return
	}
	var text []byte
	for i := lo; i < hi; i++ {
		at := int(r.count % int64(r.most))
		r.count++
		if len(r.numbers) < r.most {
			r.numbers = append(r.numbers, 0)
		}
		r.numbers[at] = b.Numbers[i]
		if !r.named {
			continue
		}
		if at < len(r.ids) {
			if old := r.ids[at]; r.of[old] == r.count-int64(r.most) { // no later row has its id
				delete(r.of, old)
			}
		} else {
			r.ids = append(r.ids, "")
		}
		text = b.AppendID(text[:0], i)
		id := string(text)
		r.ids[at], r.of[id] = id, r.count
	}
}

// find looks a row up by its id.
func (r *rowIndex) find(id string) (number int64, is seen) {
	if n, ok := r.kept[id]; ok && r.of[id] <= n { // else a later row has the id, and counts
		if r.learner.Remembers(n) {
			return n, here
		}
		delete(r.kept, id)
		if r.named {
			return 0, forgotten
		}
	}
	if r.named {
		if n, ok := r.of[id]; ok {
			if r.learner.Remembers(n) {
				return n, here
			}
			return 0, forgotten
		}
		return 0, unseen
	}
	input, err := strconv.ParseInt(id, 10, 64)
	if err != nil || input < 1 {
		return 0, nameless
	}
	if input > r.last {
		return 0, unseen
	}
	// The ring holds rows first+1 to count; their numbers rise.
	first := r.count - int64(len(r.numbers))
	i := sort.Search(len(r.numbers), func(i int) bool { return r.at(first+int64(i)) >= input })
	if i == len(r.numbers) || r.at(first+int64(i)) != input {
		return 0, forgotten // or it was bad
	}
	n := first + int64(i) + 1
	if !r.learner.Remembers(n) {
		return 0, forgotten
	}
	return n, here
}

// key returns the id that a row yet to come will have: 7 for 007 where rows are numbered.
func (r *rowIndex) key(id string) string {
	if input, err := strconv.ParseInt(id, 10, 64); err == nil && !r.named {
		return strconv.FormatInt(input, 10)
	}
	return id
}

// at returns the number in the input of the row after row n of the learner.
func (r *rowIndex) at(n int64) int64 { return r.numbers[n%int64(r.most)] }

// keep remembers the id of a row that a link names.
func (r *rowIndex) keep(id string, n int64) {
	r.kept[id] = n
	if len(r.kept) <= r.prune {
		return
	}
	for id, n := range r.kept {
		if !r.learner.Remembers(n) {
			delete(r.kept, id)
		}
	}
}

// name returns the id of row n of the learner, or its number where it is not known any more.
func (r *rowIndex) name(n int64) string {
	if len(r.numbers) > 0 && n <= r.count && n > r.count-int64(len(r.numbers)) {
		at := (n - 1) % int64(r.most)
		if r.named {
			return r.ids[at]
		}
		return strconv.FormatInt(r.numbers[at], 10)
	}
	for id, k := range r.kept {
		if k == n {
			return id
		}
	}
	return "row " + strconv.FormatInt(n, 10) + " learnt"
}

// rowIndexState is a rowIndex in a state file: its rings from the oldest row on.
type rowIndexState struct {
	Count   int64            `json:"count"`
	Last    int64            `json:"last"`
	Numbers []int64          `json:"numbers"`
	IDs     []string         `json:"ids,omitempty"`
	Kept    map[string]int64 `json:"kept,omitempty"`
}

func (r *rowIndex) state() rowIndexState {
	s := rowIndexState{Count: r.count, Last: r.last, Kept: maps.Clone(r.kept)}
	for n := r.count - int64(len(r.numbers)); n < r.count; n++ {
		s.Numbers = append(s.Numbers, r.at(n))
		if r.named {
			s.IDs = append(s.IDs, r.ids[n%int64(r.most)])
		}
	}
	return s
}

// restore trusts nothing in s.
func (r *rowIndex) restore(s rowIndexState) bool {
	length := len(s.Numbers)
	if s.Count < 0 || length > r.most || int64(length) > s.Count ||
		r.most > 0 && int64(length) != min(s.Count, int64(r.most)) ||
		r.named && len(s.IDs) != length || !r.named && len(s.IDs) > 0 {
		return false
	}
	r.count, r.last = s.Count, s.Last
	r.numbers = make([]int64, length)
	if r.named {
		r.ids = make([]string, length)
	}
	for i, input := range s.Numbers {
		if input < 1 || input > s.Last || i > 0 && input <= s.Numbers[i-1] {
			return false
		}
		n := s.Count - int64(length) + int64(i)
		r.numbers[n%int64(r.most)] = input
		if r.named {
			r.ids[n%int64(r.most)] = s.IDs[i]
			r.of[s.IDs[i]] = n + 1
		}
	}
	for id, n := range s.Kept {
		if n < 1 || n > s.Count {
			return false
		}
		r.kept[id] = n
	}
	return true
}
