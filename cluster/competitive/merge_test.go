package competitive_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// Two learners began at 0 and 10. The first won twice with prototype 0 and never with 1; the second
// six times with 0 and once with 1. Prototype 0 ends at (2·1 + 6·3)/8, prototype 1 where the second
// left it, as the first only drove it off.
func TestAverageByHand(t *testing.T) {
	t.Parallel()
	a := competitive.Share{Rows: 2, Prototypes: competitive.Floats{1, 14},
		Wins: competitive.Floats{2, 0}, Nearest: competitive.Floats{2, 0}, Squared: 5}
	b := competitive.Share{Rows: 7, Prototypes: competitive.Floats{3, 9},
		Wins: competitive.Floats{6, 1}, Nearest: competitive.Floats{5, 2}, Squared: 4}
	got := competitive.Average([]competitive.Share{a, b})
	if want := (competitive.Floats{2.5, 9}); !slices.Equal(got.Prototypes, want) {
		t.Errorf("prototypes at %v, want %v", got.Prototypes, want)
	}
	if got.Rows != 9 || got.Squared != 9 || !slices.Equal(got.Wins, competitive.Floats{8, 1}) ||
		!slices.Equal(got.Nearest, competitive.Floats{7, 2}) {
		t.Errorf("sums %+v", got)
	}
	at := competitive.Shared{Rows: 100, Prototypes: competitive.Floats{0, 10},
		Wins: competitive.Floats{40, 61}, Nearest: competitive.Floats{50, 50}}.After(got)
	if at.Rows != 109 || !slices.Equal(at.Wins, competitive.Floats{48, 62}) ||
		!slices.Equal(at.Nearest, competitive.Floats{57, 52}) {
		t.Errorf("after it %+v", at)
	}
}

// A prototype that nobody won stays where all of them left it, and goes the mean way, by rows,
// where some drove it off.
func TestAverageOfWhatNobodyWon(t *testing.T) {
	t.Parallel()
	share := func(rows int64, at ...float64) competitive.Share {
		return competitive.Share{Rows: rows, Prototypes: at, Wins: make(competitive.Floats, 2),
			Nearest: make(competitive.Floats, 2)}
	}
	got := competitive.Average([]competitive.Share{share(1, 0.1, 4), share(3, 0.1, 8),
		share(0, 0.1, 100)})
	if want := (competitive.Floats{0.1, 7}); !slices.Equal(got.Prototypes, want) {
		t.Errorf("prototypes at %v, want %v", got.Prototypes, want)
	}
}

// Learners with the same rows agree, and averaging changes nothing, to the bit.
func TestAverageOfTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		k, d := rapid.IntRange(1, 5).Draw(t, "k"), rapid.IntRange(1, 4).Draw(t, "d")
		cfg := competitive.Config{Clusters: k,
			Rule: rapid.SampledFrom([]competitive.Rule{competitive.CRPCL, competitive.OLCVQE,
				competitive.RPCL,
				competitive.FrequencySensitive, competitive.WinnerTakeAll}).Draw(t, "rule")}
		value := rapid.Float64Range(-10, 10)
		start := competitive.Shared{Prototypes: rapid.SliceOfN(value, k*d, k*d).Draw(t,
			"prototypes"), Wins: slices.Repeat(competitive.Floats{1}, k),
			Nearest: make(competitive.Floats, k)}
		rows := rapid.SliceOfN(rapid.SliceOfN(value, d, d), 1, 40).Draw(t, "rows")
		var shares []competitive.Share
		for range rapid.IntRange(2, 7).Draw(t, "learners") {
			p, err := competitive.NewPart(cfg, d, start)
			if err != nil {
				t.Fatal(err)
			}
			for i, row := range rows {
				var with []competitive.Partner
				if i%3 == 0 {
					with = []competitive.Partner{{Row: rows[len(rows)-1-i], Kind: link.CannotLink,
						Confidence: 0.5}}
				}
				if _, err := p.Learn(row, with); err != nil {
					t.Fatal(err)
				}
			}
			shares = append(shares, p.Share())
		}
		if got := competitive.Average(shares); !slices.Equal(got.Prototypes, shares[0].Prototypes) {
			t.Fatalf("averaged to %v, where all are at %v", got.Prototypes, shares[0].Prototypes)
		}
	})
}

