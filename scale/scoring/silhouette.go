package scoring

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/internal/sample"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
	"github.com/kindred-go/kindred/score"
)

const silhouetteJob = "scoring-silhouette"

// MostSilhouetteClusters bounds the sample: every cluster has some rows in it.
const MostSilhouetteClusters = 1000

func init() {
	fold.Register(silhouetteJob, func(config []byte) (fold.Job, error) {
		var j drawing
		return &j, json.Unmarshal(config, &j)
	})
}

// SilhouetteConfig sets up [Silhouette]. Its zero value works.
type SilhouetteConfig struct {
	Sample  int    // about how many rows to score among; 0: 5000; at most 50 000
	Least   int    // rows of each cluster in any case, or all it has; 0: 20; 2 to 1000
	Seed    uint64 // of the sample
	Threads int    // in this process; 0: one a processor. It never changes the result
}

// Silhouettes are those of a sample of rows, scored among themselves, and what they tell of all rows.
type Silhouettes struct {
	Mean     float64             // over all rows but noise: the means of clusters, weighted by their sizes
	Error    float64             // standard error of Mean
	Sample   int                 // rows that were scored
	Of       int64               // rows but noise
	Noise    int64               // rows of cluster 0, or without a cluster, which are left out
	Clusters []ClusterSilhouette // by name: as numbers where all are, else as texts
}

// ClusterSilhouette is what the sample tells of one cluster.
type ClusterSilhouette struct {
	Name   string
	Of     int64   // rows
	Sample int     // of them, those scored
	Mean   float64 // silhouette
	Error  float64 // standard error of Mean
}

// Silhouette scores how much nearer rows are to their own cluster than to the next, by [score.Silhouette] on a sample. The sample is
// the rows whose numbers hash lowest under the seed, and of each small cluster the lowest in any case, so that it does not depend on
// how the work is shared out; within a cluster all rows are as likely. With no more rows than the sample the result is exact.
//
// The errors are by leaving out one scored row at a time. They hold both that few rows are scored, and that few stand for those which
// distances are taken to, and go to 0 as the sample grows to the whole. The bias, as the nearest other cluster is chosen by the same
// sample, is of a lower order and not in them.
//
// Parts and columns are read as by [Compare]. It fails with a [*fault.Input] as that does, when fewer than two clusters have rows, and
// with more than [MostSilhouetteClusters]; and when ctx is done.
func Silhouette(ctx context.Context, r fold.Runner, src shard.Source, sv *survey.Survey, found Side, cfg SilhouetteConfig) (*Silhouettes, error) {
	if cfg.Sample == 0 {
		cfg.Sample = 5000
	}
	if cfg.Least == 0 {
		cfg.Least = 20
	}
	if cfg.Sample < 1 || cfg.Sample > 50_000 || cfg.Least < 2 || cfg.Least > 1000 {
		return nil, &fault.Input{Problem: fmt.Sprintf("a sample of %d rows, and %d of each cluster, asked for", cfg.Sample, cfg.Least),
			Mend: "ask for up to 50000, and for 2 to 1000, or 0 for the defaults"}
	}
	if found == (Side{}) {
		found.Column = src.Label
	}
	src.Label = ""
	if slices.Contains(src.Columns, found.Column) && found.Folder == "" {
		return nil, &fault.Input{Column: found.Column, Problem: "is one of the features", Mend: "leave it out of them (--drop " + found.Column + ")"}
	}
	j := drawing{Columns: len(src.Columns), Below: sample.Below(int64(cfg.Sample), sv.Rows), Least: cfg.Least, Seed: cfg.Seed}
	var err error
	if j.Found, err = found.plan(ctx, &src, len(sv.Splits)); err != nil {
		return nil, err
	}
	config, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	out, err := r.Rounds(ctx, fold.Plan{Name: silhouetteJob, Job: silhouetteJob, Config: config, Source: src, Splits: sv.Splits})
	if err != nil {
		return nil, err
	}
	drawn := j.strata()
	if err := drawn.addBytes(out.State); err != nil {
		return nil, err
	}
	return drawn.score(ctx, cfg)
}

// drawing is the job: it draws rows by cluster.
type drawing struct {
	Found   reading
	Columns int // d
	Below   uint64
	Least   int
	Seed    uint64
}

// strata is a sample by cluster.
type strata struct {
	job *drawing
	of  map[string]*stratum
}

type stratum struct {
	rows int64 // in the cluster
	sample.Set
}

func (j *drawing) strata() *strata { return &strata{job: j, of: map[string]*stratum{}} }

// stratum gives that of a cluster.
func (s *strata) stratum(name string) (*stratum, error) {
	if t := s.of[name]; t != nil {
		return t, nil
	}
	if len(s.of) > MostSilhouetteClusters { // one is noise
		return nil, &fault.Input{Problem: fmt.Sprintf("there are more than %d clusters, among them %q", MostSilhouetteClusters, name),
			Mend: "name a column of fewer clusters: silhouettes compare each row with all of them"}
	}
	t := &stratum{Set: sample.Set{Below: s.job.Below, Least: s.job.Least}}
	s.of[name] = t
	return t, nil
}

// noise is the name of clusters that are none.
func noise(name string) bool { return name == "" || name == "0" }

// Kernel implements [fold.Job].
func (j *drawing) Kernel(_ []byte, split shard.Split) (fold.Kernel, error) {
	if split.First < 0 {
		return nil, fmt.Errorf("scoring: split %d was not counted", split.Index)
	}
	found, err := j.Found.open(split)
	return &drawKernel{found: found, strata: j.strata(), first: split.First}, err
}

