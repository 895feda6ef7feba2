package input

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/data/encode/static"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
)

const (
	mostShown    = 80  // characters of a text that are examples
	mostNear     = 40  // characters of texts that are nearly equal
	mostDecoded  = 200 // pictures that are decoded to see whether they are whole
	mostUnlucky  = 3   // faulty pictures that a suspicion names
	unitLength   = 1e-3
	severalSizes = 20 // times as long as the shortest, where the longest series is suspicious
)

// objectsOf takes the texts or series that are compared out of a table, without those that are
// missing; where these are not to be left out, that is the problem.
func (r *Recipe) objectsOf(p *Profile, t *dataset.Table, c method.Comparison) (o method.Objects,
	err error) {
	if c.Missing, err = r.missing(); err != nil {
		return o, err
	}
	o, kept, err := method.ObjectsOf(t, c, nil)
	if err != nil && c.Missing != dataset.MissingDrop {
		c.Missing = dataset.MissingDrop
		var again error
		if o, _, again = method.ObjectsOf(t, c, nil); again == nil {
			p.Problem = err.Error()
			p.fact("missing", strconv.Itoa(t.Rows-o.Len()))
			return o, nil
		}
	}
	if err != nil {
		return o, err
	}
	if kept != nil {
		p.fact("missing", strconv.Itoa(t.Rows-len(kept))+", left out")
	}
	p.MatrixRows = o.Len()
	return o, nil
}

// profileTexts describes the texts of a column.
func (r *Recipe) profileTexts(ctx context.Context, p *Profile, t *dataset.Table) error {
	p.fact("texts in column", words.Short(r.Text))
	if r.found {
		p.Notes = append(p.Notes, foundTexts(t, r.Text))
		p.Chosen, _ = chosenTexts(t, r.Text)
	}
	o, err := r.objectsOf(p, t, method.Comparison{Metric: dissim.Levenshtein, Column: r.Text})
	if err != nil {
		return err
	}
	var lengths, letters []float64
	for i, text := range o.Texts {
		if err := ended(ctx, 1024, i); err != nil {
			return err
		}
		lengths = append(lengths, float64(countWords(text, math.MaxInt)))
		letters = append(letters, float64(len([]rune(text))))
		if i < mostExample {
			p.Examples = append(p.Examples, words.Cut(strings.Join(strings.Fields(text), " "), mostShown))
		}
	}
	whole := func(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }
	p.measure("words of a text", lengths, whole)
	p.Duplicates = repeated(o.Texts)
	p.fact("texts", strconv.Itoa(len(o.Texts)))
	p.fact("words of a text", span(lengths, whole))
	p.fact("characters of a text", span(letters, whole))
	p.fact("texts equal to an earlier one", strconv.Itoa(p.Duplicates))
	if n, a, b, err := nearlyEqual(ctx, o.Texts, r.Threads); err != nil {
		return err
	} else if n > 0 {
		p.fact("texts nearly equal to an earlier one", fmt.Sprintf("%d, as %q after %q", n,
			words.Cut(o.Texts[b], mostNear), words.Cut(o.Texts[a], mostNear)))
	}
	byWords, err := r.byWords()
	if err != nil {
		return err
	}
	if byWords {
		if err := r.profileEncoder(ctx, p, t); err != nil {
			return err
		}
	} else {
		p.fact("compared by", "their letters")
		p.Change = append(p.Change, "--metric cosine compares their words")
	}
	if empty := len(lengths) - countAbove(lengths, 0); empty > 0 {
		p.Suspicions = append(p.Suspicions, words.Count(empty, "text")+
			" without a letter or digit")
	}
	if 2*p.Duplicates > len(o.Texts) {
		p.Suspicions = append(p.Suspicions, share(p.Duplicates, len(o.Texts))+" of the texts "+
			"equal an earlier one: the column may hold a category, which --features "+
			words.Shell(r.Text)+" compares")
	}
	return nil
}

// profileEncoder describes how texts become vectors.
func (r *Recipe) profileEncoder(ctx context.Context, p *Profile, t *dataset.Table) error {
	s := r.Source
	if err := s.chooseEncoder(ctx, t); err != nil {
		return err
	}
	known, err := static.Known(ctx, lookedAt(t, t.Column(r.Text)))
	if err != nil {
		return err
	}
	p.fact("words of the built-in table", fmt.Sprintf("%.0f %%", 100*known))
	switch s.Encoder {
	case encode.Builtin:
		p.fact("compared by", "their meaning, as vectors of the built-in table for English")
		p.Change = append(p.Change, "--encoder lsa compares the words that they share")
	case encode.LSA:
		p.fact("compared by", "their words, as vectors")
		p.Change = append(p.Change, "--encoder builtin compares their meaning, if they are in English")
	default:
		p.fact("compared by", "vectors of "+words.Short(s.Encoder))
	}
	p.Change = append(p.Change, "--metric levenshtein compares letter by letter")
	return nil
}

