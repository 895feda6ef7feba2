package density2017

import (
	"context"
	"fmt"
	"sync"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// mostReduced is the number of rows up to which sets take part in a reduced run.
const mostReduced = 400

// source is where the problems of a set come from: each draw of labels has the same rows, or rows
// of its own.
type source struct {
	part, name, title string
	draw              func(draw int) problem
}

// sources returns what there is to compare on, in order.
func sources(p frame.Plan) []source {
	var out []source
	for _, s := range p.Sets {
		part := partUCI
		if planar(s.Name) {
			part = partShapes
		}
		if !p.Has(part) || p.Reduced && s.Rows > mostReduced {
			continue
		}
		once := sync.OnceValue(func() problem { return prepared(s, part == partUCI) })
		out = append(out, source{part, s.Name, s.Title, func(int) problem { return once() }})
	}
	if p.Has(partDensities) {
		for _, ratio := range ratios {
			if p.Reduced && ratio != 1 && ratio != 10 {
				continue
			}
			out = append(out, source{partDensities, discsName(ratio), discsName(ratio),
				func(draw int) problem { return discs(ratio, p.Seed, draw) }})
		}
	}
	return out
}

// settingOf names a share of known classes.
func settingOf(share float64) string { return fmt.Sprintf("%g %%", 100*share) }

// key is that of the fits on a set at a share of known classes.
func (s source) key(share float64) frame.Key {
	return frame.Key{Part: s.part, Set: s.name, Setting: settingOf(share)}
}

func units(p frame.Plan) []frame.Unit {
	var out []frame.Unit
	for _, s := range sources(p) {
		for _, share := range sharesOf(p) {
			out = append(out, frame.Unit{Key: s.key(share), Draws: p.Trials, Methods: names(),
				Do: func(ctx context.Context, key frame.Key) ([]frame.Values, error) {
					return fitAll(ctx, s.draw(key.Draw), share, p.Seed, key.Draw)
				}})
		}
	}
	return out
}

// fitAll fits every method on the same known rows.
func fitAll(ctx context.Context, p problem, share float64, seed uint64, draw int) ([]frame.Values,
	error) {
	known := p.labelled(share, seed, draw)
	return frame.Map(methods, func(c compared) (frame.Values, error) {
		values, err := p.fit(ctx, c, known, frame.Derive(seed, "fit", p.name, draw, 0))
		if err != nil {
			return nil, fmt.Errorf("%s on %s: %w", c.title, p.name, err)
		}
		return values, nil
	})
}
