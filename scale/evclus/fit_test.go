package evclus

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/scale/shard"
)

// TestAllRowsAreLandmarks: a table with no more rows than landmarks is fitted as on one machine.
func TestAllRowsAreLandmarks(t *testing.T) {
	x, _ := blobs(500, 3, 4, 2)
	table := inMemory{x: x, split: 130, blocks: 50}
	values := []string{"clusters=4", "seed=5", "partners=60"}
	want, err := kevclus(t, values...).Fit(t.Context(), method.Problem{Data: x})
	if err != nil {
		t.Fatal(err)
	}
	for _, landmarks := range []int{0, 500, 501} {
		got := fitted(t, table, Config{
			Method: kevclus(t, append(values, fmt.Sprint("landmarks=", landmarks))...)})
		if !slices.Equal(got.Outcome.Credal.Mass, want.Credal.Mass) || len(got.Landmarks) != 500 {
			t.Errorf("%d landmarks: another fit, of %d rows", landmarks, len(got.Landmarks))
		}
		out := Output{Path: t.TempDir(), Fitted: got}
		if _, err := Place(t.Context(), table, shard.Source{}, table.survey(), got.Model,
			out); err != nil {
			t.Fatal(err)
		}
		if written, _ := parts(t, out.Path, "parquet"); !slices.Equal(written.Mass,
			want.Credal.Mass) {
			t.Errorf("%d landmarks: what is written is not what one machine fits", landmarks)
		}
		if !slices.Equal(massesOf(got.Model), massesOf(want.Model)) ||
			!slices.Equal(got.Model.Landmarks.Which, want.Model.Landmarks.Which) {
			t.Errorf("%d landmarks: another model", landmarks)
		}
	}
}

// TestLandmarksAreFittedAsATable of their own, whatever the splits.
func TestLandmarksAreFittedAsATable(t *testing.T) {
	x, _ := blobs(4000, 3, 4, 2)
	cfg := Config{Method: kevclus(t, "clusters=4", "seed=1", "landmarks=250", "d0=quantile:0.5")}
	first := fitted(t, inMemory{x: x, split: 4000, blocks: 512}, cfg)
	if len(first.Landmarks) != 250 {
		t.Fatalf("%d landmarks", len(first.Landmarks))
	}
	var rows []int
	for _, r := range first.Landmarks {
		rows = append(rows, int(r.Number))
	}
	alone, err := kevclus(t, "clusters=4", "seed=1", "d0=quantile:0.5").Fit(t.Context(),
		method.Problem{Data: x.Subset(rows)})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(first.Outcome.Credal.Mass, alone.Credal.Mass) {
		t.Error("a table of the landmarks is fitted otherwise")
	}
	again := fitted(t, inMemory{x: x, split: 333, blocks: 100}, cfg)
	if !slices.Equal(again.Landmarks, first.Landmarks) ||
		!slices.Equal(massesOf(again.Model), massesOf(first.Model)) {
		t.Error("other splits lead to another fit")
	}
	cfg.Method = kevclus(t, "clusters=4", "seed=2", "landmarks=250", "d0=quantile:0.5")
	other := fitted(t, inMemory{x: x, split: 4000, blocks: 512}, cfg)
	if slices.Equal(other.Landmarks, first.Landmarks) {
		t.Error("another seed draws the same landmarks")
	}
}

