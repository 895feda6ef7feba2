package competitive

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// line makes a matrix of one column.
func line(values ...float64) dataset.Matrix {
	return dataset.Matrix{Rows: len(values), Cols: 1, F64: values}
}

// placed gives a learner whose prototypes are where they are put.
func placed(t testing.TB, cfg Config, at ...float64) *Learner {
	t.Helper()
	cfg = cfg.withDefaults()
	cfg.Clusters = len(at)
	c, err := begin(context.Background(), cfg, line(at...), 0, at)
	if err != nil {
		t.Fatal(err)
	}
	return newLearner(c)
}

func see(t testing.TB, l *Learner, values ...float64) {
	t.Helper()
	if _, err := l.ObserveRows(context.Background(), values, nil); err != nil {
		t.Fatal(err)
	}
}

func stand(t testing.TB, what string, l *Learner, want ...float64) {
	t.Helper()
	near(t, what, l.Publish().Prototypes.F64, want)
}

// Rows on a line, worked by hand with α = ½ and β = ¼.
func TestRowsByHand(t *testing.T) {
	rate := Rate{Start: 0.5, Unlearn: 0.25}
	for _, c := range []struct {
		rule Rule
		want []float64
	}{
		{WinnerTakeAll, []float64{1, 8}},      // 2 goes to 0, which moves half way; 6 to 10
		{OLCVQE, []float64{1, 8}},             // no links: the same
		{FrequencySensitive, []float64{1, 8}}, // 2·25 for 6 against 16: as before
		{RPCL, []float64{0 + 1 - 1.25, 9}},    // 2: 10 goes to 12, 0 to 1; 6: 12 goes to 9, and 1 away from 6 to −¼
		{CRPCL, []float64{0 + 1 - 1.25, 9}},   // no links: the same
	} {
		l := placed(t, Config{Rule: c.rule, Rate: rate}, 0, 10)
		number, label, err := l.Observe([]float64{2})
		if want := (Label{Cluster: 0, RunnerUp: 1, Distance: 2, Margin: 6}); err != nil || number != 1 || label != want {
			t.Errorf("%v: %d, %+v, %v", c.rule, number, label, err)
		}
		see(t, l, 6)
		stand(t, c.rule.String(), l, c.want...)
	}
}

// A winner that wins often is held back: after three rows the row at 4 goes to the other prototype.
func TestFrequentWinnersAreHeldBackByHand(t *testing.T) {
	l := placed(t, Config{Rule: FrequencySensitive, Rate: Rate{Start: 0.5}}, 0, 10)
	see(t, l, 0, 0, 0) // wins 4 and 1
	_, label, err := l.Observe([]float64{4})
	if err != nil || label.Cluster != 0 { // the label is by distance alone
		t.Fatal(label, err)
	}
	stand(t, "4·16 against 1·36", l, 0, 7)
}

