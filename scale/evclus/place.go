package evclus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/internal/recipe"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// placeJob is the name of the job that places rows.
const placeJob = "landmark-place"

// DefaultDoubtful is how many doubtful rows a summary names by default: 100.
const DefaultDoubtful = 100

// mergedTogether is how many splits are merged under one key, so that none sees the parts of all.
const mergedTogether = 256

func init() { fold.RegisterSum[placing](placeJob) }

// Output describes what is written of rows that are placed.
type Output struct {
	Path     string // folder for the parts; "": none are written, and there is the summary alone
	Format   string // parquet, csv or jsonl; "": parquet
	Doubtful int    // doubtful rows named in the summary; 0: [DefaultDoubtful], negative: none

	// Fitted is the fit that the model is of: its landmarks keep the masses that they were fitted,
	// which links may have moved, as `kindred cluster --landmarks` keeps them. nil: they are placed
	// like all other rows, as `kindred predict` does.
	Fitted *Result `json:"-"`
}

// placing is the job and its configuration: one placer for all kernels of a worker.
type placing struct {
	Landmarks *landmarks
	Output    Output
	Kept      []keptRow // in the order of the table

	placer *evclus.Placer
}

// landmarks are those of a model, as they travel to workers.
type landmarks struct {
	*evclus.Model
	method.Kept
}

// keptRow is a row that is not placed.
type keptRow struct {
	Number int64
	Mass   []float64
}

// Place finds the mass function of every row by the landmarks of a model, the same as `kindred
// predict` finds, writes a part for each split in the columns of `kindred cluster --out` and
// sums the rows up in the same pass (Output.Fitted excepts rows). The columns of the source and
// their preparation are those of the model. It fails with a *fault.Input for a model that has no
// landmarks among rows of numbers.
func Place(ctx context.Context, r fold.Runner, src shard.Source, sv *survey.Survey, m *method.Model,
	out Output) (*Summary, error) {
	l, err := placeable(m)
	if err != nil {
		return nil, err
	}
	src, err = recipe.Apply(src, m.Encoding)
	if err != nil {
		return nil, err
	}
	src.Label = "" // takes time to read
	out.Format = cmp.Or(out.Format, string(dataset.FormatParquet))
	out.Doubtful = max(0, cmp.Or(out.Doubtful, DefaultDoubtful))
	kept, err := keptRows(out.Fitted, l)
	if err != nil {
		return nil, err
	}
	done, err := fold.Run(ctx, r, fold.Plan{Job: placeJob, Source: src, Splits: sv.Splits},
		placing{Landmarks: l, Output: out, Kept: kept})
	if err != nil {
		return nil, err
	}
	if err := shard.Finish(ctx, out.Path, len(sv.Splits)); err != nil {
		return nil, err
	}
	var s Summary
	if err := decode(done.State, &s); err != nil {
		return nil, err
	}
	return finish(s), nil
}

// keptRows returns the landmarks of a fit with their masses.
func keptRows(fit *Result, l *landmarks) ([]keptRow, error) {
	if fit == nil {
		return nil, nil
	}
	p := fit.Outcome.Credal
	if !slices.Equal(p.Focal, l.Focal) || p.Len() != len(fit.Landmarks) {
		return nil, errors.New("landmark: the model is not of the fit that rows are to be kept of")
	}
	kept := make([]keptRow, p.Len())
	for i, row := range fit.Landmarks {
		kept[i] = keptRow{row.Number, p.Row(i)}
	}
	return kept, nil
}

// placeable returns the landmarks of a model, and refuses models that cannot place rows of numbers
// in a credal partition.
func placeable(m *method.Model) (*landmarks, error) {
	if m.Landmarks == nil {
		return nil, fault.Inputf("make one by kevclus or evclus",
			"the model of %s has no rows to find masses by", m.Method)
	}
	if o := &m.Landmarks.Objects; o.None() || !o.Metric.OfVectors() || m.Texts != nil {
		return nil, fault.Inputf("make one of a table of numbers, with a metric such as euclidean",
			"the model does not compare rows of numbers")
	}
	by, ok := m.Landmarks.By.(*evclus.Model)
	if !ok {
		return nil, errors.New("evclus: the landmarks are not those of this method")
	}
	if err := by.Check(); err != nil {
		return nil, err
	}
	if have, want := m.Encoding.Cols(), m.Landmarks.Objects.Rows.Cols; have != want {
		return nil, fault.Inputf("write it again",
			"the model has landmarks of %d values and a recipe for %d", want, have)
	}
	return &landmarks{by, m.Landmarks.Kept}, nil
}

// Ready makes the placer.
func (j *placing) Ready() error {
	if j.Landmarks == nil || j.Landmarks.Model == nil {
		return errors.New("landmark: there are no landmarks to place by")
	}
	if err := j.Landmarks.Model.Check(); err != nil {
		return err
	}
	j.placer = j.Landmarks.Placer()
	return nil
}