type drawKernel struct {
	found  *reader
	strata *strata
	first  int64
	row    []float64
}

// Block implements [fold.Kernel].
func (k *drawKernel) Block(b *shard.Block) error {
	for i := range b.X.Rows {
		name, err := k.found.label(b, i)
		if err != nil {
			return err
		}
		if noise(name) {
			name = ""
		}
		t, err := k.strata.stratum(name)
		if err != nil {
			return err
		}
		t.rows++
		number := k.first + b.Number(i)
		if key := sample.Key(k.strata.job.Seed, number); name != "" && t.Wants(key) {
			k.row = b.X.AppendRow(k.row[:0], i)
			t.Add(sample.Row{Key: key, Number: number, Values: k.row[:k.strata.job.Columns]})
		}
	}
	return nil
}

// End implements [fold.Kernel].
func (k *drawKernel) End(emit func(key int64, data []byte)) error {
	if err := k.found.end(); err != nil {
		return err
	}
	parts := make([][]byte, tableKeys)
	for _, name := range slices.Sorted(maps.Keys(k.strata.of)) {
		h := fnv.New32a()
		h.Write([]byte(name))
		key := h.Sum32() % tableKeys
		parts[key] = k.strata.of[name].append(parts[key], name)
	}
	for key, data := range parts {
		if data != nil {
			emit(int64(key), data)
		}
	}
	return nil
}

// Close lets go of a part, also of a split that failed.
func (k *drawKernel) Close() error {
	k.found.Close()
	return nil
}

// append writes a stratum.
func (t *stratum) append(to []byte, name string) []byte {
	to = binary.AppendUvarint(to, uint64(len(name)))
	to = append(to, name...)
	to = binary.AppendUvarint(to, uint64(t.rows))
	rows := t.AppendRows(nil)
	to = binary.AppendUvarint(to, uint64(len(rows)))
	return append(to, rows...)
}

// addBytes adds strata that were written one after the other.
func (s *strata) addBytes(data []byte) error {
	number := func() (uint64, bool) {
		v, n := binary.Uvarint(data)
		data = data[max(n, 0):]
		return v, n > 0
	}
	for len(data) > 0 {
		n, ok := number()
		if !ok || n > uint64(len(data)) {
			return errNoSample
		}
		name := string(data[:n])
		data = data[n:]
		rows, ok := number()
		size, also := number()
		if !ok || !also || size > uint64(len(data)) {
			return errNoSample
		}
		t, err := s.stratum(name)
		if err != nil {
			return err
		}
		t.rows += int64(rows)
		if err := t.AddRows(data[:size], s.job.Columns); err != nil {
			return err
		}
		data = data[size:]
	}
	return nil
}

var errNoSample = fmt.Errorf("scoring: these bytes are no sample by cluster")

// bytes writes all strata, by name.
func (s *strata) bytes() []byte {
	var to []byte
	for _, name := range slices.Sorted(maps.Keys(s.of)) {
		to = s.of[name].append(to, name)
	}
	return to
}

// Merge implements [fold.Job].
func (j *drawing) Merge(_ []byte, _ int64, parts []fold.Part) ([]byte, error) {
	s := j.strata()
	for _, p := range parts {
		if err := s.addBytes(p.Data); err != nil {
			return nil, err
		}
	}
	return s.bytes(), nil
}

// Next implements [fold.Job].
func (j *drawing) Next(_ []byte, merged []fold.Merged) ([]byte, bool, error) {
	s := j.strata()
	for _, m := range merged {
		if err := s.addBytes(m.Data); err != nil {
			return nil, false, err
		}
	}
	return s.bytes(), true, nil
}

// score scores the sample.
func (s *strata) score(ctx context.Context, cfg SilhouetteConfig) (*Silhouettes, error) {
	out := &Silhouettes{}
	if t := s.of[""]; t != nil {
		out.Noise = t.rows
		delete(s.of, "")
	}
	names := slices.Sorted(maps.Keys(s.of))
	number := numbers(names)
	place := make(map[string]int, len(names))
	for i, name := range names {
		place[name] = number[i]
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(place[a], place[b]) })
	x := dataset.Matrix{Cols: s.job.Columns}
	var labels []int // position of the cluster, from 1
	for i, name := range names {
		t := s.of[name]
		out.Of += t.rows
		for _, r := range t.Sorted() {
			x.F64 = append(x.F64, r.Values...)
			labels = append(labels, i+1)
		}
	}
	x.Rows, out.Sample = len(labels), len(labels)
	scored, err := score.Silhouette(ctx, x, labels, score.SilhouetteConfig{Sample: max(1, x.Rows), Threads: cfg.Threads})
	if err != nil {
		return nil, err
	}
	k, end := jackknife{x: x, values: scored.Values}, 0
	for i, c := range scored.Clusters {
		k.starts, k.of = append(k.starts, end), append(k.of, s.of[names[i]].rows)
		end += c.Objects
	}
	k.starts = append(k.starts, end)
	each, all, err := k.errors(ctx, cfg.Threads)
	if err != nil {
		return nil, err
	}
	out.Error = all
	for i, c := range scored.Clusters {
		out.Mean += float64(float64(k.of[i]) / float64(out.Of) * c.Mean)
		out.Clusters = append(out.Clusters, ClusterSilhouette{Name: names[i], Of: k.of[i], Sample: c.Objects, Mean: c.Mean, Error: each[i]})
	}
	return out, nil
}
