package input

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
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
	// whether the features are the coordinates of vectors, see dataset.Table.Embedding
	Vectors bool           `json:"vectors,omitempty"`
	Notes   []string       `json:"notes"`
	Parts   *dataset.Parts `json:"parts,omitempty"` // of the file that the table is one of

	// what is compared that no setting names, and what is not for that, in a sentence; "": nothing
	Chosen string `json:"chosen,omitempty"`

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
	// what would follow by --missing keep, where values are missing and it is not said what becomes
	// of them; nil: nothing is to be said
	Kept *Kept `json:"kept,omitempty"`

	filled string // the note on missing values that were filled in
}

// Kept are the rows and features of a matrix with all rows kept.
type Kept struct {
	Rows     int `json:"rows"`
	Features int `json:"features"`
}

// Fact is something that is known of DATA.
type Fact struct {
	Name  string `json:"name"` // as "median of the words in a text"
	Value string `json:"value"`
}

// ColumnProfile is what a column of a table was taken for, and what it holds.
type ColumnProfile struct {
	Name         string   `json:"name"`
	Type         string   `json:"type"`            // "vectors" of a column of lists that are compared
	Width        int      `json:"width,omitempty"` // numbers of such a list
	Role         string   `json:"role"`
	Why          string   `json:"why,omitempty"`
	Missing      int      `json:"missing"`
	FirstMissing int      `json:"first_missing,omitempty"` // row, from 1
	Distinct     int      `json:"distinct,omitempty"`      // 0: not counted
	Low          string   `json:"low,omitempty"`           // of numbers and dates
	High         string   `json:"high,omitempty"`
	Mean         string   `json:"mean,omitempty"`
	Histogram    []int    `json:"histogram,omitempty"` // of numbers: equal parts of their range
	Levels       []string `json:"levels,omitempty"`    // of a category as compared, the first in order
	Examples     []Count  `json:"examples,omitempty"`  // the most frequent values, or the first
	// what may be wrong with the values, a clause each
	Suspicions []string `json:"suspicions,omitempty"`
	Change     string   `json:"change,omitempty"` // the flag that takes the column otherwise
}

// Count is a value and how many rows have it; 0: not counted.
type Count struct {
	Value string `json:"value"`
	Rows  int    `json:"rows,omitempty"`
}

// Profile describes DATA as the settings of the recipe take them; those of the method decide whether
// texts are compared by words. It fails as [Open] does where DATA cannot be read; what is wrong with
// preparing them is the Problem. Its time is in proportion to the data: what would need all pairs is
// found from a sample, and says so. progress may be nil.
func (r *Recipe) Profile(ctx context.Context, place Place, name string, progress Progress) (*Profile,
	error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	if r.Square {
		return r.profileMatrix(ctx, place, name, progress)
	}
	path, where, err := place.Locate(name)
	if err != nil {
		return nil, err
	}
	if where == InFolder {
		return r.profileFolder(ctx, place, path, progress)
	}
	t, err := r.Read(ctx, place, name, true, progress)
	if err != nil {
		return nil, err
	}
	r.settle(t)
	return r.profile(ctx, place, name, t, progress)
}

// profile describes DATA that are, or are in, a table, which it consumes. The recipe is settled.
func (r *Recipe) profile(ctx context.Context, place Place, name string, t *dataset.Table,
	progress Progress) (p *Profile, err error) {
	path, where, err := place.Locate(name)
	if err != nil {
		return nil, err
	}
	p = &Profile{Name: t.Name, Kind: KindTable, Format: string(t.Format), Rows: t.Rows,
		Vectors: t.Embedding(), Fingerprint: t.Fingerprint, Notes: slices.Clone(t.Notes),
		Parts: t.Parts}
	if p.Columns, err = profileColumns(ctx, t); err != nil {
		return nil, err
	}
	if compared := r.Text + r.Series + r.Images; compared != "" || r.Embedding != "" {
		p.comparedBy(compared, r.mixed())
	}
	d := &Data{Table: t, source: r.Source, place: place, values: true}
	switch {
	case r.Images != "":
		p.Kind = KindPictures
		err = d.profileImages(ctx, p, path, where, progress)
	case r.Embedding != "", r.vectorsAlone():
		p.Kind = KindEmbedding
		err = r.profileEmbedding(ctx, p, place, name, t, progress)
	case r.Text != "":
		p.Kind = KindTexts
		err = r.profileTexts(ctx, p, t)
	case r.Series != "":
		p.Kind = KindSeries
		err = r.profileSeries(ctx, p, t)
	default:
		err = r.profileTable(ctx, p, t)
	}
	return p, p.blame(ctx, err)
}