// Links on a line, worked by hand with α = ½ and β = ¼.
func TestLinksByHand(t *testing.T) {
	rate := Rate{Start: 0.5, Unlearn: 0.25}
	for _, c := range []struct {
		name string
		rule Rule
		at   []float64
		x, o float64
		kind link.Kind
		sure float64
		want []float64
	}{
		// Both are nearest to 0 and o is farther: 10 comes half way to 3, 0 leaves 3 by ¾ and then goes half way to 1.
		{"cannot", OLCVQE, []float64{0, 10}, 1, 3, link.CannotLink, 1, []float64{0.125, 6.5}},
		// x is farther: it goes to 10 and 0 stays.
		{"cannot, x farther", OLCVQE, []float64{0, 10}, 3, 1, link.CannotLink, 1, []float64{0, 6.5}},
		{"cannot, kept already", OLCVQE, []float64{0, 10}, 2, 9, link.CannotLink, 1, []float64{1, 10}},
		{"cannot, half sure", OLCVQE, []float64{0, 10}, 3, 1, link.CannotLink, 0.5, []float64{0, 8.25}},
		{"cannot, one prototype", OLCVQE, []float64{0}, 3, 1, link.CannotLink, 1, []float64{1.5}},
		// Keep costs ½(16+16)+¼(36+36) = 34, both to one ½(16+36) = 26: to that of x. 0 goes to 2, then to 4; 10 leaves 6 by 1.
		{"must", OLCVQE, []float64{0, 10}, 4, 6, link.MustLink, 1, []float64{4, 11}},
		// Keep costs ½(0+0)+¼(1+1) = ½, both to one ½(0+1) = ½: kept, as nothing is cheaper. x is at 0; 0 goes ¼ towards 1, 1 ¼ towards 0.
		{"must, kept", OLCVQE, []float64{0, 1}, 0, 1, link.MustLink, 1, []float64{0.25, 0.75}},
		{"must, met", OLCVQE, []float64{0, 10}, 2, 1, link.MustLink, 1, []float64{1, 10}},
		// Both to r: x = 4 is nearest to 0, o = 9 to 10. Keep ½(16+1)+¼(81+36) = 37.75, to 0 48.5, to 10 18.5. 10 goes to 7, 0 leaves 4 by 1.
		{"must, both to the other", OLCVQE, []float64{0, 10}, 4, 9, link.MustLink, 1, []float64{-1, 7}},
		// Winner of both is 0, so that the next best, 10, learns x, and 0 leaves x by ¼.
		{"cannot", CRPCL, []float64{0, 10, 50}, 1, 3, link.CannotLink, 1, []float64{-0.25, 5.5, 50}},
		{"cannot, half sure", CRPCL, []float64{0, 10, 50}, 1, 3, link.CannotLink, 0.5, []float64{-0.125, 7.75, 50}},
		// o is won by 10: x learns as in rpcl, with 10 for the rival.
		{"cannot, kept already", CRPCL, []float64{0, 10, 50}, 2, 9, link.CannotLink, 1, []float64{1, 12, 50}},
		// The mean of the squares is ½(16+81) = 48.5 at 0 and ½(36+1) = 18.5 at 10, which learns x.
		{"must", CRPCL, []float64{0, 10}, 4, 9, link.MustLink, 1, []float64{-1, 7}},
		// (16 + ¼·81)/1¼ = 29 at 0 and (36 + ¼·1)/1¼ = 29 at 10: the lower number wins.
		{"must, a quarter sure", CRPCL, []float64{0, 10}, 4, 9, link.MustLink, 0.25, []float64{2, 11.5}},
	} {
		core := placed(t, Config{Rule: c.rule, Rate: rate}, c.at...).core
		core.present([]float64{c.x}, []partner{{[]float64{c.o}, c.kind, c.sure}})
		near(t, fmt.Sprint(c.rule, ", ", c.name), core.prototypes(), c.want)
	}
}

func TestSchedulesByHand(t *testing.T) {
	// Harmonic: the start counts as one row, so that the prototype is the mean of 0, 3, 6 and 7.
	l := placed(t, Config{Rule: WinnerTakeAll, Rate: Rate{Schedule: Harmonic}}, 0)
	see(t, l, 3, 6, 7)
	stand(t, "harmonic", l, 4)
	l = placed(t, Config{Rule: WinnerTakeAll, Rate: Rate{Schedule: Harmonic, Least: 0.5}}, 0)
	see(t, l, 4, 4, 4)
	stand(t, "harmonic, at least a half", l, 3.5)
	// Power: for the first 64 rows the rate is Start, then Start·(1+64/64)^−1, half of it.
	l = placed(t, Config{Rule: WinnerTakeAll, Rate: Rate{Schedule: Power, Exponent: 1, HalfWay: 64, Start: 0.5}}, 0)
	see(t, l, make([]float64, 64)...)
	see(t, l, 8)
	stand(t, "power", l, 2)
	for _, x := range []float64{1e-9, 0.1, 1, 1.5, 2, 1000, 1e12} {
		for _, e := range []float64{-1, -0.5, 0.3, 1} {
			if got, want := power(x, e), math.Pow(x, e); math.Abs(got-want) > 1e-14*want {
				t.Errorf("power(%g, %g) = %v, want %v", x, e, got, want)
			}
		}
	}
}

func TestWinsAreForgotten(t *testing.T) {
	l := placed(t, Config{Rule: FrequencySensitive, HalfLife: 1}, 0, 100)
	see(t, l, 0, 0, 0)
	s := l.Publish()
	near(t, "wins", s.Wins, []float64{0.125 + 0.125 + 0.25 + 0.5, 0.125}) // 1 at the start and 1 a row, each halved by the rows since
	near(t, "nearest", s.Nearest, []float64{0.125 + 0.25 + 0.5, 0})
	see(t, l, make([]float64, 3000)...)
	s = l.Publish()
	near(t, "wins after long", s.Wins[:1], []float64{1})
	if s.Wins[1] < 0 || s.Wins[1] > 1e-9 {
		t.Errorf("a win of 3000 half-lives ago counts %g", s.Wins[1])
	}
}

