package all_test

import (
	"context"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/strategy"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
)

// Rows that may not be asked about are in no question, and in groups like all others.
func TestRowsThatAreNotAskedAbout(t *testing.T) {
	ways := []map[string]string{{"": "kin"}, {"": "cobra", "super-instances": "20"}, {"": "cobras"},
		{"": "ncobras"}, {"": "evclus", "clusters": "3"}, {"": "hdbscan"},
		{"": "cecm", "clusters": "3", "strategy": strategy.Nonspecificity}}
	for _, name := range strategy.Names() {
		if name != strategy.Nonspecificity {
			ways = append(ways, map[string]string{"": "pckmeans", "clusters": "3",
				"strategy": name})
		}
	}
	data, classes := blobs(90)
	askable := make([]bool, len(classes))
	for row := range askable {
		askable[row] = row%4 == 1
	}
	for _, way := range ways {
		t.Run(way[""]+" "+way["strategy"], func(t *testing.T) {
			m, err := all.Find(way[""])
			if err != nil {
				t.Fatal(err)
			}
			values := map[string]string{}
			for name, value := range way {
				if name != "" {
					values[name] = value
				}
			}
			c, err := m.With(values)
			if err != nil {
				t.Fatal(err)
			}
			asked := 0
			oracle := ask.Func(func(ctx context.Context, q link.Question) (ask.Reply, error) {
				if asked++; !askable[q.A] || !askable[q.B] {
					t.Errorf("question %d is about rows %d and %d", q.Number, q.A, q.B)
				}
				return ask.Labels(classes).Ask(ctx, q)
			})
			out, err := c.Answered(t.Context(), method.Problem{Data: data, Askable: askable}, oracle,
				60)
			if err != nil {
				t.Fatal(err)
			}
			if asked == 0 {
				t.Error("nothing is asked")
			}
			if way[""] != "hdbscan" && slices.Contains(out.Labels, 0) || out.Excluded != nil {
				t.Errorf("rows are left out: %v, %v", out.Labels, out.Excluded)
			}
		})
	}
}
