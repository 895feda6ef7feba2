package dendrogram

import (
	"bufio"
	"encoding/json"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
)

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