func TestLinksAreRefusedOrForgotten(t *testing.T) {
	l := placed(t, Config{Remember: 4, MostLinked: 3}, 0, 10)
	see(t, l, 1, 2, 3, 4, 5, 6) // 3 to 6 can be linked
	is := func(what string, err, want error) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
	}
	say := func(a, b int64, kind link.Kind) error { _, err := l.Link(a, b, kind, 0); return err }
	is("to come", say(3, 7, link.MustLink), ErrUnseen)
	is("long gone", say(2, 6, link.MustLink), ErrForgotten)
	for _, bad := range []error{say(3, 3, link.MustLink), say(0, 3, link.MustLink), say(3, 4, 7),
		func() error { _, err := l.Link(3, 4, link.MustLink, 1.5); return err }(),
		func() error { _, err := l.Link(3, 4, link.MustLink, math.NaN()); return err }()} {
		if !fault.IsInput(bad) {
			t.Errorf("got %v", bad)
		}
	}
	is("3 = 4", say(3, 4, link.MustLink), nil)
	is("4 = 5", say(4, 5, link.MustLink), nil)
	var clash *link.Contradiction
	if err := say(3, 5, link.CannotLink); !errors.As(err, &clash) || err.Error() != "3 = 4, 4 = 5, but 3 ≠ 5" {
		t.Errorf("a contradiction: %v", err)
	}
	if s := l.Statistics(); s.Contradicted != 1 || s.Must != 2 || s.Cannot != 0 || s.Linked != 3 || s.Remembered != 4 {
		t.Errorf("%+v", s)
	}
	is("3 = 4 again", say(4, 3, link.MustLink), nil)
	see(t, l, 7, 8, 9, 10) // all of them leave the window; links keep 3, 4 and 5
	is("3 ≠ 10", say(3, 10, link.CannotLink), nil)
	// That was a fourth: 5 was linked longest ago and left.
	is("5 = 10", say(5, 10, link.MustLink), ErrForgotten)
	if s := l.Statistics(); s.Evicted != 1 || s.Linked != 3 || s.Must != 1 || s.Cannot != 1 {
		t.Errorf("%+v", s)
	}
	// Now that 5 is gone nothing says 3 = 4 = 10.
	if r, err := l.Link(3, 4, link.Unknown, 0); err != nil || !r.Replaced {
		t.Errorf("taken back: %+v, %v", r, err)
	}
	is("4, which no link names now", say(4, 10, link.MustLink), ErrForgotten)
	if r, err := l.Link(10, 3, link.MustLink, 0); err != nil || !r.Replaced {
		t.Errorf("replaced: %+v, %v", r, err)
	}
	is("forget 3", l.Forget(3), nil)
	is("forget 3 again", l.Forget(3), ErrForgotten)
	is("forget 9", l.Forget(9), nil)
	is("link to 9", say(9, 10, link.MustLink), ErrForgotten)
	is("forget what is to come", l.Forget(11), ErrUnseen)
	if s := l.Statistics(); s.Must+s.Cannot+s.Linked != 0 || s.Forgotten != 2 || s.Remembered != 3 {
		t.Errorf("%+v", s)
	}
}

// A change that is refused changes nothing.
func TestRefusedChangeKeepsTheOldLink(t *testing.T) {
	l := placed(t, Config{}, 0, 10)
	see(t, l, 1, 2, 3)
	for _, k := range [][2]int64{{1, 2}, {2, 3}, {1, 3}} {
		if _, err := l.Link(k[0], k[1], link.MustLink, 0); err != nil {
			t.Fatal(err)
		}
	}
	before := stateText(t, l)
	if _, err := l.Link(1, 2, link.CannotLink, 0); err == nil || err.Error() != "1 = 3, 2 = 3, but 1 ≠ 2" && err.Error() != "1 = 3, 3 = 2, but 1 ≠ 2" {
		t.Errorf("got %v", err)
	}
	l.counted.Contradicted--
	if after := stateText(t, l); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
	keep := placed(t, Config{Contradictions: link.Keep}, 0, 10)
	see(t, keep, 1, 2, 3)
	for i, k := range []link.Link{{A: 1, B: 2, Kind: link.MustLink}, {A: 2, B: 3, Kind: link.MustLink}, {A: 1, B: 3, Kind: link.CannotLink}} {
		r, err := keep.Link(int64(k.A), int64(k.B), k.Kind, 0)
		if err != nil || r.Clash != (i == 2) {
			t.Errorf("%v: %+v, %v", k, r, err)
		}
	}
	if s := keep.Statistics(); s.Contradicted != 1 || s.Must != 2 || s.Cannot != 1 {
		t.Errorf("%+v", s)
	}
}

