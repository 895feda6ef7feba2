package competitive

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
)

// learnJob is the name of the job that learns.
const learnJob = "online-learn"

func init() { fold.RegisterJSON[learning](learnJob) }

// What random numbers are drawn for: streams of one seed.
const (
	ordering = 1 << 62 // of rows; the split and the pass are added
	turning  = 2 << 62 // of splits; the pass is added
	delaying = 3 << 62 // of periods that take long; the learner is added
)

// learning is the configuration of the job.
type learning struct {
	Config   competitive.Config
	Columns  []string
	Splits   int
	Learners int // 0: as many as splits
	Passes   int
	Linked   []linkedRow
	Ties     []tie

	partners map[int64][]competitive.Partner // by the number of a row in the table
	places   *places
}

// Ready finds the partners of rows.
func (l *learning) Ready() error {
	l.partners = partners(l.Ties,
		func(at int) (int64, []float64) { return l.Linked[at].Number, l.Linked[at].Values })
	l.places = &places{}
	return nil
}

// places is the order in which splits take turns, kept for a pass.
type places struct {
	sync.Mutex
	pass int
	of   []int // the place of each split
}

// partners returns the partners of each row that links name, in the order of the links: row returns
// the number and the values of one by its place.
func partners(links []tie, row func(at int) (int64, []float64)) map[int64][]competitive.Partner {
	of := map[int64][]competitive.Partner{}
	for _, l := range links {
		for _, end := range [2][2]int{{l.A, l.B}, {l.B, l.A}} {
			number, _ := row(end[0])
			_, values := row(end[1])
			of[number] = append(of[number],
				competitive.Partner{Row: values, Kind: l.Kind, Confidence: l.Confidence})
		}
	}
	return of
}

// atOnce returns how many splits are learnt at the same time.
func (l learning) atOnce() int {
	return min(cmp.Or(l.Learners, l.Splits), l.Splits)
}

// turns returns the number of rounds in a pass.
func (l learning) turns() int { return (l.Splits + l.atOnce() - 1) / l.atOnce() }

// turn reports whether a split is learnt in a round. Splits take turns in an order drawn anew for
// each pass, as rows that are alike often lie in one file.
func (l learning) turn(round, split int) bool {
	turns := l.turns()
	if turns == 1 {
		return true
	}
	p := l.places
	p.Lock()
	defer p.Unlock()
	if pass := round / turns; p.of == nil || p.pass != pass {
		p.pass, p.of = pass,
			rand.New(rand.NewPCG(l.Config.Seed, turning+uint64(pass))).Perm(l.Splits)
	}
	return p.of[split]/l.atOnce() == round%turns
}

// chunk returns the number of prototypes that are merged together: enough to be worth a message,
// few enough to be spread.
func (l learning) chunk() int { return max(1, min(l.Config.Clusters, (1<<14)/len(l.Columns))) }

// Kernel implements [fold.Job]. It returns nil for splits that are not of the round.
func (l learning) Kernel(state []byte, split shard.Split) (fold.Kernel, error) {
	at, err := decodeProgress(state)
	if err != nil || !l.turn(at.Round, split.Index) {
		return nil, err
	}
	part, err := competitive.NewPart(l.Config, len(l.Columns), at.Shared)
	if err != nil {
		return nil, err
	}
	return &learner{learning: l, split: split, part: part,
		rng: shuffler(l.Config.Seed, split.Index, at.Round/l.turns())}, nil
}

// shuffler returns the random numbers that order the rows of a split in a pass.
func shuffler(seed uint64, split, pass int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, ordering+uint64(split)<<20+uint64(pass)))
}

// shuffled puts the numbers from 0 to n in an order drawn at random.
func shuffled(order []int, n int, rng *rand.Rand) []int {
	order = order[:0]
	for i := range n {
		order = append(order, i)
	}
	rng.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

// KernelBytes implements [fold.Heavy].
func (l learning) KernelBytes([]byte) int64 {
	return int64(6 * 8 * l.Config.Clusters * (len(l.Columns) + 8))
}

// learner learns the rows of a split.
type learner struct {
	learning
	split shard.Split
	part  *competitive.Part
	rng   *rand.Rand
	order []int
	row   []float64
}

// Block implements [fold.Kernel].
func (k *learner) Block(b *shard.Block) error {
	k.order = shuffled(k.order, b.X.Rows, k.rng)
	for _, i := range k.order {
		k.row = b.X.AppendRow(k.row[:0], i)
		var with []competitive.Partner
		if len(k.partners) > 0 {
			with = k.partners[k.split.First+b.Number(i)]
		}
		if _, err := k.part.Learn(k.row, with); err != nil {
			return k.placed(err, k.split.First+b.Number(i))
		}
	}
	return nil
}

// placed adds to a fault in a row where the row is: what its number is in its file is not known of
// texts that are read in pieces.
func (k *learner) placed(err error, number int64) error {
	in := (*fault.Input)(nil)
	if err = inColumn(err, k.Columns); errors.As(err, &in) {
		in.File, in.Problem = k.split.File,
			fmt.Sprintf("row %d of the table: %s", number+1, in.Problem)
	}
	return err
}

// inColumn names the column that a fault is in, which package competitive numbers from 1.
func inColumn(err error, columns []string) error {
	in := (*fault.Input)(nil)
	if !errors.As(err, &in) {
		return err
	}
	named := *in
	if c, err := strconv.Atoi(in.Column); err == nil && c >= 1 && c <= len(columns) {
		named.Column = columns[c-1]
	}
	return &named
}

// End implements [fold.Kernel]: a key holds some of the prototypes.
func (k *learner) End(emit func(key int64, data []byte)) error {
	share := k.part.Share()
	for lo, key := 0, int64(0); lo < k.Config.Clusters; lo, key = lo+k.chunk(), key+1 {
		emit(key, encodeShare(share.Cut(lo, min(k.Config.Clusters, lo+k.chunk()))))
	}
	return nil
}

// Merge implements [fold.Job]: it averages some of the prototypes.
func (l learning) Merge(_ []byte, _ int64, parts []fold.Part) ([]byte, error) {
	var shares []competitive.Share
	err := fold.Each(parts, func(data []byte) error {
		s, err := decodeShare(data)
		shares = append(shares, s)
		return err
	})
	if err != nil {
		return nil, err
	}
	return encodeShare(competitive.Average(shares)), nil
}

// Next implements [fold.Job].
func (l learning) Next(state []byte, merged []fold.Merged) (next []byte, done bool, err error) {
	at, err := decodeProgress(state)
	if err != nil {
		return nil, false, err
	}
	var all competitive.Share
	for i, m := range merged {
		s, err := decodeShare(m.Data)
		if err != nil {
			return nil, false, err
		}
		if i == 0 {
			all.Rows, all.Squared = s.Rows, s.Squared // every key has those of all learners
		}
		all.Prototypes = append(all.Prototypes, s.Prototypes...)
		all.Wins = append(all.Wins, s.Wins...)
		all.Nearest = append(all.Nearest, s.Nearest...)
	}
	if len(all.Wins) != l.Config.Clusters {
		return nil, false, fmt.Errorf("online: %d prototypes came back where there are %d",
			len(all.Wins), l.Config.Clusters)
	}
	at.advance(all, l.turns())
	return at.encode(), at.Round == l.Passes*l.turns(), nil
}
