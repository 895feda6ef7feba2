package dendrogram

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/safe"
)

// Condensed is what is left of a hierarchy of density where parts of fewer objects than a cluster has
// fall off (Campello, Moulavi and Sander 2013). Densities are λ = 1/distance.
type Condensed struct {
	Clusters []Part // all objects first; parts follow what they are part of

	// Cluster is the one that each object falls off, and Lambda the density at which it does.
	Cluster []int32
	Lambda  []float64
}

// Part is a node of a condensed tree.
type Part struct {
	Parent    int     // −1 for all objects
	Birth     float64 // λ at which it parts from others; 0 for all objects
	Size      int     // objects
	Stability float64 // Σ(λ − Birth) over its objects, until they leave or it parts
	Label     int     // the group, from 1, that it was chosen as; 0: it was not
}

// condensedRow is a line of a condensed tree in a file.
type condensedRow struct {
	Parent int     `json:"parent" parquet:"parent"`
	Child  int     `json:"child" parquet:"child"`
	Lambda float64 `json:"lambda" parquet:"lambda"`
	Size   int     `json:"size" parquet:"size"`
	ID     string  `json:"id,omitempty" parquet:"id,optional"`           // of an object
	Group  int     `json:"cluster,omitempty" parquet:"cluster,optional"` // of a part that was chosen
}

// rows calls do with the lines of the tree: for each part, the objects that fall off it and then its
// parts, by rising λ.
func (t *Condensed) rows(id func(row int) string, do func(condensedRow) error) error {
	n := len(t.Cluster)
	below := make([][]int, len(t.Clusters)) // objects and parts, which are counted from n
	for i, c := range t.Cluster {
		below[c] = append(below[c], i)
	}
	for c, p := range t.Clusters[1:] {
		below[p.Parent] = append(below[p.Parent], n+1+c)
	}
	lambda := func(node int) float64 {
		if node < n {
			return t.Lambda[node]
		}
		return t.Clusters[node-n].Birth
	}
	for c, nodes := range below {
		slices.SortFunc(nodes, func(a, b int) int {
			return cmp.Or(cmp.Compare(lambda(a), lambda(b)), cmp.Compare(a, b))
		})
		for _, node := range nodes {
			r := condensedRow{Parent: n + c, Child: node, Lambda: lambda(node), Size: 1}
			if node < n {
				if r.ID = strconv.Itoa(node + 1); id != nil {
					r.ID = id(node)
				}
			} else {
				r.Size, r.Group = t.Clusters[node-n].Size, t.Clusters[node-n].Label
			}
			if err := do(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// WriteCSV writes the tree as CSV, as to_pandas of the hdbscan package has it: the columns parent,
// child, lambda, size, id and cluster. Nodes are counted from 0: objects first, in their order, then
// all objects as one, and parts. Lines of objects have their id (nil: their numbers from 1), and
// those of parts that were chosen the cluster.
func (t *Condensed) WriteCSV(w io.Writer, id func(row int) string) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"parent", "child", "lambda", "size", "id", "cluster"}); err != nil {
		return err
	}
	err := t.rows(id, func(r condensedRow) error {
		record := []string{strconv.Itoa(r.Parent), strconv.Itoa(r.Child),
			strconv.FormatFloat(r.Lambda, 'g', -1, 64), strconv.Itoa(r.Size), safe.Guard(r.ID), ""}
		if r.Group > 0 {
			record[5] = strconv.Itoa(r.Group)
		}
		return out.Write(record)
	})
	out.Flush()
	return cmp.Or(err, out.Error())
}

// WriteJSON writes the lines of [Condensed.WriteCSV] as a JSON array of objects.
func (t *Condensed) WriteJSON(w io.Writer, id func(row int) string) error {
	out := bufio.NewWriter(w)
	before := "[\n"
	err := t.rows(id, func(r condensedRow) error {
		text, err := json.Marshal(r)
		out.WriteString(before)
		out.Write(text)
		before = ",\n"
		return err
	})
	if before == "[\n" {
		out.WriteString("[")
	}
	out.WriteString("\n]\n")
	return cmp.Or(err, out.Flush())
}

// WriteParquet writes the lines of [Condensed.WriteCSV] as Parquet.
func (t *Condensed) WriteParquet(w io.Writer, id func(row int) string) error {
	p := parquet.NewGenericWriter[condensedRow](w, parquet.Compression(&parquet.Zstd))
	block := make([]condensedRow, 0, 4096)
	flush := func() error {
		_, err := p.Write(block)
		block = block[:0]
		return err
	}
	err := t.rows(id, func(r condensedRow) error {
		if block = append(block, r); len(block) == cap(block) {
			return flush()
		}
		return nil
	})
	return cmp.Or(err, flush(), p.Close())
}

// WriteFile writes the tree to a file in the form of its extension, .csv, .json or .parquet. The file
// appears whole or not at all.
func (t *Condensed) WriteFile(path string, id func(row int) string) error {
	if err := CheckCondensedPath(path); err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		switch strings.ToLower(filepath.Ext(path)) {
		case ".csv":
			return t.WriteCSV(w, id)
		case ".json":
			return t.WriteJSON(w, id)
		}
		return t.WriteParquet(w, id)
	})
}

// CheckCondensedPath reports whether [Condensed.WriteFile] knows what to write to a file of that
// name.
func CheckCondensedPath(path string) error {
	if strings.EqualFold(filepath.Ext(path), ".parquet") || CheckPath(path) == nil {
		return nil
	}
	return &fault.Input{File: path, Problem: "is no condensed tree that can be written",
		Fix: "end the name in .csv, .json or .parquet"}
}
