package project

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/data/keywords"
	"github.com/kindred-go/kindred/eval/describe"
	"github.com/kindred-go/kindred/project/input"
)

// traits returns what sets each cluster apart, in the data's own units; nothing where the features
// have no meaning to a person.
func (d *Project) traits(ctx context.Context, r *result) (map[int][]Trait, error) {
	telling, err := d.keywords(ctx, r)
	if err != nil {
		return nil, err
	}
	ready := d.data.Ready
	var groups []describe.Group
	if d.data.Mixed() {
		groups, err = d.data.Telling(ctx, r.out.Counted(), shownTraits)
	} else if ready != nil && d.data.Kind() == "fields" && !d.data.Opaque() {
		groups, err = describe.Traits(ctx, ready.X, r.out.Counted(), shownTraits)
	}
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
	for cluster, list := range wordTraits(telling) { // of texts, perhaps beside features
		found[cluster] = append(found[cluster], list...)
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

// keywords returns the keywords of the texts of each cluster; nil where rows are no texts.
func (d *Project) keywords(ctx context.Context, r *result) (map[int][]keywords.Keyword, error) {
	err := r.named.do(ctx, d.ctx, func(ctx context.Context) (err error) {
		r.keywords, err = d.data.Keywords(ctx, r.out.Labels, shownWords, nil)
		return err
	})
	if err != nil { // others may be at it
		return nil, err
	}
	return r.keywords, nil
}

// GroupNames returns how the clusters of the groups as they stand are called, cluster c at c−1: by
// the names that people gave, or else by keywords of its texts; "" where there is neither.
func (d *Project) GroupNames(ctx context.Context) ([]string, error) {
	r, err := d.latest(ctx)
	if err != nil {
		return nil, err
	}
	return d.groupNames(ctx, r)
}

func (d *Project) groupNames(ctx context.Context, r *result) ([]string, error) {
	found, err := d.keywords(ctx, r)
	if err != nil {
		return nil, err
	}
	given, suggested := d.names(r), keywords.Names(found)
	names := make([]string, r.out.Clusters)
	for k := range names {
		names[k] = cmp.Or(strings.Join(given[k+1], ", "), suggested[k+1])
	}
	return names, nil
}

// wordTraits makes traits of keywords.
func wordTraits(found map[int][]keywords.Keyword) map[int][]Trait {
	traits := make(map[int][]Trait, len(found))
	for cluster, list := range found {
		for _, k := range list {
			traits[cluster] = append(traits[cluster], Trait{
				Words: fmt.Sprintf("“%s” in %.0f %% of it, elsewhere in %.0f %%", k.Term,
					100*k.Inside, 100*k.Outside),
				Feature: k.Term, Inside: k.Inside, Outside: k.Outside, Effect: k.Inside - k.Outside,
			})
		}
	}
	return traits
}

// short writes a mean at about four digits.
func short(v float64) string {
	if size := math.Abs(v); size >= 1000 && size < 1e15 {
		return strconv.FormatFloat(math.Round(v), 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
