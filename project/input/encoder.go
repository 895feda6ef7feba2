package input

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/data/encode/static"
	"github.com/kindred-go/kindred/data/lsa"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
)

// chooseEncoder sets the encoder of the texts of a table where none is given: that which is built
// in, and latent semantic analysis where the texts are not in English, or a number of dimensions is
// given.
func (s *Source) chooseEncoder(ctx context.Context, t *dataset.Table) error {
	column := -1
	if t != nil {
		column = t.Column(s.Text)
	}
	if s.Encoder != "" || s.Text == "" || column < 0 || s.Embedding != "" {
		return nil
	}
	s.usualEncoder = true
	if s.Plain {
		s.Encoder = encode.LSA
		return nil
	}
	known, err := static.Known(ctx, lookedAt(t, column))
	if err != nil {
		return err
	}
	s.Encoder = encode.Builtin
	if known < static.English || s.Dimensions > 0 {
		s.Encoder = encode.LSA
	}
	return nil
}

// encoderGiven reports whether somebody chose an encoder, so that texts are to become vectors.
func (s *Source) encoderGiven() bool { return s.Encoder != "" && !s.usualEncoder }

// mixed reports whether vectors of a column of texts or pictures stand beside other features.
func (s *Source) mixed() bool {
	return (s.Text == "") != (s.Images == "") && len(s.Features) > 0 && s.Embedding == "" &&
		s.Metric == "" && s.Vectors == "" && !s.strict() && !s.apart
}

// CheckTexts checks the settings of texts. Errors are a [fault.Setting].
func (s *Source) CheckTexts() error {
	if err := checkEncoder(s.Encoder); err != nil {
		return err
	}
	return s.checkMixed()
}

// checkMixed returns a [fault.Setting] where the column of texts or pictures is among the features,
// too: it would be compared twice.
func (s *Source) checkMixed() error {
	column, flag := s.Text, "--text"
	if column == "" {
		column, flag = s.Images, "--images"
	}
	if !s.mixed() || !slices.Contains(s.Features, column) {
		return nil
	}
	name := words.Short(column)
	return fault.Settingf("--features names %s, which %s compares: leave %[1]s out of --features",
		name, flag)
}

// lookedAt returns texts of a column, spread evenly.
func lookedAt(t *dataset.Table, column int) (texts []string) {
	step := max(1, t.Rows/maxLook)
	for i := 0; i < t.Rows; i += step {
		if cell := t.Cell(i, column); !dataset.IsMissing(cell) {
			texts = append(texts, cell[:min(len(cell), maxLooked)])
		}
	}
	return texts
}

// maxLooked bounds what is looked at of a text, in bytes.
const maxLooked = 1 << 14

// encodeTexts makes vectors of the texts of the rows by the encoder of the settings.
func (d *Data) encodeTexts(ctx context.Context, progress Progress) (dataset.Matrix, error) {
	s := &d.source
	made := func(x dataset.Matrix, of string) {
		d.made = fmt.Sprintf("texts in %s, as %s of %s", s.Text, words.Count(x.Cols, "dimension"), of)
	}
	switch s.Encoder {
	case encode.LSA:
		model, x, err := lsa.Fit(ctx, d.texts,
			lsa.Config{Dimensions: s.Dimensions, Threads: s.Threads, Progress: progress})
		if err != nil {
			return dataset.Matrix{}, err
		}
		d.Words = model
		made(x, "latent semantic analysis")
		d.notes = append(d.notes, model.Notes()...)
		return x, d.noteLanguage(ctx)
	case encode.Builtin:
		most, err := static.Dimensions()
		if err != nil {
			return dataset.Matrix{}, err
		}
		if s.Dimensions > most {
			return dataset.Matrix{}, fault.Settingf("--dimensions %d: the built-in vectors have %d; "+
				"ask for up to those, or give --encoder lsa", s.Dimensions, most)
		}
		e, x, err := static.Fit(ctx, d.texts, s.Dimensions, encode.Options{Threads: s.Threads,
			Progress: progress})
		if err != nil {
			return dataset.Matrix{}, err
		}
		id := e.Identity()
		d.Encoder = &id
		made(x, "the built-in table for English")
		d.notes = append(d.notes, "texts are compared by their meaning (--encoder builtin): "+
			"--encoder lsa compares them by the words that they share")
		if zero := emptyRows(x); zero > 0 {
			d.notes = append(d.notes, words.Count(zero, "text")+
				" without any word in use: those are all alike")
		}
		return x, d.noteLanguage(ctx)
	}
	if s.Dimensions != 0 {
		return dataset.Matrix{}, fault.Setting("--dimensions is for the encoders builtin and lsa: " +
			"the vectors of others are taken whole")
	}
	e, err := s.openOutside(ctx, d.place, encode.Identity{Name: s.Encoder})
	if err != nil {
		return dataset.Matrix{}, err
	}
	x, err := e.Encode(ctx, d.texts, encode.Options{Threads: s.Threads, Progress: progress})
	if err != nil {
		return dataset.Matrix{}, err
	}
	id := e.Identity()
	d.Encoder = &id
	made(x, "the encoder "+words.Cut(s.Encoder, 60))
	d.notes = append(d.notes, encoderNotes(e)...)
	return x, nil
}

// noteLanguage notes where the texts seem to be in another language than English.
func (d *Data) noteLanguage(ctx context.Context) error {
	column := d.Table.Column(d.source.Text)
	if column < 0 {
		return nil
	}
	known, err := static.Known(ctx, lookedAt(d.Table, column))
	if err != nil || known >= static.English {
		return err
	}
	share := int(math.Round(100 * known))
	if d.source.Encoder == encode.Builtin {
		d.notes = append(d.notes, fmt.Sprintf("the built-in table knows %d %% of the words: for "+
			"texts in other languages than English --encoder lsa is better", share))
	} else if !d.source.Plain {
		d.notes = append(d.notes, fmt.Sprintf("the texts are hardly in English (%d %% of their "+
			"words are known), so that they are compared by the words that they share", share))
	}
	return nil
}

// emptyRows counts the rows that are 0.
func emptyRows(x dataset.Matrix) (n int) {
rows:
	for i := range x.Rows {
		for _, v := range x.F32[i*x.Cols:][:x.Cols] {
			if v != 0 {
				continue rows
			}
		}
		n++
	}
	return n
}

// encodeAs makes vectors of texts by the encoder that a model was made with.
func (s *Source) encodeAs(ctx context.Context, place Place, id encode.Identity, texts []string,
	progress Progress) (dataset.Matrix, error) {
	var e encode.Encoder
	var err error
	if id.Name == encode.Builtin {
		e, err = static.Restore(id)
	} else {
		e, err = s.openAgain(ctx, place, id)
	}
	if err != nil {
		return dataset.Matrix{}, err
	}
	return e.Encode(ctx, texts, encode.Options{Threads: s.Threads, Progress: progress})
}