// byWords reports whether texts are compared as vectors, by the method that is given or by the one
// that asks.
func (r *Recipe) byWords() (bool, error) {
	if r.MethodName == "" {
		return r.Metric == "" && r.long || r.Vectors(method.Method{Dissimilarity: true}), nil
	}
	m, err := Find(r.MethodName)
	return err == nil && r.Vectors(m), err
}

func countAbove(values []float64, limit float64) (n int) {
	for _, v := range values {
		if v > limit {
			n++
		}
	}
	return n
}

// profileSeries describes the series of a column.
func (r *Recipe) profileSeries(ctx context.Context, p *Profile, t *dataset.Table) error {
	p.fact("series in column", words.Short(r.Series))
	metric, err := r.Compared()
	if err != nil {
		return err
	}
	o, err := r.objectsOf(p, t, method.Comparison{Metric: metric, Column: r.Series})
	if err != nil {
		return err
	}
	var lengths, values []float64
	flat := 0
	sums := make([][sha256.Size]byte, len(o.Series))
	var bits []byte
	for i, s := range o.Series {
		if err := ended(ctx, 1024, i); err != nil {
			return err
		}
		lengths = append(lengths, float64(len(s)))
		low, high := slices.Min(s), slices.Max(s)
		values = append(values, low, high)
		if low == high {
			flat++
		}
		bits = bits[:0]
		for _, v := range s {
			bits = binary.LittleEndian.AppendUint64(bits, math.Float64bits(v+0)) // no minus zero
		}
		sums[i] = sha256.Sum256(bits)
		if i < mostExample {
			p.Examples = append(p.Examples, seriesText(s, 8))
		}
	}
	whole := func(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }
	p.measure("length of a series", lengths, whole)
	p.Duplicates = repeated(sums)
	p.fact("series", strconv.Itoa(len(o.Series)))
	p.fact("length of a series", span(lengths, whole))
	p.fact("values", words.Round(slices.Min(values))+" to "+words.Round(slices.Max(values)))
	p.fact("series equal to an earlier one", strconv.Itoa(p.Duplicates))
	p.fact("constant series", strconv.Itoa(flat))
	p.fact("compared by", string(metric))
	if flat > 0 {
		p.Suspicions = append(p.Suspicions, strconv.Itoa(flat)+
			" of the series have one value alone")
	}
	if low, high := slices.Min(lengths), slices.Max(lengths); high > severalSizes*low {
		p.Suspicions = append(p.Suspicions, "the longest series has "+whole(high)+
			" values and the shortest "+whole(low)+": some may be cut short")
	}
	if metric == dissim.DTW {
		p.Change = append(p.Change, "--metric cyclic-edit compares angles of outlines")
	} else {
		p.Change = append(p.Change, "--metric dtw compares series of time")
	}
	return nil
}

// seriesText writes at most so many values of a series.
func seriesText(s []float64, most int) string {
	var b strings.Builder
	for i, v := range s[:min(len(s), most)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
	}
	if len(s) > most {
		b.WriteString(", …")
	}
	return b.String()
}

// profileFolder describes a folder of pictures.
func (r *Recipe) profileFolder(ctx context.Context, place Place, name string,
	progress Progress) (*Profile, error) {
	if r.shows() {
		return nil, folderOfPictures(name)
	}
	d := &Data{source: r.Source, place: place}
	if err := d.listFolder(ctx, name); err != nil {
		return nil, err
	}
	p := &Profile{Name: d.Table.Name, Kind: KindPictures, Rows: d.Table.Rows,
		Fingerprint: d.Fingerprint(), Notes: d.notes}
	err := d.profilePictures(ctx, p, progress)
	if err == nil && r.Embedding != "" {
		p.Kind = KindEmbedding
		err = r.profileEmbedding(ctx, p, place, name, nil, progress)
	}
	return p, p.blame(ctx, err)
}

// profileImages describes the pictures that a column names.
func (d *Data) profileImages(ctx context.Context, p *Profile, name string, where Where,
	progress Progress) error {
	p.fact("pictures in column", words.Short(d.source.Images))
	if err := d.listImages(ctx, name, where); err != nil {
		return err
	}
	p.Notes = append(p.Notes, d.notes...)
	return d.profilePictures(ctx, p, progress)
}

