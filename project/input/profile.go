package input

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/words"
)

// Kind is what DATA are.
type Kind string

// The kinds of DATA.
const (
	KindTable     Kind = "table"
	KindMatrix    Kind = "matrix" // of dissimilarities
	KindSeries    Kind = "series"
	KindTexts     Kind = "texts"
	KindPictures  Kind = "pictures"
	KindEmbedding Kind = "embedding" // vectors made by another program
)

// Profile is what is understood of DATA.
type Profile struct {
	Name        string          `json:"name"`
	Kind        Kind            `json:"kind"`
	Format      string          `json:"format,omitempty"` // of the table; "" where there is none
	Rows        int             `json:"rows"`             // objects
	Fingerprint string          `json:"fingerprint"`
	Columns     []ColumnProfile `json:"columns"` // of the table; none where there is none
	Notes       []string        `json:"notes"`

	Facts    []Fact   `json:"facts,omitempty"`    // on what is compared, where that is no table
	Examples []string `json:"examples,omitempty"` // texts, or names of pictures
	// one number for each object or pair, as its length: Measured says of what. Histogram counts
	// them in equal parts from Low to High.
	Measured  string `json:"measured,omitempty"`
	Low       string `json:"low,omitempty"`
	High      string `json:"high,omitempty"`
	Histogram []int  `json:"histogram,omitempty"`
	// what may be wrong with the data as a whole, a sentence each; see those of the columns, too
	Suspicions []string `json:"suspicions,omitempty"`
	Change     []string `json:"change,omitempty"` // the flags that take the data otherwise

	// rows and features that follow by the settings; 0 where Problem says why there are none, and
	// where no features are made to describe the data
	MatrixRows int    `json:"matrix_rows"`
	Features   int    `json:"features"`
	Duplicates int    `json:"duplicates"` // rows equal to an earlier one in what is compared
	Problem    string `json:"problem,omitempty"`
}

// Fact is something that is known of DATA.
type Fact struct {
	Name  string `json:"name"` // as "median of the words in a text"
	Value string `json:"value"`
}

// ColumnProfile is what a column of a table was taken for, and what it holds.
type ColumnProfile struct {
	Name         string  `json:"name"`
	Type         string  `json:"type"`            // "vectors" of a column of lists that are compared
	Width        int     `json:"width,omitempty"` // numbers of such a list
	Role         string  `json:"role"`
	Why          string  `json:"why,omitempty"`
	Missing      int     `json:"missing"`
	FirstMissing int     `json:"first_missing,omitempty"` // row, from 1
	Distinct     int     `json:"distinct,omitempty"`      // 0: not counted
	Low          string  `json:"low,omitempty"`           // of numbers and dates
	High         string  `json:"high,omitempty"`
	Mean         string  `json:"mean,omitempty"`
	Histogram    []int   `json:"histogram,omitempty"` // of numbers: equal parts of their range
	Examples     []Count `json:"examples,omitempty"`  // the most frequent values, or the first
	// what may be wrong with the values, a clause each
	Suspicions []string `json:"suspicions,omitempty"`
	Change     string   `json:"change,omitempty"` // the flag that takes the column otherwise
}

// Count is a value and how many rows have it; 0: not counted.
type Count struct {
	Value string `json:"value"`
	Rows  int    `json:"rows,omitempty"`
}

const (
	bins        = 8
	mostExample = 5
	// how many times as large as nearly all others a number is that may be a mistake
	outlying = 1000
)

// Profile describes DATA as the settings of the recipe take them. It fails as [Open] does where
// DATA cannot be read; what is wrong with preparing them is the Problem. Its time is in proportion
// to the data: what would need all pairs is found from a sample, and says so. progress may be nil.
func (r *Recipe) Profile(ctx context.Context, place Place, name string, progress Progress) (*Profile,
	error) {
	t, err := r.Read(ctx, place, name, true, progress)
	if err != nil {
		return nil, err
	}
	p, _, err := r.Source.Profile(ctx, t)
	return p, err
}

// Profile describes a table that was read with all cells kept, and then prepares it, which consumes
// it.
func (s *Source) Profile(ctx context.Context, t *dataset.Table) (*Profile, *Data, error) {
	p := &Profile{Name: t.Name, Kind: KindTable, Format: string(t.Format), Rows: t.Rows,
		Fingerprint: t.Fingerprint, Notes: slices.Clone(t.Notes)}
	for i := range t.Columns {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		p.Columns = append(p.Columns, profileColumn(t, i))
	}
	d, err := s.Prepare(ctx, t, true)
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, err
		}
		p.Problem = err.Error()
		return p, nil, nil
	}
	p.Notes = append(p.Notes, d.Ready.Notes...)
	p.MatrixRows, p.Features, p.Duplicates = d.Ready.X.Rows, d.Ready.X.Cols, d.Ready.Duplicates
	return p, d, nil
}

