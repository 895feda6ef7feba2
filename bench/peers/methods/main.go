// Command methods runs one method of the registry on one problem and prints what it took as JSON,
// the way methods.py does for other libraries.
//
// usage: methods PROBLEM.json
//
// The labels, one per row from 0 for none, go into a file of int64.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"strconv"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/bench/peers/rows"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
)

// problem is what methods.py asks for.
type problem struct {
	Method   string   `json:"method"`
	Data     string   `json:"data"` // file of float64, row-major
	Columns  int      `json:"columns"`
	Classes  string   `json:"classes"` // file of int64
	Links    [][3]int `json:"links"`   // two rows and the kind: 1 same, 2 different
	Known    bool     `json:"known"`   // the classes of the rows of Rows are known before
	Rows     []int    `json:"rows"`
	Clusters int      `json:"clusters"`
	Seed     uint64   `json:"seed"`
	Budget   int      `json:"budget"` // answers by the classes; 0: none are asked for
	Labels   string   `json:"labels"`

	Values map[string]string `json:"values"` // of parameters, beside Clusters and Seed
}

func main() { rows.Main("methods PROBLEM.json", run) }

func run(args []string) (map[string]any, error) {
	text, err := os.ReadFile(args[0])
	if err != nil {
		return nil, err
	}
	var w problem
	if err := json.Unmarshal(text, &w); err != nil {
		return nil, err
	}
	m, err := all.Find(w.Method)
	if err != nil {
		return nil, err
	}
	p, err := w.load(m)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	if m.Takes("clusters") {
		values["clusters"] = strconv.Itoa(w.Clusters)
	}
	if m.Takes("seed") {
		values["seed"] = strconv.FormatUint(w.Seed, 10)
	}
	maps.Copy(values, w.Values)
	c, err := m.With(values)
	if err != nil {
		return nil, err
	}
	var out *method.Outcome
	seconds, err := rows.Timed(func() (err error) {
		if w.Budget > 0 {
			out, err = c.Answered(context.Background(), p, ask.Labels(p.Classes), w.Budget)
		} else {
			out, err = c.Fit(context.Background(), p)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	labels := make([]int64, len(out.Labels))
	for i, l := range out.Labels {
		labels[i] = int64(l)
	}
	if err := rows.WriteLabels(w.Labels, labels); err != nil {
		return nil, err
	}
	return map[string]any{"seconds": seconds,
		"clusters": out.Clusters, "answers": out.Queries}, nil
}

// load reads the problem.
func (w problem) load(m method.Method) (p method.Problem, err error) {
	p.Threads = 1
	if p.Data, err = rows.Read(w.Data, w.Columns); err != nil {
		return p, err
	}
	classes, err := rows.Values[int64](w.Classes)
	if err != nil {
		return p, err
	}
	if len(classes) != p.Data.Rows {
		return p, fmt.Errorf("%d classes for %d rows", len(classes), p.Data.Rows)
	}
	for _, c := range classes {
		p.Classes = append(p.Classes, int32(c))
	}
	for _, l := range w.Links {
		p.Links = append(p.Links, link.Link{A: l[0], B: l[1], Kind: link.Kind(l[2])})
	}
	if w.Known {
		p.Known = make([]int32, p.Data.Rows)
		for i := range p.Known {
			p.Known[i] = -1
		}
		for _, row := range w.Rows {
			p.Known[row] = p.Classes[row]
		}
	}
	if m.Dissimilarity {
		p.Objects = method.Objects{Comparison: method.Comparison{Metric: dissim.Euclidean},
			Rows: p.Data}
	}
	return p, nil
}
