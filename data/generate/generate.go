// Package generate makes data sets by known laws, for trials, tests and benchmarks.
//
// Every law is a pure function of its [Config]: the same law, config and seed make the same bytes
// on every machine.
package generate

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// Config describes what to make. The zero value makes a law's own default, which [Law] states.
type Config struct {
	Rows       int     // n; 0 = the law's default
	Dimensions int     // d; 0 = the law's default; all laws but the blobs live in the plane
	Clusters   int     // 0 = the law's default; a choice for the blobs alone
	Noise      float64 // see Law.Noise; 0 = the law's default; negative = none at all
	Seed       uint64  // any number; 0 is a seed like the others
}

// Law describes a generator.
type Law struct {
	Name     string // what [Make] knows it by
	Title    string // one line
	Noise    string // what Config.Noise means here
	Defaults Config // what the zeros of a Config stand for

	free bool   // dimensions and clusters may be chosen
	key  uint64 // separates its random stream from those of the other laws
	fill func(t *table, cfg Config, s stream)
}

// maxValues keeps a mistyped size from taking all memory: 2³¹ values are 16 GiB.
const maxValues = min(1<<31, math.MaxInt/8)

// Laws lists the generators.
func Laws() []Law {
	return []Law{
		{
			Name: "blobs", Title: "Gaussian clusters of equal size and spread",
			Noise:    "standard deviation of a cluster",
			Defaults: Config{Rows: 500, Dimensions: 2, Clusters: 4, Noise: 1},
			free:     true, key: 1, fill: blobs,
		},
		{
			Name:     "blobs-unequal",
			Title:    "Gaussian clusters from small and tight to large and wide",
			Noise:    "standard deviation of the middle cluster; from 0.4 to 1.6 times that",
			Defaults: Config{Rows: 500, Dimensions: 2, Clusters: 4, Noise: 1},
			free:     true, key: 2, fill: unequalBlobs,
		},
		{
			Name: "moons", Title: "two half circles, each reaching into the other",
			Noise:    "standard deviation around the half circles, whose radius is 1",
			Defaults: Config{Rows: 500, Dimensions: 2, Clusters: 2, Noise: 0.1},
			key:      3, fill: moons,
		},
		{
			Name: "toys2c", Title: "an arch and two Gaussians under it; the border is not a line",
			Noise:    "relative standard deviation of the arch's radius",
			Defaults: Config{Rows: 800, Dimensions: 2, Clusters: 2, Noise: 0.1},
			key:      4, fill: toys2c,
		},
		{
			Name: "gauss9", Title: "nine Gaussians on a 3 × 3 grid, with some overlap",
			Noise:    "standard deviation of a cluster; the grid's step is 1",
			Defaults: Config{Rows: 900, Dimensions: 2, Clusters: 9, Noise: 0.25},
			key:      5, fill: gauss9,
		},
		{
			Name: "t-clusters", Title: "four bivariate t distributions with 5 degrees of " +
				"freedom: clusters with outliers",
			Noise:    "scale of a cluster; the centres are 5 apart",
			Defaults: Config{Rows: 2000, Dimensions: 2, Clusters: 4, Noise: 1},
			key:      6, fill: tClusters,
		},
	}
}

// Make draws a data set by the law of that name. classes holds the true cluster of each row, from
// 1. It fails with a [*fault.Input] when the law is not known or the config is impossible.
func Make(ctx context.Context, name string, cfg Config) (x dataset.Matrix, classes []int,
	err error) {
	laws := Laws()
	i := slices.IndexFunc(laws, func(l Law) bool { return l.Name == name })
	if i < 0 {
		names := make([]string, len(laws))
		for j, l := range laws {
			names[j] = l.Name
		}
		return x, nil, &fault.Input{
			Problem: fmt.Sprintf("there is no generator %q", name),
			Fix:     "choose one of " + strings.Join(names, ", "),
		}
	}
	law := laws[i]
	if cfg, err = law.complete(cfg); err != nil {
		return x, nil, err
	}
	t := &table{
		ctx: ctx,
		x: dataset.Matrix{Rows: cfg.Rows, Cols: cfg.Dimensions,
			F64: make([]float64, 0, cfg.Rows*cfg.Dimensions)},
		class: make([]int, 0, cfg.Rows),
	}
	law.fill(t, cfg, newStream(cfg.Seed, law.key))
	if err := ctx.Err(); err != nil {
		return dataset.Matrix{}, nil, err
	}
	return t.x, t.class, nil
}

// complete puts the law's defaults for zeros, 0 for negative noise, and refuses what cannot be
// made.
func (l Law) complete(cfg Config) (Config, error) {
	def := l.Defaults
	for _, c := range []struct {
		what  string
		value *int
		def   int
		fixed bool
	}{
		{"rows", &cfg.Rows, def.Rows, false},
		{"dimensions", &cfg.Dimensions, def.Dimensions, !l.free},
		{"clusters", &cfg.Clusters, def.Clusters, !l.free},
	} {
		switch {
		case *c.value == 0:
			*c.value = c.def
		case *c.value < 0:
			return cfg, l.refuse(fmt.Sprintf("cannot have %d %s", *c.value, c.what),
				fmt.Sprintf("give a number from 1, or 0 for %d", c.def))
		case c.fixed && *c.value != c.def:
			return cfg, l.refuse(fmt.Sprintf("has %d %s, not %d", c.def, c.what, *c.value),
				"leave that out, or take blobs")
		}
	}
	switch {
	case math.IsNaN(cfg.Noise) || math.IsInf(cfg.Noise, 0) || cfg.Noise > 1e100:
		return cfg, l.refuse(fmt.Sprintf("cannot have noise %v", cfg.Noise),
			"give a finite number up to 1e100")
	case cfg.Noise == 0:
		cfg.Noise = def.Noise
	case cfg.Noise < 0:
		cfg.Noise = 0
	}
	if cfg.Clusters > cfg.Rows {
		return cfg, l.refuse(fmt.Sprintf("cannot put %d clusters into %d rows", cfg.Clusters,
			cfg.Rows), "ask for more rows or fewer clusters")
	}
	if cfg.Rows > maxValues/cfg.Dimensions {
		return cfg, l.refuse(fmt.Sprintf("would make more than %d values", maxValues),
			"ask for fewer rows or dimensions")
	}
	return cfg, nil
}

func (l Law) refuse(problem, fix string) error {
	return &fault.Input{Problem: "generator " + l.Name + " " + problem, Fix: fix}
}

// table collects rows and their classes.
type table struct {
	ctx   context.Context // of Make: rows ends when it is done
	x     dataset.Matrix
	class []int
}

// rows counts from 0 up to n, unless the context is done.
func (t *table) rows(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if i%4096 == 0 && t.ctx.Err() != nil || !yield(i) {
				return
			}
		}
	}
}

// add appends a row of the plane.
func (t *table) add(class int, x, y float64) {
	t.x.F64 = append(t.x.F64, x, y)
	t.class = append(t.class, class)
}

// share returns part i of n rows in parts parts whose sizes differ by at most one, the larger
// first.
func share(n, parts, i int) int {
	if i < n%parts {
		return n/parts + 1
	}
	return n / parts
}
