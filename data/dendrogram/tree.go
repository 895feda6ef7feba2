// Package dendrogram is trees of joined objects: what hierarchical methods return, cut into
// clusters, drawn and written to files.
package dendrogram

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
)

// Merge joins two nodes of a tree.
type Merge struct {
	A, B   int     // nodes, A < B: objects are 0 … n−1, and merge i, from 0, makes node n+i
	Height float64 // how far apart the two were, in the unit of the data
	Size   int     // objects below
}

// Tree is how n objects were joined, step by step.
//
// Merges and heights are those of a linkage matrix of SciPy: heights never fall but under centroid
// and median linkage, whose joined clusters can lie nearer to a third than their parts did.
type Tree struct {
	N       int
	Linkage string  // how far apart two clusters are, as in "ward"
	Merges  []Merge // n−1 of them, in order
}

// Cut returns the cluster of each object, from 0 by first object, when the last k−1 merges are
// undone. k is from 1 to n; anything else is a *fault.Input.
func (t *Tree) Cut(k int) ([]int32, error) {
	if k < 1 || k > t.N {
		return nil, &fault.Input{Problem: fmt.Sprintf(
			"a tree of %d objects cannot be cut into %d clusters", t.N, k),
			Fix: fmt.Sprintf("ask for 1 to %d", t.N)}
	}
	return t.labels(func(i int) bool { return i < len(t.Merges)-(k-1) }), nil
}

// CutAt returns the cluster of each object, from 0 by first object, when nodes that no merge higher
// than height made are kept whole. NaN and heights below 0 leave every object alone.
func (t *Tree) CutAt(height float64) []int32 {
	high := t.reaches()
	return t.labels(func(i int) bool { return high[i] <= height })
}

// reaches returns the greatest height at or below each merge.
func (t *Tree) reaches() []float64 {
	high := make([]float64, len(t.Merges))
	for i, m := range t.Merges {
		high[i] = m.Height
		for _, child := range []int{m.A, m.B} {
			if child >= t.N {
				high[i] = max(high[i], high[child-t.N])
			}
		}
	}
	return high
}

// labels numbers the clusters that stay when only some merges are kept: with a merge all below it.
func (t *Tree) labels(kept func(merge int) bool) []int32 {
	top := make([]int, t.N+len(t.Merges)) // the highest kept node above
	for i := range top {
		top[i] = i
	}
	for i := len(t.Merges) - 1; i >= 0; i-- {
		if m := t.Merges[i]; top[t.N+i] != t.N+i || kept(i) {
			top[m.A], top[m.B] = top[t.N+i], top[t.N+i]
		}
	}
	number := make(map[int]int32)
	out := make([]int32, t.N)
	for i := range out {
		c, known := number[top[i]]
		if !known {
			c = int32(len(number))
			number[top[i]] = c
		}
		out[i] = c
	}
	return out
}

// Order returns the objects in an order in which each node's are together, the part with the lower
// node number first, so that lines of a dendrogram do not cross.
func (t *Tree) Order() []int {
	out := make([]int, 0, t.N)
	stack := []int{t.N + len(t.Merges) - 1}
	for len(stack) > 0 {
		node := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if node < t.N {
			out = append(out, node)
			continue
		}
		m := t.Merges[node-t.N]
		stack = append(stack, m.B, m.A)
	}
	return out
}

// Cophenetic returns for each pair of objects i < j the height at which they are first in one
// cluster, in the order (0,1), (0,2) … (n−2,n−1), as SciPy's cophenet does: n(n−1)/2 values.
func (t *Tree) Cophenetic() []float64 {
	out := make([]float64, t.N*(t.N-1)/2)
	at := t.Order()
	end := make([]int, t.N+len(t.Merges)) // of each node, in the order
	begin := make([]int, len(end))
	for place, object := range at {
		begin[object], end[object] = place, place+1
	}
	for i, m := range t.Merges {
		begin[t.N+i], end[t.N+i] = begin[m.A], end[m.B]
		for _, x := range at[begin[m.A]:end[m.A]] {
			for _, y := range at[begin[m.B]:end[m.B]] {
				lo, hi := min(x, y), max(x, y)
				out[lo*(2*t.N-lo-1)/2+hi-lo-1] = m.Height
			}
		}
	}
	return out
}

// Size returns the number of objects below a node.
func (t *Tree) Size(node int) int {
	if node < t.N {
		return 1
	}
	return t.Merges[node-t.N].Size
}

// WriteCSV writes the tree as CSV, a merge a line in order: the columns a, b, height and size.
// Nodes are counted from 1: objects are 1 … n, and line i of merges makes node n+i.
func (t *Tree) WriteCSV(w io.Writer) error {
	out := bufio.NewWriter(w)
	out.WriteString("a,b,height,size\n")
	var line []byte
	for _, m := range t.Merges {
		line = strconv.AppendInt(line[:0], int64(m.A+1), 10)
		line = strconv.AppendInt(append(line, ','), int64(m.B+1), 10)
		line = strconv.AppendFloat(append(line, ','), m.Height, 'g', -1, 64)
		line = strconv.AppendInt(append(line, ','), int64(m.Size), 10)
		out.Write(append(line, '\n'))
	}
	return out.Flush()
}

// treeFile is a tree as JSON.
type treeFile struct {
	Linkage string      `json:"linkage"`
	IDs     []string    `json:"ids"`
	Merges  []mergeFile `json:"merges"`
}

type mergeFile struct {
	A      int     `json:"a"`
	B      int     `json:"b"`
	Height float64 `json:"height"`
	Size   int     `json:"size"`
}

// WriteJSON writes the tree as one JSON object: linkage, ids, which are the names of the objects in
// order (nil: their numbers from 1), and merges as in [Tree.WriteCSV].
func (t *Tree) WriteJSON(w io.Writer, id func(row int) string) error {
	f := treeFile{Linkage: t.Linkage, IDs: make([]string, t.N),
		Merges: make([]mergeFile, len(t.Merges))}
	for i := range f.IDs {
		if f.IDs[i] = strconv.Itoa(i + 1); id != nil {
			f.IDs[i] = id(i)
		}
	}
	for i, m := range t.Merges {
		f.Merges[i] = mergeFile{m.A + 1, m.B + 1, m.Height, m.Size}
	}
	return json.NewEncoder(w).Encode(f)
}

// WriteFile writes the tree to a file in the form of its extension, .csv or .json. id is as in
// [Tree.WriteJSON]. The file appears whole or not at all.
func (t *Tree) WriteFile(path string, id func(row int) string) error {
	if err := CheckPath(path); err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		if strings.EqualFold(filepath.Ext(path), ".csv") {
			return t.WriteCSV(w)
		}
		return t.WriteJSON(w, id)
	})
}

// CheckPath reports whether [Tree.WriteFile] knows what to write to a file of that name.
func CheckPath(path string) error {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv", ".json":
		return nil
	}
	return &fault.Input{File: path, Problem: "is no tree that can be written",
		Fix: "end the name in .csv or .json"}
}