// One learner that stops after every few rows, and goes on from its average, is [competitive.Fit]
// in that order, to the bit: with links, and with rates that fall.
func TestPartsOneAfterTheOtherAreAFit(t *testing.T) {
	t.Parallel()
	x, links := linkedRows(300)
	for _, rule := range []competitive.Rule{competitive.CRPCL, competitive.OLCVQE, competitive.RPCL,
		competitive.FrequencySensitive, competitive.WinnerTakeAll} {
		for _, schedule := range []competitive.Schedule{competitive.Constant, competitive.Harmonic,
			competitive.Power} {
			cfg := competitive.Config{Rule: rule, Clusters: 4,
				Rate: competitive.Rate{Schedule: schedule, HalfWay: 50}, Seed: 3}
			want, err := competitive.Fit(t.Context(), x,
				competitive.FitConfig{Links: links, Config: cfg, Epochs: 1, InOrder: true})
			if err != nil {
				t.Fatal(err)
			}
			at, err := competitive.Begin(t.Context(), cfg, x, dataset.Matrix{})
			if err != nil {
				t.Fatal(err)
			}
			squared := 0.0
			for lo := 0; lo < x.Rows; lo += 37 {
				p, err := competitive.NewPart(cfg, x.Cols, at)
				if err != nil {
					t.Fatal(err)
				}
				for i := lo; i < min(x.Rows, lo+37); i++ {
					if _, err := p.Learn(x.AppendRow(nil, i), partnersOf(x, links, i)); err != nil {
						t.Fatal(err)
					}
				}
				share := competitive.Average([]competitive.Share{p.Share()})
				at = at.After(share)
				squared += share.Squared
			}
			if !slices.Equal(at.Prototypes, want.Prototypes.F64) ||
				!slices.Equal(at.Wins, want.Wins) {
				t.Errorf("%v, %v: prototypes at %v, want %v", rule, schedule, at.Prototypes,
					want.Prototypes.F64)
			}
			if math.Abs(squared-want.Trace[0]) > 1e-12*want.Trace[0] || at.Rows != int64(x.Rows) {
				t.Errorf("%v, %v: %d rows, squared error %v, want %v", rule, schedule, at.Rows,
					squared, want.Trace[0])
			}
		}
	}
}

func TestSharedRefuses(t *testing.T) {
	t.Parallel()
	x, _ := linkedRows(50)
	for name, cfg := range map[string]competitive.Config{
		"a half-life": {Clusters: 2, HalfLife: 10},
		"a metric":    {Clusters: 2, Metric: fit.Diagonal}, "no clusters": {},
	} {
		if _, err := competitive.Begin(t.Context(), cfg, x, dataset.Matrix{}); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	cfg := competitive.Config{Clusters: 2}
	at, err := competitive.Begin(t.Context(), cfg, x, dataset.Matrix{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := competitive.NewPart(cfg, x.Cols, at)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Learn([]float64{math.NaN(), 0}, nil); err == nil {
		t.Error("a row without a value is taken")
	}
	before := p.Share()
	for name, with := range map[string]competitive.Partner{
		"a partner of one column": {Row: competitive.Floats{1}, Kind: link.MustLink,
			Confidence: 1},
		"a partner beyond all squares": {Row: competitive.Floats{1, 1e200}, Kind: link.CannotLink,
			Confidence: 1},
		"a link of no kind": {Row: competitive.Floats{1, 2}, Kind: link.Unknown,
			Confidence: 1},
		"a link of confidence 0": {Row: competitive.Floats{1, 2}, Kind: link.MustLink},
	} {
		if _, err := p.Learn([]float64{1, 2}, []competitive.Partner{with}); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if got := p.Share(); got.Rows != 0 || !slices.Equal(got.Prototypes, before.Prototypes) {
		t.Errorf("%d rows learnt of those refused", got.Rows)
	}
	at.Wins = at.Wins[:1]
	if _, err := competitive.NewPart(cfg, x.Cols, at); err == nil {
		t.Error("wins that lack are taken")
	}
	if _, err := competitive.Begin(t.Context(), cfg, x, x); err == nil {
		t.Error("50 prototypes are taken for 2 clusters")
	}
}

// linkedRows are three groups in the plane, with links among the first rows.
func linkedRows(n int) (dataset.Matrix, []link.Link) {
	x := dataset.Matrix{Rows: n, Cols: 2}
	for i := range n {
		a := float64(i)
		x.F64 = append(x.F64, 4*float64(i%3)+math.Sin(a*12.9898), float64(i%2)*3+math.Cos(a*78.233))
	}
	var links []link.Link
	for i := range 12 {
		kind := link.CannotLink
		if i%3 == (n-1-2*i)%3 {
			kind = link.MustLink
		}
		links = append(links,
			link.Link{A: i, B: n - 1 - 2*i, Kind: kind, Plausibility: 0.5 + 0.04*float64(i)})
	}
	return x, links
}

func partnersOf(x dataset.Matrix, links []link.Link, row int) (with []competitive.Partner) {
	for _, l := range links {
		switch row {
		case l.A:
			with = append(with, competitive.Partner{Row: x.AppendRow(nil, l.B), Kind: l.Kind,
				Confidence: l.Confidence()})
		case l.B:
			with = append(with, competitive.Partner{Row: x.AppendRow(nil, l.A), Kind: l.Kind,
				Confidence: l.Confidence()})
		}
	}
	return with
}
