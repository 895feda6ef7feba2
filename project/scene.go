package project

import (
	"context"
	"fmt"
	"strings"

	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/plot"
)

// Scene returns the groups as they stand, to be drawn: with the links given and answered, and the
// names that people gave to groups.
func (d *Project) Scene(ctx context.Context) (*method.Scene, error) {
	r, err := d.latest(ctx)
	if err != nil {
		return nil, err
	}
	s := d.data.Scene(r.out, d.problem.Links, r.out.Asked)
	s.Problem = d.problem
	for k, names := range d.names(r) {
		if s.ClusterNames == nil {
			s.ClusterNames = s.Names(r.out.Clusters)
		}
		s.ClusterNames[k-1] = fmt.Sprintf("%d %s", k, strings.Join(names, ", "))
	}
	if !s.Vectors() { // they are placed once
		s.View = func(ctx context.Context) (plot.View, error) {
			_, err := d.Map(ctx)
			if err != nil {
				return plot.View{}, err
			}
			return d.projection.view, nil
		}
	}
	return s, nil
}
