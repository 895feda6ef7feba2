package density

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/words"
)

// MultiDensityConfig is how to fit. The zero value works.
type MultiDensityConfig struct {
	// Config.MinPoints is that of the core distances by which classes grow. Config.Eps means
	// nothing here: each class has its own.
	Config

	// NewClusters asks for what no class claims to be clustered, too, by DBSCAN with the largest
	// radius of all classes. Else it is noise.
	NewClusters bool
}

const (
	countQuantile = 0.1 // of the neighbour counts in a class, which becomes its MinPoints
	leastPoints   = 2   // least MinPoints of a class
	shrink        = 0.9 // by which a radius shrinks while it joins classes
	mostShrinks   = 100 // to 3·10⁻⁵ of what it was
)

// FitMultiDensity clusters classes of different densities, some objects of which are known. It
// follows the plan of Yang and others, Neurocomputing 257 (2017), section 3: a radius and a
// MinPoints for each class, found from labelled and unlabelled objects; DBSCAN on all objects with
// each pair; then what these found is brought together. How that is done is ours:
//
//   - Labelled objects grow as in [FitSSDBSCAN]. The radius of a class is the longest edge that one
//     of its objects keeps. Where there is a single class nothing stops it: its radius is that at
//     the knee of the core distances (see Config.Eps).
//   - MinPoints of the class is the 10 % quantile of the neighbour counts, within that radius, of
//     what its objects keep: at least 2. For a single class it is Config.MinPoints, so that one
//     class without a rest is DBSCAN.
//   - Of the clusters that DBSCAN finds with the two, those with labelled objects of the class are
//     its claim. A cluster that has core objects of other known classes, too, is sought again with
//     0.9 of the radius, until it is pure.
//   - An object that two classes claim goes to the class of the labelled object that is nearest by
//     reachability, and to the denser class, of less radius, where both are as near. Labelled
//     objects keep their class whatever happens.
//   - The rest is noise, or becomes new clusters by [MultiDensityConfig]: DBSCAN with the
//     loosest pair, core objects that no class claims being joined without the others.
//
// classes has the class of each object, from 0, negative where it is not known. No labels at all
// are a [*fault.Input]; so are bad data and settings.
func FitMultiDensity(ctx context.Context, o Objects, classes []int32,
	cfg MultiDensityConfig) (*Classified, error) {
	g, err := grow(ctx, o, classes, cfg.Config)
	if err != nil {
		return nil, err
	}
	keys, err := g.densities(ctx)
	if err != nil {
		return nil, err
	}
	m := &integration{growth: g, keys: keys, claims: make([][]int32, g.size())}
	for n, c := range m.densest() {
		if err := m.claim(ctx, c); err != nil {
			return nil, err
		}
		g.cfg.progress(0.6 + 0.3*float64(n+1)/float64(len(g.classes)))
	}
	labels := m.settle()
	clusters := 0
	if cfg.NewClusters {
		if clusters, err = m.rest(ctx, labels); err != nil {
			return nil, err
		}
	}
	return g.result(ctx, labels, clusters)
}

// densities sets radius and MinPoints of each class, and returns the keys of the radii.
func (g *growth) densities(ctx context.Context) ([]float64, error) {
	keys := make([]float64, len(g.classes))
	for c := range g.classes {
		class := &g.classes[c]
		if len(g.classes) == 1 {
			chosen, err := chooseKey(ctx, g.space, g.cfg.MinPoints)
			if err != nil {
				return nil, err
			}
			keys[c], class.Eps, class.MinPoints = chosen.key, g.radius(chosen.key),
				g.cfg.MinPoints
			break
		}
		key, members := g.regionOf(int32(c))
		if keys[c] = key; key == noRegion {
			class.MinPoints = leastPoints
			continue
		}
		asked := make([]bool, g.size())
		for _, i := range members {
			asked[i] = true
		}
		counts, err := g.count(ctx, key, math.MaxInt32, asked)
		if err != nil {
			return nil, err
		}
		of := make([]int32, len(members))
		for k, i := range members {
			of[k] = counts[i]
		}
		slices.Sort(of)
		class.Eps, class.MinPoints = g.radius(key),
			max(leastPoints, int(of[int(countQuantile*float64(len(of)-1))]))
	}
	return keys, nil
}

// integration brings together what the classes claim.
type integration struct {
	*growth
	keys   []float64 // of the radius of each class
	claims [][]int32 // classes that claim each position, the densest first
}

// densest returns the classes by rising radius.
func (m *integration) densest() []int32 {
	order := disjoint.Singletons(len(m.classes))
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(m.keys[a], m.keys[b]) })
	return order
}

