package project

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/project/store"
)

// groupsOf returns the number of groups that a method is set to find; 0 where it finds that itself.
func groupsOf(m *method.Configured) int {
	if !m.Numbered() {
		return 0
	}
	k, _ := strconv.Atoi(m.Value(clustersSetting))
	return k
}

const clustersSetting = "clusters"

// settles returns the last event that does not count in the number of groups: where the settings
// name another number than the project has, all there are.
func (d *Project) settles(cfg Config, h store.Header, began bool) int64 {
	numbers := func(c input.Change) bool { return c.Name == clustersSetting || c.Name == "method" }
	if began && (cfg.Number || d.method.Name != h.Method ||
		slices.ContainsFunc(d.recipe.Changes(h, cfg.Path), numbers)) {
		return d.history.Last()
	}
	return h.Settled
}

// clusters returns the number of groups that the method is to find, after what steps made of it; 0
// where it finds that itself.
func (d *Project) clusters(h *store.History) int {
	if !d.method.Numbered() {
		return 0
	}
	k := h.Groups(d.base, d.settled)
	if d.base == 0 && k <= 0 { // nobody named one, or it was taken back
		return 0
	}
	if k != d.base { // steps that were taken back may have left more than there are objects
		k = min(k, d.data.N())
	}
	return max(k, d.fewest())
}

// fewest returns the smallest number of groups that the method can be set to find.
func (d *Project) fewest() int {
	p, _ := d.method.Lookup(clustersSetting)
	return max(1, int(p.Min))
}

// session begins the method that asks, to find so many groups.
func (d *Project) session(clusters int) (*method.Session, error) {
	m := d.method
	if clusters != d.base {
		var err error
		if m, err = m.At(clusters); err != nil {
			return nil, err
		}
	}
	return m.Begin(d.ctx, d.problem)
}

// settings returns the settings as they are in force. Its user holds mu.
func (d *Project) settings() map[string]string {
	if d.facts.clusters == d.base {
		return d.kept
	}
	now := maps.Clone(d.kept)
	now[clustersSetting] = strconv.Itoa(d.facts.clusters)
	return now
}

// renumber makes an event the one by which so many groups are to be found. Its user holds mu.
func (d *Project) renumber(e *store.Event, clusters int) error {
	switch {
	case clusters == 0 || clusters == d.facts.clusters:
		return nil
	case !d.method.Numbered():
		return fault.Inputf("leave clusters out", "%s finds the number of groups itself",
			d.method.Name)
	case clusters < 0 || clusters > d.data.N():
		return fault.Inputf(fmt.Sprintf("name 1 to %d", d.data.N()), "%d groups of %s", clusters,
			words.Count(d.data.N(), "object"))
	}
	if m, err := d.method.At(clusters); err != nil {
		return fault.Inputf("name a number that the setting clusters can have",
			"%s cannot find %d groups: %v", d.method.Name, clusters, err).Because(err)
	} else if err := m.Askable(); err != nil {
		return err
	}
	e.Text = store.Number{From: d.facts.clusters, To: clusters}.String()
	return nil
}
