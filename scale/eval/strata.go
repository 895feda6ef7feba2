package eval

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/internal/sample"
	"github.com/kindred-go/kindred/scale/shard"
)

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

// stratum returns that of a cluster.
func (s *strata) stratum(name string) (*stratum, error) {
	if t := s.of[name]; t != nil {
		return t, nil
	}
	clusters := len(s.of)
	if s.of[""] != nil {
		clusters--
	}
	if name != "" && clusters == MostSilhouetteClusters {
		return nil, fault.Inputf(
			"name a column of fewer clusters: silhouettes compare each row with all of them",
			"there are more than %d clusters, among them %q", MostSilhouetteClusters, name)
	}
	t := &stratum{Set: sample.Set{Below: s.job.Below, Least: s.job.Least}}
	s.of[name] = t
	return t, nil
}

// Sum implements [fold.Summing].
func (j *drawing) Sum() fold.Sum { return j.strata() }

// Kernel implements [fold.Summing].
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
		if name == "0" { // noise
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
	parts := make([]*strata, tableKeys)
	for name, t := range k.strata.of {
		key := keyOf(name)
		if parts[key] == nil {
			parts[key] = k.strata.job.strata()
		}
		parts[key].of[name] = t
	}
	for key, s := range parts {
		if s != nil {
			data, err := s.Bytes()
			if err != nil {
				return err
			}
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

// sent is a stratum as it is sent.
type sent struct {
	Name   string
	Rows   int64
	Sample []sample.Row
}

// Add adds strata that were encoded.
func (s *strata) Add(data []byte) error {
	list, err := fold.Decode[[]sent](data)
	if err != nil {
		return err
	}
	for _, of := range *list {
		t, err := s.stratum(of.Name)
		if err != nil {
			return err
		}
		t.rows += of.Rows
		for _, r := range of.Sample {
			t.Add(r)
		}
	}
	return nil
}

// Bytes encodes all strata, by name.
func (s *strata) Bytes() ([]byte, error) {
	var list []sent
	for _, name := range slices.Sorted(maps.Keys(s.of)) {
		list = append(list, sent{name, s.of[name].rows, s.of[name].Sorted()})
	}
	return fold.Encode(list)
}