// A link takes effect at once, and rehearsing it keeps it while other rows go by.
func TestLinksTakeEffectAndAreRehearsed(t *testing.T) {
	met := func(rehearse int) bool {
		l := placed(t, Config{Rule: OLCVQE, Rehearse: rehearse, Rate: Rate{Start: 0.2, Unlearn: 0.1}}, 0, 25)
		see(t, l, 0, 10)
		r, err := l.Link(1, 2, link.CannotLink, 0)
		for range 10 {
			if err != nil {
				t.Fatal(err)
			}
			r, err = l.Link(1, 2, link.CannotLink, 0)
		}
		if !r.Met {
			t.Fatal("the link is not met after ten times")
		}
		for range 200 {
			see(t, l, -1, 25)
		}
		if s := l.Statistics(); (s.Rehearsed > 0) != (rehearse > 0) || s.Met+s.Violated != 1 {
			t.Fatalf("%+v", s)
		}
		return l.Statistics().Met == 1
	}
	if met(0) || !met(1) {
		t.Error("without rehearsal the link should be violated in the end, with it met")
	}
}

func TestUnfitRowsChangeNothing(t *testing.T) {
	l := placed(t, Config{}, 0, 10)
	before := stateText(t, l)
	for _, row := range [][]float64{{math.NaN()}, {math.Inf(1)}, {1e300}, {-2e120}, {}, nil, {1, 2}} {
		if _, _, err := l.Observe(row); !fault.IsInput(err) {
			t.Errorf("%v: %v", row, err)
		}
		if _, err := l.Label(row); !fault.IsInput(err) {
			t.Errorf("label of %v: %v", row, err)
		}
	}
	var in *fault.Input
	_, err := l.ObserveRows(t.Context(), []float64{1, 2, math.NaN(), 3}, make([]Label, 4))
	if !errors.As(err, &in) || in.Row != 3 || in.Column != "1" {
		t.Errorf("%+v", err)
	}
	if _, err := l.ObserveRows(t.Context(), []float64{1, 2}, make([]Label, 1)); err == nil {
		t.Error("too few labels are taken")
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.ObserveRows(done, []float64{1, 2}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if after := stateText(t, l); after != before {
		t.Error("something changed")
	}
}

// Many read while one writes; the race detector looks on.
func TestManyReadWhileOneWrites(t *testing.T) {
	data, _ := blobs(4, 3, 500, 20, 1)
	l, err := New(Config{Clusters: 4, Metric: Full}, data)
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for r := range 4 {
		readers.Go(func() {
			rows := int64(0)
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				s := l.Snapshot()
				if s.Rows < rows {
					t.Error("snapshots go back")
				}
				rows = s.Rows
				at := (i*7 + r) % data.Rows * 3
				row := data.F64[at : at+3]
				a, err := s.Label(row)
				b, again := s.Label(row)
				if err != nil || again != nil || a != b {
					t.Error("a snapshot changed", a, b, err)
				}
				if _, err := l.Label(row); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range data.Rows {
		number, _, err := l.Observe(data.F64[i*3 : i*3+3])
		if err != nil {
			t.Error(err)
		}
		if number%50 == 0 {
			if _, err := l.Link(number, number-3, link.MustLink, 0.5); err != nil {
				t.Error(err)
			}
		}
	}
	close(stop)
	readers.Wait()
	if got := l.Snapshot().Rows; got < int64(data.Rows-every) {
		t.Errorf("the last snapshot has %d of %d rows", got, data.Rows)
	}
}

func TestConfigurationsThatCannotBe(t *testing.T) {
	data := line(1, 2, 3)
	for name, c := range map[string]Config{
		"no clusters": {}, "more clusters than rows": {Clusters: 4}, "too many": {Clusters: mostClusters + 1},
		"rule": {Clusters: 2, Rule: 9}, "metric": {Clusters: 2, Metric: 9}, "metric of wta": {Clusters: 2, Rule: WinnerTakeAll, Metric: Full},
		"init": {Clusters: 2, Init: -1}, "schedule": {Clusters: 2, Rate: Rate{Schedule: 7}}, "rate": {Clusters: 2, Rate: Rate{Start: 1.5}},
		"rate NaN": {Clusters: 2, Rate: Rate{Start: math.NaN()}}, "unlearning": {Clusters: 2, Rate: Rate{Unlearn: 2}},
		"unlearning NaN": {Clusters: 2, Rate: Rate{Unlearn: math.NaN()}}, "exponent": {Clusters: 2, Rate: Rate{Exponent: -1}},
		"half way": {Clusters: 2, Rate: Rate{HalfWay: math.Inf(1)}}, "least": {Clusters: 2, Rate: Rate{Least: 2}},
		"half-life": {Clusters: 2, HalfLife: 0.5}, "half-life NaN": {Clusters: 2, HalfLife: math.NaN()}, "remember": {Clusters: 2, Remember: 1 << 40},
		"most linked": {Clusters: 2, MostLinked: 1}, "rehearse": {Clusters: 2, Rehearse: -1}, "policy": {Clusters: 2, Contradictions: 9},
		"share": {Clusters: 2, ActiveShare: 2},
	} {
		if _, err := New(c, data); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	good := Config{Clusters: 2}
	for name, m := range map[string]dataset.Matrix{
		"no rows": {Cols: 2}, "no columns": {Rows: 3}, "fewer values": {Rows: 3, Cols: 2, F64: make([]float64, 5)}, "nothing": {},
		"equal rows": line(4, 4, 4), "NaN": line(1, 2, math.NaN()), "too large": line(1, 2, 1e300),
		"float32": {Rows: 2, Cols: 1, F32: []float32{1, float32(math.Inf(1))}},
	} {
		if _, err := New(good, m); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is odd but possible is learnt without a NaN.
func TestOddDataAreSurvived(t *testing.T) {
	huge, mixed := make([]float64, 0, 200), make([]float64, 0, 200)
	for i := range 100 {
		huge = append(huge, 1e120*float64(1-i%3), -1e120)
		mixed = append(mixed, 1e-200*float64(i), 1e100*float64(i%2))
	}
	for name, m := range map[string]dataset.Matrix{
		"one row": line(3), "equal rows": line(4, 4, 4, 4), "one column": line(1, 2, 3, 4, 5, 6), "huge": {Rows: 100, Cols: 2, F64: huge},
		"mixed": {Rows: 100, Cols: 2, F64: mixed}, "zeros": {Rows: 50, Cols: 3, F64: make([]float64, 150)},
	} {
		distinct := min(2, m.Rows)
		if name == "equal rows" || name == "zeros" {
			distinct = 1
		}
		for _, rule := range []Rule{CRPCL, OLCVQE, RPCL, FrequencySensitive, WinnerTakeAll} {
			for _, metric := range []Metric{Euclidean, Diagonal, Full} {
				cfg := Config{Rule: rule, Clusters: distinct, Metric: metric, Rate: Rate{Unlearn: 0.5}}
				if metric != Euclidean && !rule.penalises() {
					continue
				}
				var links []link.Link
				if m.Rows > 2 {
					links = []link.Link{{A: 0, B: 1, Kind: link.CannotLink}, {A: 1, B: 2, Kind: link.MustLink}}
				}
				r, err := Fit(t.Context(), m, links, FitConfig{Config: cfg, Epochs: 50})
				if err != nil {
					t.Fatalf("%s, %v, %v: %v", name, rule, metric, err)
				}
				for _, v := range slices.Concat(r.Prototypes.F64, r.Wins, r.Roots, r.Trace, []float64{r.Objective}) {
					if v-v != 0 {
						t.Fatalf("%s, %v, %v: %v", name, rule, metric, r)
					}
				}
			}
		}
	}
}

// With two prototypes the rival is always the same one; it goes far, and no farther than squares can hold.
func TestDeadRivalStaysFinite(t *testing.T) {
	l := placed(t, Config{Rule: RPCL, Rate: Rate{Unlearn: 1}}, 0, 1e60)
	see(t, l, make([]float64, 3000)...)
	_, label, err := l.Observe([]float64{1})
	if err != nil || label.Cluster != 0 || !(label.Margin < math.MaxFloat64) || l.Snapshot().Clusters() != 1 {
		t.Errorf("%+v, %d clusters, %v", label, l.Snapshot().Clusters(), err)
	}
	if label.Margin < 1e60 {
		t.Error("the rival was not driven off")
	}
}
