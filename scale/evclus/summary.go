package evclus

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
)

// Bins is the number of bins of [Summary.Histogram].
const Bins = 20

// Summary reports what became of all rows of a credal partition.
type Summary struct {
	Rows int64 `json:"rows"`
	// N*: the mean nonspecificity over log2 c, in [0, 1]; 0 with one cluster
	Nonspecificity float64 `json:"nonspecificity"`
	// rows by N(m)/log2 c in [0, 1], in [Bins] bins of one width; 1 is in the last
	Histogram []int64 `json:"histogram"`
	// rows that may belong to several clusters, outliers and weak members of one aside
	Ambiguous int64 `json:"ambiguous"`
	Outliers  int64 `json:"outliers"` // rows whose m(∅) exceeds every other mass
	// of them, those of m(∅) = 1: they are in no cluster, not even the most plausible one
	Nowhere  int64     `json:"nowhere"`
	Clusters []Cluster `json:"clusters"`
	// the ambiguous rows of the highest nonspecificity, in order of table on a tie
	Doubtful []Doubt `json:"doubtful"`
}

// Cluster reports what became of a cluster. Means are of the rows whose most plausible cluster it
// is, and 0 without any.
type Cluster struct {
	Size  int64 `json:"size"`  // rows whose most plausible cluster it is
	Lower int64 `json:"lower"` // rows in its lower approximation: surely in it
	// rows in its upper approximation: possibly in it, as in the column upper
	Upper int64 `json:"upper"`
	// of Size, those that may belong to other clusters, outliers aside
	Ambiguous      int64   `json:"ambiguous"`
	Outliers       int64   `json:"outliers"`       // of Size
	Nonspecificity float64 `json:"nonspecificity"` // mean N(m), in bits
	Empty          float64 `json:"empty"`          // mean m(∅)
}

// Doubt is a row that may belong to several clusters.
type Doubt struct {
	Number         int64     `json:"row"` // from 0, over all files
	ID             string    `json:"id"`
	Cluster        int       `json:"cluster"`        // the most plausible, from 1
	May            []int     `json:"may"`            // clusters that may be its own, from 1
	Nonspecificity float64   `json:"nonspecificity"` // N(m), in bits
	Masses         []float64 `json:"masses"`         // in the order of the model's focal sets
}

// tally is a summary under way: means are still sums.
type tally struct {
	Summary
	most int // doubtful rows to keep
}

func newTally(clusters, most int) *tally {
	return &tally{Summary: Summary{Histogram: make([]int64, Bins),
		Clusters: make([]Cluster, clusters), Doubtful: []Doubt{}}, most: most}
}

// add counts the rows of a partition; row returns the number and the id of one.
func (t *tally) add(p *credal.Partition, row func(i int) (number int64, id string)) {
	rough, labels, doubts := p.Rough(), p.Hard(belief.MaxPlausibility), p.Nonspecificities()
	whole := math.Log2(float64(p.Clusters))
	empty := slices.Index(p.Focal, 0)
	t.Rows += int64(p.Len())
	for i, label := range labels {
		t.Nonspecificity += doubts[i]
		bin := 0
		if whole > 0 {
			bin = max(0, min(Bins-1, int(doubts[i]/whole*Bins)))
		}
		t.Histogram[bin]++
		for k := range p.Clusters {
			if rough.Upper[i].Has(k) {
				t.Clusters[k].Upper++
			}
			if rough.Lower(i).Has(k) {
				t.Clusters[k].Lower++
			}
		}
		outlier, ambiguous := rough.Outlier[i], rough.Ambiguous(i)
		if outlier {
			t.Outliers++
		}
		if label == 0 {
			t.Nowhere++
			continue
		}
		of := &t.Clusters[label-1]
		of.Size++
		of.Nonspecificity += doubts[i]
		if empty >= 0 {
			of.Empty += p.Row(i)[empty]
		}
		if outlier {
			of.Outliers++
		}
		if ambiguous {
			t.Ambiguous++
			of.Ambiguous++
			number, id := row(i)
			t.doubt(Doubt{Number: number, ID: id, Cluster: label, Nonspecificity: doubts[i]},
				rough.Upper[i], p.Row(i))
		}
	}
}

// byDoubt is the order of doubtful rows, the most doubtful first.
func byDoubt(a, b Doubt) int {
	return cmp.Or(cmp.Compare(b.Nonspecificity, a.Nonspecificity), cmp.Compare(a.Number, b.Number))
}

// doubt keeps a row if it is among the most doubtful. Rows are kept in a heap with the least
// doubtful in front.
func (t *tally) doubt(d Doubt, may belief.Set, masses []float64) {
	h := t.Doubtful
	if len(h) == t.most && (t.most == 0 || byDoubt(d, h[0]) > 0) {
		return
	}
	for k := range belief.MaxClusters {
		if may.Has(k) {
			d.May = append(d.May, k+1)
		}
	}
	d.Masses = slices.Clone(masses)
	if len(h) < t.most {
		t.Doubtful = append(h, d)
		if len(t.Doubtful) == t.most { // now it is full, and a heap: sorted is one
			slices.SortFunc(t.Doubtful, func(a, b Doubt) int { return byDoubt(b, a) })
		}
		return
	}
	h[0] = d
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && byDoubt(h[child+1], h[child]) > 0 {
			child++
		}
		if byDoubt(h[i], h[child]) >= 0 {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}

// join adds the summary, of sums, of rows that come later.
func (t *tally) join(o Summary) {
	t.Rows += o.Rows
	t.Nonspecificity += o.Nonspecificity
	t.Ambiguous += o.Ambiguous
	t.Outliers += o.Outliers
	t.Nowhere += o.Nowhere
	for b, n := range o.Histogram {
		t.Histogram[b] += n
	}
	for k, c := range o.Clusters {
		of := &t.Clusters[k]
		of.Size += c.Size
		of.Lower += c.Lower
		of.Upper += c.Upper
		of.Ambiguous += c.Ambiguous
		of.Outliers += c.Outliers
		of.Nonspecificity += c.Nonspecificity
		of.Empty += c.Empty
	}
	all := append(t.Doubtful, o.Doubtful...)
	slices.SortFunc(all, byDoubt)
	t.Doubtful = all[:min(t.most, len(all))]
}

// Add adds a summary that a worker sent.
func (t *tally) Add(data []byte) error {
	var s Summary
	if err := decode(data, &s); err != nil {
		return err
	}
	t.join(s)
	return nil
}

// Bytes encodes the summary so far, with sums for means.
func (t *tally) Bytes() ([]byte, error) {
	slices.SortFunc(t.Doubtful, byDoubt)
	return json.Marshal(t.Summary)
}

// finish makes means of the sums.
func finish(s Summary) *Summary {
	if n, c := s.Rows, len(s.Clusters); n > 0 && c > 1 {
		s.Nonspecificity = s.Nonspecificity / float64(n) / math.Log2(float64(c))
	} else {
		s.Nonspecificity = 0
	}
	for k := range s.Clusters {
		if of := &s.Clusters[k]; of.Size > 0 {
			of.Nonspecificity /= float64(of.Size)
			of.Empty /= float64(of.Size)
		}
	}
	return &s
}
