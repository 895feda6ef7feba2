package frame

import (
	"encoding/json"
	"io"
	"math"
	"strconv"
)

// number is a float64 that JSON has as null where it is none.
type number float64

func (v number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(v)) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(v), 'g', 10, 64), nil
}

// MarshalJSON writes a figure with half the width of its 95 % interval.
func (f Figure) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Value    number `json:"value"`
		SD       number `json:"sd"`
		Interval number `json:"interval"`
		N        int    `json:"n"`
	}{number(f.Value), number(f.Spread), number(f.Interval()), f.N})
}

// IsZero reports whether there is no figure, so that JSON leaves it out.
func (f Figure) IsZero() bool { return !f.There() }

type jsonCell struct {
	Cell
	Verdict Verdict `json:"verdict,omitempty"`
}

type jsonRow struct {
	Keys  []string   `json:"keys"`
	Cells []jsonCell `json:"cells"`
	Sum   bool       `json:"sum,omitempty"` // sums other rows up
}

type jsonTable struct {
	Name   string    `json:"name"`
	Title  string    `json:"title"`
	Keys   []string  `json:"keys"`
	Groups []string  `json:"groups"`
	Rows   []jsonRow `json:"rows"`
	Notes  []string  `json:"notes,omitempty"`
}

type jsonPicture struct {
	File  string   `json:"file"`
	Title string   `json:"title"`
	Notes []string `json:"notes,omitempty"`
}

type jsonMissing struct {
	Name  string `json:"name"`
	Files string `json:"files"`
	From  string `json:"from"`
}

type jsonReport struct {
	Experiment string        `json:"experiment"`
	Title      string        `json:"title"`
	Paper      string        `json:"paper"`
	Trials     int           `json:"trials"`
	OfTrials   int           `json:"trials_in_full"`
	Seed       uint64        `json:"seed"`
	Parts      []string      `json:"parts,omitempty"`     // what was requested, unless all
	Sets       []string      `json:"data_sets,omitempty"` // as well
	Missing    []jsonMissing `json:"missing"`
	Notes      []string      `json:"notes,omitempty"`
	Claims     []Claim       `json:"claims"`
	Tables     []jsonTable   `json:"tables"`
	Pictures   []jsonPicture `json:"pictures"`
}

// WriteJSON writes the report as JSON, numbers to ten digits.
func (r *Report) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", " ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(r)
}

// MarshalJSON returns what [Report.WriteJSON] writes.
func (r *Report) MarshalJSON() ([]byte, error) {
	out := jsonReport{
		Experiment: r.Experiment.Name, Title: r.Experiment.Title, Paper: r.Experiment.Paper,
		Trials: r.Trials, OfTrials: r.Experiment.Trials, Seed: r.Seed, Parts: r.Parts, Sets: r.Sets,
		Notes:   r.Notes,
		Missing: []jsonMissing{}, Claims: append([]Claim{}, r.Claims...), Tables: []jsonTable{},
		Pictures: []jsonPicture{},
	}
	for _, n := range r.Missing {
		out.Missing = append(out.Missing, jsonMissing{n.Name, n.Files(), n.From})
	}
	for _, p := range r.Pictures {
		out.Pictures = append(out.Pictures, jsonPicture{p.File(), p.Title, p.Notes})
	}
	for _, t := range r.Tables {
		out.Tables = append(out.Tables, t.forJSON())
	}
	return json.Marshal(out)
}

func (t Table) forJSON() jsonTable {
	out := jsonTable{Name: t.Name, Title: t.Title, Keys: t.Keys, Groups: t.Groups,
		Rows: []jsonRow{}, Notes: t.Notes}
	judge := t.judge()
	for _, row := range t.Rows {
		line := jsonRow{Keys: row.Keys, Cells: []jsonCell{}, Sum: row.Sum}
		for g, c := range row.Cells {
			line.Cells = append(line.Cells, jsonCell{c, judge(g, c)})
		}
		out.Rows = append(out.Rows, line)
	}
	return out
}
