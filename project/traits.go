package project

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/eval/describe"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project/input"
)

// traits returns what sets each cluster apart, in the data's own units; nothing where the features
// have no meaning to a person.
func (d *Project) traits(ctx context.Context, out *method.Outcome) (map[int][]Trait, error) {
	if d.data.Encoded() {
		return d.words(ctx, out)
	}
	ready := d.data.Ready
	if ready == nil || d.data.Kind() != "fields" || d.data.Opaque() {
		return nil, nil
	}
	groups, err := describe.Traits(ctx, ready.X, out.Labels, shownTraits)
	if err != nil {
		return nil, err
	}
	found := make(map[int][]Trait, len(groups))
	for _, g := range groups {
		for _, t := range g.Traits {
			name := ready.Names[t.Feature]
			found[g.Cluster] = append(found[g.Cluster], Trait{
				Words:   TraitWords(d.data, t, name, short),
				Feature: name, Inside: ready.Encoding.Original(t.Feature, t.Inside),
				Outside: ready.Encoding.Original(t.Feature, t.Outside),
				Effect:  max(-1e9, min(1e9, t.Effect)), // a constant feature has an infinite one
			})
		}
	}
	return found, nil
}

// TraitWords returns in words how a group differs in a feature of data, in their own units: name is
// what the feature is called, and number writes a mean.
func TraitWords(data *input.Data, t describe.Trait, name string,
	number func(float64) string) string {
	e, feature := data.Ready.Encoding, data.Ready.Names[t.Feature]
	inside, outside := e.Original(t.Feature, t.Inside), e.Original(t.Feature, t.Outside)
	if strings.Contains(feature, "=") && data.Table.Column(feature) < 0 {
		return fmt.Sprintf("%s for %.0f %% of it, elsewhere for %.0f %%", name, 100*inside,
			100*outside)
	}
	if col := data.Table.Column(feature); col >= 0 {
		for word, truth := range data.Table.Columns[col].Truth() {
			if truth {
				return fmt.Sprintf("%s %s for %.0f %% of it, elsewhere for %.0f %%", name, word,
					100*inside, 100*outside)
			}
		}
	}
	return fmt.Sprintf("%s %s on average, elsewhere %s", name, number(inside), number(outside))
}

// words returns the words that texts of a cluster have and others lack.
func (d *Project) words(ctx context.Context, out *method.Outcome) (map[int][]Trait, error) {
	telling, err := d.data.Distinctive(ctx, out.Labels, shownWords)
	if err != nil {
		return nil, err
	}
	found := make(map[int][]Trait, len(telling))
	for cluster, words := range telling {
		for _, w := range words {
			found[cluster] = append(found[cluster], Trait{
				Words: fmt.Sprintf("%q in %.0f %% of it, elsewhere in %.0f %%", w.Word,
					100*w.Inside, 100*w.Outside),
				Feature: w.Word, Inside: w.Inside, Outside: w.Outside, Effect: w.Inside - w.Outside,
			})
		}
	}
	return found, nil
}

// short writes a mean at about four digits.
func short(v float64) string {
	if size := math.Abs(v); size >= 1000 && size < 1e15 {
		return strconv.FormatFloat(math.Round(v), 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