// profilePictures looks at the files of pictures.
func (d *Data) profilePictures(ctx context.Context, p *Profile, progress Progress) error {
	looks, tried, err := d.album.Survey(ctx, d.images, mostDecoded, d.source.Threads,
		func(share float64) {
			if progress != nil {
				progress("looking at pictures", share)
			}
		})
	if err != nil {
		return err
	}
	p.Examples = d.images[:min(len(d.images), mostExample)]
	p.fact("pictures", strconv.Itoa(len(d.images)))
	folders := map[string]int{}
	for _, name := range d.images {
		folders[path.Dir(name)]++
	}
	if len(folders) > 1 {
		p.fact("folders", strconv.Itoa(len(folders)))
	}
	var formats []string
	count := map[string]int{}
	var widths, heights, sides []float64
	var sums [][32]byte
	bad := 0
	var unlucky []string
	for i, l := range looks {
		if l.Problem != "" {
			if bad++; len(unlucky) < mostUnlucky {
				unlucky = append(unlucky, d.images[i]+" "+l.Problem)
			}
			continue
		}
		if count[l.Format]++; count[l.Format] == 1 {
			formats = append(formats, l.Format)
		}
		sums = append(sums, l.Sum)
		widths, heights = append(widths, float64(l.Width)), append(heights, float64(l.Height))
		sides = append(sides, float64(max(l.Width, l.Height)))
	}
	slices.Sort(formats)
	for i, f := range formats {
		formats[i] = fmt.Sprintf("%s %d", f, count[f])
	}
	p.MatrixRows = len(sides)
	if len(sides) > 0 {
		p.fact("formats", strings.Join(formats, ", "))
		size := func(of func([]float64) float64) string {
			return fmt.Sprintf("%.0f×%.0f", of(widths), of(heights))
		}
		least, most := size(slices.Min[[]float64]), size(slices.Max[[]float64])
		if least != most {
			least += " to " + most
		} else {
			least = "all " + least
		}
		p.fact("sizes", least+" pixels")
		whole := func(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }
		p.measure("longer side of a picture, in pixels", sides, whole)
	}
	p.Duplicates = repeated(sums)
	p.fact("pictures equal to an earlier one", strconv.Itoa(p.Duplicates))
	text := "all headers, and the pixels of " + strconv.Itoa(tried)
	if tried == len(d.images) {
		text = "headers and pixels of all"
	}
	p.fact("looked at", text)
	p.fact("unreadable", strconv.Itoa(bad))
	if bad > 0 {
		p.Suspicions = append(p.Suspicions, words.Count(bad, "picture")+" cannot be read: "+
			strings.Join(unlucky, "; "))
	}
	if p.Duplicates > 0 {
		p.Suspicions = append(p.Suspicions, strconv.Itoa(p.Duplicates)+
			" of the pictures equal an earlier one")
	}
	if bad == len(d.images) {
		p.Problem = "no picture can be read"
	}
	if len(folders) > 1 && d.source.Images == "" && d.source.Label == "" {
		p.Change = append(p.Change, "--label "+folderColumn+" takes the folders as true classes")
	}
	p.Change = append(p.Change, "--embedding FILE compares vectors of another program instead")
	return nil
}

// profileEmbedding describes vectors that another program made. t is the table of the rows; nil:
// they are pictures of a folder.
func (r *Recipe) profileEmbedding(ctx context.Context, p *Profile, place Place, name string,
	t *dataset.Table, progress Progress) error {
	source := r.Source
	source.Scale, source.ColumnWeights = "", nil // the vectors as they are
	d, err := source.take(ctx, place, name, t, manner{keep: true, vectors: true}, progress)
	if err != nil {
		return err
	}
	x := d.Ready.X
	p.Notes = append(p.Notes, d.notes...)
	p.Notes = append(p.Notes, d.Ready.Notes...)
	p.MatrixRows, p.Features, p.Duplicates = x.Rows, x.Cols, d.Ready.Duplicates
	p.fact("vectors", strconv.Itoa(x.Rows))
	p.fact("numbers of a vector", strconv.Itoa(x.Cols))
	lengths := rowLengths(x)
	p.measure("length of a vector", lengths, words.Round)
	p.lengths(lengths)
	p.fact("vectors equal to an earlier one", strconv.Itoa(p.Duplicates))
	if zero := len(lengths) - countAbove(lengths, 0); zero > 0 {
		p.Suspicions = append(p.Suspicions, words.Count(zero, "vector")+
			" of length 0: it may stand for what could not be embedded")
	}
	if 2*p.Duplicates > x.Rows {
		p.Suspicions = append(p.Suspicions, share(p.Duplicates, x.Rows)+
			" of the vectors equal an earlier one")
	}
	p.Change = append(p.Change, "with --scale zscore each number of the vectors weighs the same")
	return nil
}

// lengths describes the Euclidean lengths of vectors.
func (p *Profile) lengths(values []float64) {
	text := span(values, words.Round)
	if low, high := slices.Min(values), slices.Max(values); high-low <= unitLength*high &&
		math.Abs(high-1) <= unitLength {
		text = "all 1"
	}
	p.fact("length of a vector", text)
}

// rowLengths returns the Euclidean lengths of the rows of a matrix.
func rowLengths(x dataset.Matrix) []float64 {
	lengths := make([]float64, x.Rows)
	row := make([]float64, 0, x.Cols)
	for i := range lengths {
		sum := 0.0
		row = x.AppendRow(row[:0], i)
		for _, v := range row {
			sum += float64(v * v)
		}
		lengths[i] = math.Sqrt(sum)
	}
	return lengths
}