// comparedBy makes a column the one that is compared, alone or beside the features; "": vectors of
// another file are.
func (p *Profile) comparedBy(column string, beside bool) {
	p.Notes = WithoutFeatures(p.Notes)
	if !beside {
		p.Notes = withoutLevels(p.Notes)
	}
	for i := range p.Columns {
		c := &p.Columns[i]
		switch {
		case c.Name == column:
			c.Role, c.Why, c.Change = dataset.Feature.String(), "is what is compared", ""
		case c.Role == dataset.Feature.String() && !beside:
			c.Role, c.Why = dataset.Unused.String(), "is shown, and not compared"
		}
	}
}

// blame makes a fault of the data the problem of the profile, and returns other errors.
func (p *Profile) blame(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil || !fault.IsInput(err) {
		return err
	}
	p.Problem = err.Error()
	return nil
}

// profileTable prepares a table, which consumes it.
func (r *Recipe) profileTable(ctx context.Context, p *Profile, t *dataset.Table) error {
	if err := suspectTable(ctx, t, p); err != nil {
		return err
	}
	if what, instead := r.fewCompared(t); what != "" {
		p.Chosen = what
		p.Suspicions = append(p.Suspicions, what+instead)
	}
	m, err := r.Compared()
	if err != nil {
		return err
	}
	if m == dissim.Gower {
		d, err := r.compare(t, m)
		if err != nil {
			return err
		}
		p.Notes = append(p.Notes, d.left()...)
		p.MatrixRows, p.Features = d.N(), len(d.Objects.Gower.Columns)
		return nil
	}
	kept := r.Source
	gaps := t.Gaps() != nil && r.Missing == dataset.MissingRefuse.String()
	d, err := r.Prepare(ctx, t, !gaps)
	var refused *dataset.Gaps
	if gaps && errors.As(err, &refused) {
		// all treatments that keep rows have as many columns
		kept.Missing = dataset.MissingMean.String()
		if d, also := kept.Prepare(ctx, t, true); also == nil {
			p.Kept = &Kept{Rows: d.Ready.X.Rows, Features: d.Ready.X.Cols}
		}
	}
	if err != nil {
		return err
	}
	p.Notes, p.filled = append(p.Notes, d.Ready.Notes...), d.Ready.Filled
	p.MatrixRows, p.Features, p.Duplicates = d.Ready.X.Rows, d.Ready.X.Cols, d.Ready.Duplicates
	return nil
}

// bins is how many parts histograms have.
const bins = 8

// measure sets the histogram of a number of each object, or of sampled pairs. what is what the
// numbers are, show how they are written.
func (p *Profile) measure(what string, values []float64, show func(float64) string) {
	if len(values) == 0 {
		return
	}
	low, high, counts := histogram(values)
	p.Measured, p.Low, p.High, p.Histogram = what, show(low), show(high), counts
}

// histogram counts values, of which there are some, in equal parts of their range.
func histogram(values []float64) (low, high float64, counts []int) {
	low, high, counts = slices.Min(values), slices.Max(values), make([]int, bins)
	for _, v := range values {
		counts[bin(v, low, high)]++
	}
	return low, high, counts
}

// bin returns the part of a range that a value is in.
func bin(v, low, high float64) int {
	if !(high > low) {
		return 0
	}
	// halves, as the range may be beyond the numbers
	return max(0, min(int(bins*((v/2-low/2)/(high/2-low/2))), bins-1))
}

// fact adds a fact.
func (p *Profile) fact(name, value string) {
	p.Facts = append(p.Facts, Fact{name, value})
}

// span writes the range of some numbers, and their median.
func span(values []float64, show func(float64) string) string {
	if len(values) == 0 {
		return "none"
	}
	sorted := slices.Sorted(slices.Values(values))
	low, high := show(sorted[0]), show(sorted[len(sorted)-1])
	if low == high {
		return "all " + low
	}
	return low + " to " + high + ", median " + show(sorted[(len(sorted)-1)/2])
}

// repeated counts the values that equal an earlier one.
func repeated[T comparable](values []T) int {
	seen := make(map[T]struct{}, len(values))
	for _, v := range values {
		seen[v] = struct{}{}
	}
	return len(values) - len(seen)
}

// share writes a part of a whole in per cents.
func share(part, whole int) string {
	v := 100 * float64(part) / float64(max(1, whole))
	switch {
	case part > 0 && v < 0.1:
		return "less than 0.1 %"
	case v >= 10:
		v = math.Round(v)
	}
	return words.Round(v) + " %"
}