// claim finds the clusters of a class.
func (m *integration) claim(ctx context.Context, class int32) error {
	if m.keys[class] == noRegion {
		return nil
	}
	open := make([]bool, m.size()) // labelled objects of the class whose cluster is not found
	for i, c := range m.class {
		open[i] = c == class
	}
	f := &dense{space: m.space, key: m.keys[class], minPoints: m.classes[class].MinPoints}
	asked, border := m.reached(class), []bool(nil)
	for range mostShrinks {
		if err := f.mark(ctx, asked); err != nil {
			return err
		}
		group, err := f.cluster(ctx, border)
		if err != nil {
			return err
		}
		impure := make(map[int32]bool)
		for i, c := range m.class {
			if c >= 0 && c != class && f.core[i] {
				impure[group[i]] = true
			}
		}
		found := make(map[int32]bool)
		for i, is := range open {
			if is && (group[i] == Noise || !impure[group[i]]) {
				if open[i] = false; group[i] != Noise {
					found[group[i]] = true
				}
			}
		}
		for i, g := range group {
			if at := m.claims[i]; found[g] && (len(at) == 0 || at[len(at)-1] != class) {
				m.claims[i] = append(at, class)
			}
		}
		if !slices.Contains(open, true) {
			break
		}
		asked = f.within(group, open)
		border = asked
		f.key = m.key(shrink * m.radius(f.key))
	}
	return nil
}

// reached returns the objects that may be core objects of the clusters of a class: with its radius
// they are reached from its labelled objects. nil: any may, as the class needs fewer points than
// reachability does.
func (m *integration) reached(class int32) []bool {
	if m.classes[class].MinPoints < m.cfg.MinPoints || len(m.classes) == 1 {
		return nil
	}
	asked := make([]bool, m.size())
	for i, c := range m.class {
		if c != class || asked[i] {
			continue
		}
		for _, member := range m.tree.members(m.tree.at(int32(i), m.keys[class])) {
			asked[member] = true
		}
	}
	return asked
}

// within returns the members of the groups that hold marked objects: with a lesser radius they have
// no others.
func (f *dense) within(group []int32, marked []bool) []bool {
	hold := map[int32]bool{}
	for i, is := range marked {
		if is && group[i] >= 0 {
			hold[group[i]] = true
		}
	}
	out := make([]bool, f.size())
	for i, g := range group {
		out[i] = hold[g]
	}
	return out
}

// settle returns the class of each position.
func (m *integration) settle() []int32 {
	known := make([][]int32, len(m.classes))
	for i, c := range m.class {
		if c >= 0 {
			known[c] = append(known[c], int32(i))
		}
	}
	labels := slices.Clone(m.class)
	for i, claims := range m.claims {
		if labels[i] >= 0 || len(claims) == 0 {
			continue
		}
		labels[i] = claims[0]
		if len(claims) == 1 {
			continue
		}
		nearest := unreached
		for _, c := range claims {
			for _, j := range known[c] {
				if r := max(m.core[i], m.core[j], m.between(int32(i), j)); r < nearest {
					nearest, labels[i] = r, c
				}
			}
		}
	}
	return labels
}

// rest clusters what no class claims, and returns the number of clusters.
func (m *integration) rest(ctx context.Context, labels []int32) (int, error) {
	order := m.densest()
	loosest := order[len(order)-1]
	f := &dense{space: m.space, key: m.keys[loosest], minPoints: m.classes[loosest].MinPoints}
	if f.key == noRegion {
		var err error
		if f.choice, err = chooseKey(ctx, m.space, m.cfg.MinPoints); err != nil {
			return 0, err
		}
		f.key, f.minPoints = f.choice.key, m.cfg.MinPoints
	}
	if err := f.mark(ctx, nil); err != nil {
		return 0, err
	}
	for i, c := range labels {
		f.core[i] = f.core[i] && c < 0
	}
	group, err := f.cluster(ctx, nil)
	if err != nil {
		return 0, err
	}
	for i, c := range labels {
		if c >= 0 {
			group[i] = Noise
		}
	}
	numbers, clusters := number(m.rows(), group)
	for i, row := range m.rows() {
		if numbers[row] >= 0 {
			labels[i] = int32(len(m.classes)) + numbers[row]
		}
	}
	return clusters, nil
}

// String writes the density of a class as in notes.
func (c ClassDensity) String() string {
	return fmt.Sprintf("class %d: Eps %s, MinPoints %d", c.Class+1, words.Round(c.Eps), c.MinPoints)
}
