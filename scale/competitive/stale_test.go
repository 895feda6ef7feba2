package competitive

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
)

// Learners that wait for each other after each pass are what the splits of a table come to, to the
// bit: there they are read from files and averaged by a job, here a server takes them one by
// one.
func TestStalenessNoneIsAveraging(t *testing.T) {
	t.Parallel()
	const n, passes = 330, 3
	x := groups(n)
	links, numbered := some(n)
	for _, files := range []int{1, 2, 5} {
		src, sv := lay(t, x, files, 1000, 25)
		for _, rule := range []competitive.Rule{competitive.CRPCL, competitive.OLCVQE} {
			learn := competitive.Config{Rule: rule, Clusters: 4, Seed: 11}
			want, err := Fit(t.Context(), fold.Local{}, src, sv,
				Config{Config: learn, Links: links, Passes: passes})
			if err != nil {
				t.Fatal(err)
			}
			got, err := simulate(t.Context(), x,
				game{Config: learn, Links: numbered, Learners: files, Block: 25, Passes: passes,
					Uneven: 2, Stragglers: 0.2, Exchange: 3, Looks: 7})
			if err != nil {
				t.Fatal(err)
			}
			end := got.Looks[len(got.Looks)-1].Shared
			if !slices.Equal(end.Prototypes, want.Prototypes.F64) ||
				!slices.Equal(end.Wins, want.Wins) || end.Rows != n*passes {
				t.Errorf("%v, %d learners: prototypes at %v, averaged %v", rule, files,
					end.Prototypes, want.Prototypes.F64)
			}
			if sum := want.Trace[0] + want.Trace[1] +
				want.Trace[2]; math.Abs(got.Squared-sum) > 1e-9*sum {
				t.Errorf("%v, %d learners: a squared error of %v, averaged %v", rule, files,
					got.Squared, sum)
			}
		}
	}
}

// Two learners of four rows each, two a period: 2 for the first period's rows, 1 to send and, where
// the copy will not do, 1 to ask, and 2 for the others'.
func TestTimeByHand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		staleness int
		straggle  float64
		time      float64
		asked     int
	}{{0, 0, 6, 2}, {1, 0, 5, 0}, {-1, 0, 6, 2}, {0, 1, 22, 2}} {
		got, err := simulate(t.Context(), groups(8),
			game{Config: competitive.Config{Clusters: 2}, Learners: 2, Period: 2,
				Staleness: c.staleness, Stragglers: c.straggle, Exchange: 1})
		if err != nil {
			t.Fatal(err)
		}
		if end := got.Looks[len(got.Looks)-1]; end.Time != c.time || got.Asked != c.asked ||
			got.Waited != 0 {
			t.Errorf("staleness %d: until %v, asked %d times, waited %v; want %v and %d times",
				c.staleness, end.Time, got.Asked, got.Waited, c.time, c.asked)
		}
	}
}

// One prototype at 10. The first learner goes by 4 with three wins: what the other won is not known
// and taken to be as much, so half of it counts. The other then goes by −4, by one win of four.
func TestServerByHand(t *testing.T) {
	t.Parallel()
	s := server{learners: 2,
		at: competitive.Shared{Prototypes: competitive.Floats{10}, Wins: competitive.Floats{1},
			Nearest: competitive.Floats{0}}, latest: make([]*competitive.Share, 2)}
	send := func(learner int, to, wins float64) {
		s.take(learner, competitive.Floats{10},
			competitive.Share{Rows: int64(wins), Prototypes: competitive.Floats{to},
				Wins: competitive.Floats{wins}, Nearest: competitive.Floats{wins}})
	}
	send(0, 14, 3)
	if at := s.read().at; at.Prototypes[0] != 12 {
		t.Errorf("a look finds %v", at.Prototypes)
	}
	if at := s.ask(); at.Prototypes[0] != 12 || at.Wins[0] != 4 || at.Rows != 3 {
		t.Errorf("after the first %+v", at)
	}
	send(1, 6, 1)
	if at := s.ask(); at.Prototypes[0] != 11 || at.Wins[0] != 5 || at.Rows != 4 {
		t.Errorf("after the second %+v", at)
	}
}

// Whatever the speeds: every row is learnt, nobody goes on from what is older than allowed, no
// prototype leaves the data by much where none is driven off, and the same game has the same end.
func TestGamesHold(t *testing.T) {
	t.Parallel()
	x := groups(200)
	rapid.Check(t, func(t *rapid.T) {
		g := game{
			Config: competitive.Config{
				Rule: rapid.SampledFrom([]competitive.Rule{competitive.OLCVQE,
					competitive.WinnerTakeAll, competitive.FrequencySensitive}).Draw(t, "rule"),
				Clusters: 3, Seed: rapid.Uint64().Draw(t, "seed")},
			Learners:   rapid.IntRange(1, 12).Draw(t, "learners"),
			Period:     rapid.IntRange(0, 30).Draw(t, "period"),
			Passes:     rapid.IntRange(1, 4).Draw(t, "passes"),
			Staleness:  rapid.IntRange(-1, 6).Draw(t, "staleness"),
			Uneven:     rapid.Float64Range(0, 10).Draw(t, "uneven"),
			Stragglers: rapid.Float64Range(0, 1).Draw(t, "stragglers"),
			Exchange:   rapid.Float64Range(0, 50).Draw(t, "exchange"),
			Looks:      rapid.IntRange(0, 5).Draw(t, "looks"),
		}
		got, err := simulate(t.Context(), x, g)
		if err != nil {
			t.Fatal(err)
		}
		end := got.Looks[len(got.Looks)-1]
		if end.Rows != int64(200*g.Passes) || end.Shared.Rows != end.Rows ||
			len(got.Looks) > max(1, g.Looks) {
			t.Fatalf("%d rows learnt, %d by the server, %d looks", end.Rows, end.Shared.Rows,
				len(got.Looks))
		}
		if g.Staleness >= 0 && got.Oldest > g.Staleness {
			t.Fatalf("a learner went on from what was %d periods old", got.Oldest)
		}
		if g.Staleness < 0 && got.Waited != 0 {
			t.Fatalf("learners waited for %v", got.Waited)
		}
		for _, v := range end.Shared.Prototypes {
			if !(v > -12 && v < 20) {
				t.Fatalf("a prototype at %v", end.Shared.Prototypes)
			}
		}
		again, err := simulate(t.Context(), x, g)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, again) {
			t.Fatal("another end by the same game")
		}
	})
}