// Kernel implements [fold.Summing].
func (j *placing) Kernel(_ []byte, split shard.Split) (fold.Kernel, error) {
	if split.First < 0 {
		return nil, errors.New("landmark: the rows of the splits were not counted")
	}
	k := &placeKernel{job: j, split: split,
		tally: newTally(j.Landmarks.Clusters, j.Output.Doubtful)}
	from, _ := slices.BinarySearchFunc(j.Kept, split.First,
		func(r keptRow, first int64) int { return cmp.Compare(r.Number, first) })
	k.kept = j.Kept[from:]
	if j.Output.Path == "" {
		return k, nil
	}
	var err error
	if k.file, err = shard.CreateFile(context.Background(), j.Output.Path, split.Index,
		j.Output.Format); err != nil {
		return nil, err
	}
	k.writer, err = credal.NewWriter(k.file, dataset.Format(j.Output.Format), j.Landmarks.Focal,
		j.Landmarks.Clusters)
	if err != nil {
		k.file.Abort()
		return nil, err
	}
	return k, nil
}

// KernelBytes implements [fold.Heavy]: a row group that is being written, and the dissimilarities
// of a few rows.
func (j *placing) KernelBytes([]byte) int64 {
	const most, masses, places, perRow = 1 << 16, 1 << 21, 256, 64
	f, c := len(j.Landmarks.Focal), j.Landmarks.Clusters
	rows := min(most, masses/f)
	if j.Output.Path == "" {
		rows = shard.DefaultBlockRows
	}
	return int64(rows)*int64(2*8*(f+3*c)+perRow) + int64(places*j.Landmarks.Len()*4)
}

// Sum implements [fold.Summing].
func (j *placing) Sum() fold.Sum { return newTally(j.Landmarks.Clusters, j.Output.Doubtful) }

// placeKernel places the rows of a split.
type placeKernel struct {
	job    *placing
	split  shard.Split
	tally  *tally
	file   shard.File     // nil without output
	writer *credal.Writer // into file
	kept   []keptRow      // of this split and later ones, as far as they were not met
	mass   []float64      // of a block
	ids    []string       // of a block, where the source has none
}

// Block implements [fold.Kernel].
func (k *placeKernel) Block(b *shard.Block) error {
	l := k.job.Landmarks
	rows, err := l.Objects.From(method.Objects{Comparison: method.Comparison{Metric: l.Objects.Metric},
		Rows: b.X})
	if err != nil {
		return k.placed(err, b)
	}
	n, f := b.X.Rows, len(l.Focal)
	if len(k.mass) < n*f {
		k.mass = make([]float64, n*f)
	}
	p := &credal.Partition{Clusters: l.Clusters, Focal: l.Focal, Mass: k.mass[:n*f]}
	if err := k.job.placer.PlaceInto(context.Background(), p.Mass, rows, n, 1); err != nil {
		return err
	}
	k.keep(b, p)
	first := k.split.First
	k.tally.add(p, func(i int) (int64, string) { return first + b.Number(i), b.ID(i, first) })
	if k.writer == nil {
		return nil
	}
	ids := b.IDs
	if ids == nil {
		k.ids = k.ids[:0]
		for i := range n {
			k.ids = append(k.ids, b.ID(i, first))
		}
		ids = k.ids
	}
	return k.writer.WriteBlock(ids, p.Mass)
}

// keep writes the masses of the rows of a block that are not placed.
func (k *placeKernel) keep(b *shard.Block, p *credal.Partition) {
	for i := 0; i < b.X.Rows && len(k.kept) > 0; i++ {
		if k.split.First+b.Number(i) == k.kept[0].Number {
			copy(p.Row(i), k.kept[0].Mass)
			k.kept = k.kept[1:]
		}
	}
}

// placed adds where in the table a row is that a metric refuses.
func (k *placeKernel) placed(err error, b *shard.Block) error {
	if in, ok := errors.AsType[*fault.Input](err); ok && in.Row > 0 && in.Row <= b.X.Rows {
		moved := *in
		moved.Row = int(k.split.First+b.Number(in.Row-1)) + 1
		moved.Problem = fmt.Sprintf("%s (counted over all files; it is in %s)", in.Problem,
			k.split.File)
		return &moved
	}
	return err
}

// End implements [fold.Kernel].
func (k *placeKernel) End(emit func(key int64, data []byte)) error {
	data, err := k.tally.Bytes()
	if err != nil {
		return err
	}
	if k.writer != nil {
		if err := k.writer.Close(); err != nil {
			return err
		}
		if err := k.file.Close(); err != nil {
			return err
		}
	}
	emit(int64(k.split.Index/mergedTogether), data)
	return nil
}

// Close forgets a part that is not whole; after End it does nothing.
func (k *placeKernel) Close() error {
	if k.file != nil {
		k.file.Abort()
	}
	return nil
}