func profileColumn(t *dataset.Table, i int) ColumnProfile {
	c := &t.Columns[i]
	p := ColumnProfile{Name: c.Name, Type: c.Type.String(), Role: c.Role.String(), Why: c.Why,
		Missing: c.Missing, FirstMissing: c.FirstMissing, Distinct: c.Distinct}
	if c.Type == dataset.Time && c.Min <= c.Max && c.Missing < t.Rows && c.Max != 0 {
		p.Low, p.High = c.Show(c.Min), c.Show(c.Max)
	}
	switch numbers := t.HasValues(i) && c.Type == dataset.Number; {
	case numbers && c.Missing < t.Rows:
		p.Low, p.High, p.Mean = c.Show(c.Min), c.Show(c.Max), c.Show(c.Mean)
		p.Histogram = histogram(t, i)
		p.suspect(t, i)
	case t.HasValues(i) && c.Type != dataset.Time:
		p.Examples = frequent(t, i)
	default:
		for row := 0; row < t.Rows && len(p.Examples) < mostExample; row++ {
			if text := t.Cell(row, i); text != "" && !slices.Contains(p.Examples, Count{Value: text}) {
				p.Examples = append(p.Examples, Count{Value: text})
			}
		}
	}
	switch c.Role {
	case dataset.Feature:
		if c.Vector != "" {
			break // a number of a vector is not left out alone
		}
		p.Change = "--drop " + words.Shell(c.Name)
	case dataset.ID:
		p.Change = "--features " + words.Shell(c.Name)
	case dataset.Unused:
		p.Change = "--features " + words.Shell(c.Name)
		if c.Type == dataset.Text {
			p.Change = "--text " + words.Shell(c.Name)
		}
		if t.Hidden(i) != "" {
			p.Change = ""
		}
	}
	return p
}

// histogram counts the values of numbers in equal parts of their range.
func histogram(t *dataset.Table, i int) []int {
	c := &t.Columns[i]
	counts := make([]int, bins)
	for row := range t.Rows {
		v := t.Value(row, i)
		if math.IsNaN(v) {
			continue
		}
		k := 0
		if c.Max > c.Min { // halves, as the range may be beyond the numbers
			k = int(bins * ((v/2 - c.Min/2) / (c.Max/2 - c.Min/2)))
		}
		counts[max(0, min(k, bins-1))]++
	}
	return counts
}

// frequent returns the most frequent values of a category or boolean.
func frequent(t *dataset.Table, i int) (out []Count) {
	rows := make(map[string]int)
	for row := range t.Rows {
		if text := t.Cell(row, i); text != "" {
			rows[text]++
		}
	}
	for text, n := range rows {
		out = append(out, Count{text, n})
	}
	slices.SortFunc(out, func(a, b Count) int {
		if a.Rows != b.Rows {
			return b.Rows - a.Rows
		}
		if a.Value < b.Value {
			return -1
		}
		return 1
	})
	return out[:min(len(out), mostExample)]
}

// suspect finds numbers that may be mistakes: far larger than nearly all others, as where a decimal
// mark is missing or units are mixed, or one number far more often than chance, as -999 for none.
func (p *ColumnProfile) suspect(t *dataset.Table, i int) {
	var sizes []float64
	for row := range t.Rows {
		if v := math.Abs(t.Value(row, i)); v > 0 {
			sizes = append(sizes, v)
		}
	}
	if len(sizes) < 20 {
		return
	}
	slices.Sort(sizes)
	high := sizes[len(sizes)*95/100]
	at, _ := slices.BinarySearch(sizes, high*outlying)
	if n := len(sizes) - at; n > 0 {
		p.Suspicions = append(p.Suspicions, strconv.Itoa(n)+" of its numbers are over "+
			strconv.Itoa(outlying)+" times as large as nearly all others: a decimal mark may be "+
			"missing, or units be mixed")
	}
	c := &t.Columns[i]
	for _, none := range []float64{-999, -9999, -99, 9999, 99999} {
		n, next := 0, math.Inf(1)
		for row := range t.Rows {
			switch v := t.Value(row, i); {
			case v == none:
				n++
			case !math.IsNaN(v):
				next = min(next, math.Abs(v-none))
			}
		}
		if n > 0 && (none == c.Min || none == c.Max) && next > (c.Max-c.Min)/2 && n < t.Rows {
			text := strconv.FormatFloat(none, 'f', -1, 64)
			p.Suspicions = append(p.Suspicions, text+" stands in "+strconv.Itoa(n)+
				" rows, far from all others: --na "+text+" reads it as missing")
		}
	}
}