// TestLinks: rows that links name become landmarks, the links count in the fit as they do on one
// machine, and the fit without them is another.
func TestLinks(t *testing.T) {
	x, _ := blobs(3000, 2, 3, 4)
	table := inMemory{x: x, split: 700, blocks: 100}
	for i := range x.Rows {
		table.ids = append(table.ids, fmt.Sprintf("row %d", i))
	}
	cfg := Config{Method: kevclus(t, "clusters=3", "landmarks=120")}
	without := fitted(t, table, cfg)
	cfg.Linked = []string{"row 17", "row 2999", "row 18", "row 1", "nobody"}
	cfg.Links = []link.Link{
		{A: 0, B: 1, Kind: link.MustLink}, // 17 and 2999 are of groups 3 and 3
		{A: 0, B: 2, Kind: link.CannotLink},
		{A: 1, B: 3, Kind: link.CannotLink},
		{A: 3, B: 4}, // nobody knows
	}
	with := fitted(t, table, cfg)
	var at []int
	var rows []int
	for i, r := range with.Landmarks {
		rows = append(rows, int(r.Number))
		if slices.Contains(cfg.Linked, r.ID) {
			at = append(at, i)
		}
	}
	if len(with.Landmarks) != 120 || len(at) != 4 {
		t.Fatalf("%d of the linked rows are among %d landmarks", len(at), len(with.Landmarks))
	}
	if with.Outcome.Detail.(*evclus.Detail).Links != 3 {
		t.Errorf("%d links count", with.Outcome.Detail.(*evclus.Detail).Links)
	}
	p := method.Problem{
		Data: x.Subset(rows),
		Knowledge: fit.Knowledge{Links: []link.Link{
			{A: at[1], B: at[3], Kind: link.MustLink}, {A: at[1], B: at[2], Kind: link.CannotLink},
			{A: at[3], B: at[0], Kind: link.CannotLink},
		}},
	}
	alone, err := kevclus(t, "clusters=3").Fit(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(alone.Credal.Mass, with.Outcome.Credal.Mass) {
		t.Error("a table of the landmarks under the same links is fitted otherwise")
	}
	if slices.Equal(with.Landmarks, without.Landmarks) {
		t.Error("links change no landmark")
	}
}

// TestFittedRowsKeepTheirMasses, and so what links made of them, in any splits; all others are
// placed.
func TestFittedRowsKeepTheirMasses(t *testing.T) {
	x, _ := blobs(2000, 2, 3, 4)
	cfg := Config{Method: kevclus(t, "clusters=3", "landmarks=80", "xi=20",
		"constraints=anchor")}
	// of three groups: these links are not what the rows call for
	cfg.Linked = []string{"1", "2", "3"}
	cfg.Links = []link.Link{{A: 0, B: 1, Kind: link.MustLink}, {A: 1, B: 2, Kind: link.CannotLink}}
	gone := map[int]bool{4: true, 5: true, 700: true, 1999: true}
	var all *credal.Partition
	for _, cut := range []inMemory{{x: x, gone: gone, split: 2000, blocks: 300},
		{x: x, gone: gone, split: 177, blocks: 64}} {
		fit := fitted(t, cut, cfg)
		placed, kept := Output{Path: t.TempDir()}, Output{Path: t.TempDir(), Fitted: fit}
		for _, out := range []Output{placed, kept} {
			if _, err := Place(t.Context(), cut, shard.Source{}, cut.survey(), fit.Model,
				out); err != nil {
				t.Fatal(err)
			}
		}
		want, _ := parts(t, placed.Path, "parquet")
		got, ids := parts(t, kept.Path, "parquet")
		for i, l := range fit.Landmarks {
			at := slices.Index(ids, l.ID)
			copy(want.Row(at), fit.Outcome.Credal.Row(i))
		}
		if !slices.Equal(got.Mass, want.Mass) {
			t.Error("other masses than those of the fit among those that were placed")
		}
		labels := got.ArgMax(belief.MaxPlausibility)
		if labels[0] != labels[1] || labels[1] == labels[2] {
			t.Errorf("the links are not met: %v", labels[:3])
		}
		if all != nil && !slices.Equal(all.Mass, got.Mass) {
			t.Error("other splits lead to other masses")
		}
		all = got
	}
	other := fitted(t, inMemory{x: x, split: 500, blocks: 100},
		Config{Method: kevclus(t, "clusters=2")})
	table := inMemory{x: x, split: 500, blocks: 100}
	if _, err := Place(t.Context(), table, shard.Source{}, table.survey(),
		fitted(t, table, cfg).Model, Output{Fitted: other}); err == nil {
		t.Error("the masses of another fit are kept")
	}
}

// TestMoreLinkedRowsThanLandmarks: all of them are fitted, and a note reports it.
func TestMoreLinkedRowsThanLandmarks(t *testing.T) {
	x, _ := blobs(600, 2, 3, 4)
	cfg := Config{Method: kevclus(t, "clusters=3", "landmarks=10")}
	for i := range 30 {
		cfg.Linked = append(cfg.Linked, fmt.Sprint(1+3*i))
		if i > 0 {
			cfg.Links = append(cfg.Links, link.Link{A: i - 1, B: i, Kind: link.MustLink})
		}
	}
	res := fitted(t, inMemory{x: x, split: 100, blocks: 64}, cfg)
	if len(res.Landmarks) != 30 ||
		!slices.ContainsFunc(res.Notes,
			func(n string) bool { return strings.Contains(n, "20 rows more") }) {
		t.Errorf("%d landmarks: %q", len(res.Landmarks), res.Notes)
	}
}

// TestAnswersAreAskedOfLandmarks: with the true classes at hand, questions are answered by those of
// the landmarks.
func TestAnswersAreAskedOfLandmarks(t *testing.T) {
	x, labels := blobs(900, 2, 3, 4)
	table := inMemory{x: x, labels: labels, split: 250, blocks: 64}
	res := fitted(t, table,
		Config{Method: kevclus(t, "clusters=3", "landmarks=90"), AskLabels: true, Budget: 12})
	if res.Outcome.Queries == 0 || res.Outcome.Queries > 12 ||
		len(res.Outcome.Asked) != res.Outcome.Queries {
		t.Fatalf("%d answers within 12, %d links", res.Outcome.Queries, len(res.Outcome.Asked))
	}
	for _, l := range res.Outcome.Asked {
		same := res.Landmarks[l.A].Label == res.Landmarks[l.B].Label
		if same != (l.Kind == link.MustLink) {
			t.Errorf("rows of %s and %s are linked as %s", res.Landmarks[l.A].Label,
				res.Landmarks[l.B].Label, l.Kind)
		}
	}
}

// TestClustersAreFound by landmarks that know 1 row in 40.
func TestClustersAreFound(t *testing.T) {
	x, _ := blobs(8000, 4, 4, 9)
	table := inMemory{x: x, split: 2000, blocks: 500}
	m := fitted(t, table,
		Config{Method: kevclus(t, "clusters=4", "landmarks=200")}).Model
	out := Output{Path: t.TempDir(), Format: "csv"}
	if _, err := Place(t.Context(), table, shard.Source{}, table.survey(), m, out); err != nil {
		t.Fatal(err)
	}
	p, _ := parts(t, out.Path, "csv")
	labels := p.ArgMax(belief.MaxPlausibility)
	wrong := 0
	for i, l := range labels {
		if l != labels[i%4] {
			wrong++
		}
	}
	if wrong > 80 {
		t.Errorf("%d of 8000 rows are in another cluster than their group", wrong)
	}
}

// TestContradictionsSpeakOfIds, not of places among the landmarks.
func TestContradictionsSpeakOfIds(t *testing.T) {
	x, _ := blobs(900, 2, 3, 4)
	cfg := Config{Method: kevclus(t, "clusters=3", "landmarks=60"),
		Linked: []string{"801", "17", "400"}}
	cfg.Links = []link.Link{{A: 0, B: 1, Kind: link.MustLink}, {A: 1, B: 2, Kind: link.MustLink},
		{A: 0, B: 2, Kind: link.CannotLink}}
	table := inMemory{x: x, split: 200, blocks: 50}
	_, err := Fit(t.Context(), table, shard.Source{Columns: columns(2)}, table.survey(), cfg)
	var clash *link.Contradiction
	if !errors.As(err, &clash) ||
		!strings.Contains(err.Error(), "801 = 17, 17 = 400, but 801 ≠ 400") {
		t.Errorf("%v", err)
	}
	cfg.Method = kevclus(t, "clusters=3", "landmarks=60", "contradictions=keep")
	if fitted(t, table, cfg).Outcome.Detail.(*evclus.Detail).Links != 3 {
		t.Error("links that contradict each other were not kept")
	}
}

// TestRefusals name what is wrong.
func TestRefusals(t *testing.T) {
	x, _ := blobs(60, 2, 2, 1)
	table := inMemory{x: x, split: 20, blocks: 10, ids: make([]string, 60)}
	for i := range table.ids {
		table.ids[i] = fmt.Sprint("r", i/2) // each twice
	}
	pair := []link.Link{{A: 0, B: 1, Kind: link.MustLink}}
	for want, change := range map[string]func(*Config){
		"kmeans":    func(c *Config) { c.Method = configured(t, "kmeans", "clusters=2") },
		"cevclus":   func(c *Config) { c.Method = configured(t, "cevclus", "clusters=2") },
		"no method": func(c *Config) { c.Method = nil },
		"kevclus": func(c *Config) {
			c.Method = kevclus(t, "clusters=2", "stress=sammon")
		},
		"levenshtein": func(c *Config) { c.Metric = "levenshtein" },
		"2 landmarks": func(c *Config) { c.Method = kevclus(t, "clusters=2", "landmarks=2") },
		"a link names": func(c *Config) {
			c.Links, c.Linked = pair, []string{"r1", "nobody"}
		},
		"is that of several": func(c *Config) { c.Links, c.Linked = pair, []string{"r1", "r2"} },
		"number of clusters": func(c *Config) { c.Method = kevclus(t) },
	} {
		cfg := Config{Method: kevclus(t, "clusters=2")}
		change(&cfg)
		_, err := Fit(t.Context(), table, shard.Source{Columns: columns(2)}, table.survey(), cfg)
		if !fault.IsInput(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
