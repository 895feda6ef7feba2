package evclus

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/scale/shard"
)

// TestIdsOfManyRows: a link that names an id which all rows have is refused, and no worker holds
// all those rows to find that out.
func TestIdsOfManyRows(t *testing.T) {
	x, _ := blobs(20_000, 2, 3, 4)
	m := inMemory{x: x, split: 9000, blocks: 500}
	for i := range x.Rows {
		m.ids = append(m.ids, []string{"one", "all"}[min(i, 1)])
	}
	cfg := Config{Method: kevclus(t, "clusters=3", "landmarks=50"), Linked: []string{"one", "all"}}
	cfg.Links = []link.Link{{A: 0, B: 1, Kind: link.MustLink}}
	_, err := Fit(t.Context(), m, shard.Source{Columns: columns(2), ID: "name"}, m.survey(), cfg)
	if !fault.IsInput(err) || !strings.Contains(err.Error(), `"all" is that of several rows`) {
		t.Errorf("%v", err)
	}
	s := sampling{Count: 50, Linked: cfg.Linked}
	state, err := json.Marshal(sampleState{Below: bound(50, 20_000)})
	if err != nil {
		t.Fatal(err)
	}
	split := m.survey().Splits[0]
	k, err := s.Kernel(state, split)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.each(split, k.Block); err != nil {
		t.Fatal(err)
	}
	if kept := k.(*sampleKernel).kept; len(kept) != 3 {
		t.Errorf("%d rows are kept", len(kept))
	}
	all := slices.Repeat([]drawnRow{{Row: Row{ID: "all"}, Linked: true}}, 40)
	if got := s.smallest(all); len(got) != 2 {
		t.Errorf("%d of 40 rows of one id are kept", len(got))
	}
}