// Learners of uneven speeds wait less, and are done sooner, the staler they may be.
func TestStalenessSavesWaiting(t *testing.T) {
	t.Parallel()
	waited, until := math.Inf(1), math.Inf(1)
	for _, s := range []int{0, 1, 4, 16} {
		got, err := simulate(t.Context(), groups(2000),
			game{Config: competitive.Config{Clusters: 3}, Learners: 8, Period: 5, Staleness: s,
				Uneven: 0.1, Stragglers: 0.2, Exchange: 1})
		if err != nil {
			t.Fatal(err)
		}
		end := got.Looks[len(got.Looks)-1].Time
		if got.Waited >= waited || end >= until {
			t.Errorf("with staleness %d they waited for %v and were done at %v, with less %v "+
				"and %v", s, got.Waited, end, waited, until)
		}
		waited, until = got.Waited, end
	}
}

func TestGamesRefused(t *testing.T) {
	t.Parallel()
	x := groups(20)
	two := competitive.Config{Clusters: 2}
	for name, g := range map[string]game{
		"more learners than rows": {Config: two, Learners: 21},
		"a period below 0":        {Config: two, Period: -1},
		"learners below 0":        {Config: two, Learners: -1},
		"passes below 0":          {Config: two, Passes: -1},
		"looks below 0":           {Config: two, Looks: -1},
		"looks beyond count":      {Config: two, Looks: math.MaxInt},
		"a chance of 2":           {Config: two, Stragglers: 2},
		"speeds that are none":    {Config: two, Uneven: math.NaN()}, "no clusters": {},
		"other columns": {Config: two,
			Start: dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{0, 1}}},
	} {
		if _, err := simulate(t.Context(), x, g); !errors.As(err, new(*fault.Input)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := simulate(ctx, x,
		game{Config: two, Start: dataset.Matrix{Rows: 2, Cols: 2,
			F64: []float64{0, 0, 5, 5}}}); !errors.Is(err, context.Canceled) {
		t.Errorf("when interrupted: %v", err)
	}
}

// A period of more rows than a learner has is all of its own, however many it asks for.
func TestPeriodsBeyondAllRows(t *testing.T) {
	t.Parallel()
	g := game{Config: competitive.Config{Clusters: 3}, Learners: 3, Passes: 2, Staleness: 1}
	want, err := simulate(t.Context(), groups(50), g)
	if err != nil {
		t.Fatal(err)
	}
	for _, period := range []int{17, 18, 1 << 40, math.MaxInt} {
		g.Period = period
		if got, err := simulate(t.Context(), groups(50), g); err != nil ||
			!reflect.DeepEqual(got, want) {
			t.Errorf("a period of %d rows: %v, %+v, want %+v", period, err, got, want)
		}
	}
}

// One learner is competitive.Fit row after row, wherever it stops to send: to the bit where it
// takes up what the server has, and but for rounding where it does not ask.
func TestOneLearnerPlays(t *testing.T) {
	t.Parallel()
	x := groups(120)
	_, numbered := some(120)
	numbered = numbered[:10]
	for _, staleness := range []int{0, -1, 1, 50} {
		cfg := competitive.Config{Rule: competitive.OLCVQE, Clusters: 3, Seed: 3}
		g := game{Config: cfg, Links: numbered, Period: 7, Block: 40, Staleness: staleness,
			Uneven: 1e6, Stragglers: 1, Exchange: 1e12}
		got, err := simulate(t.Context(), x, g)
		if err != nil {
			t.Fatal(err)
		}
		rng, order := shuffler(3, 0, 0), []int(nil)
		at := map[int]int{}
		for lo := 0; lo < 120; lo += 40 {
			for _, i := range shuffled(nil, 40, rng) {
				at[lo+i] = len(order)
				order = append(order, lo+i)
			}
		}
		links := slices.Clone(numbered)
		for i := range links {
			links[i].A, links[i].B = at[links[i].A], at[links[i].B]
		}
		start, err := competitive.Begin(t.Context(), cfg, x, dataset.Matrix{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := competitive.Fit(t.Context(), x.Subset(order),
			competitive.FitConfig{Links: links, Config: cfg, Epochs: 1, InOrder: true,
				InitialPrototypes: dataset.Matrix{Rows: 3, Cols: 2, F64: start.Prototypes}})
		if err != nil {
			t.Fatal(err)
		}
		end := got.Looks[len(got.Looks)-1].Shared
		for i, v := range want.Prototypes.F64 {
			if off := math.Abs(end.Prototypes[i] - v); off > 1e-12 || off > 0 && staleness < 1 {
				t.Errorf("staleness %d: value %d of the prototypes is %v, want %v", staleness, i,
					end.Prototypes[i], v)
			}
		}
		if got.Waited != 0 || got.Oldest > max(0, staleness) {
			t.Errorf("staleness %d: it waited for %v, and was %d periods behind itself", staleness,
				got.Waited, got.Oldest)
		}
	}
}
