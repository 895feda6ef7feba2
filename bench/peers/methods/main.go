// Command methods runs one method of the registry on one problem and prints what it took as JSON,
// the way methods.py does for other libraries.
//
// usage: methods PROBLEM.json
//
// The labels, one per row from 0 for none, go into a file of int64.
package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"strconv"
	"time"

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

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "methods:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: methods PROBLEM.json")
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	var w problem
	if err := json.Unmarshal(text, &w); err != nil {
		return err
	}
	m, err := all.Find(w.Method)
	if err != nil {
		return err
	}
	p, err := w.load(m)
	if err != nil {
		return err
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
		return err
	}
	var out *method.Outcome
	var seconds float64
	for range 2 { // the second is timed, with memory and processor warm
		began := time.Now()
		if w.Budget > 0 {
			out, err = c.Answered(context.Background(), p, ask.Labels(p.Classes), w.Budget)
		} else {
			out, err = c.Fit(context.Background(), p)
		}
		if err != nil {
			return err
		}
		seconds = time.Since(began).Seconds()
	}
	var labels bytes.Buffer
	for _, l := range out.Labels {
		labels.Write(binary.LittleEndian.AppendUint64(nil, uint64(l)))
	}
	if err := os.WriteFile(w.Labels, labels.Bytes(), 0o644); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"seconds": seconds,
		"clusters": out.Clusters, "answers": out.Queries})
}

// load reads the problem.
func (w problem) load(m method.Method) (p method.Problem, err error) {
	p.Threads = 1
	if p.Data, err = rows.Read(w.Data, w.Columns); err != nil {
		return p, err
	}
	raw, err := os.ReadFile(w.Classes)
	if err != nil {
		return p, err
	}
	if len(raw) != 8*p.Data.Rows {
		return p, fmt.Errorf("%d bytes of classes for %d rows", len(raw), p.Data.Rows)
	}
	for i := range p.Data.Rows {
		p.Classes = append(p.Classes, int32(binary.LittleEndian.Uint64(raw[8*i:])))
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
		p.Objects = method.Objects{Metric: dissim.Euclidean, Rows: p.Data}
	}
	return p, nil
}
