package evclus

import (
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
	drawn, err := draw(t.Context(), m, shard.Source{}, m.survey(),
		sampling{Count: 50, Linked: cfg.Linked})
	if err != nil {
		t.Fatal(err)
	}
	if len(drawn) != 3 { // of one id the row, of the other two
		t.Errorf("%d rows are kept", len(drawn))
	}
}
