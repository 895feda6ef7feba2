package studio

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
)

type (
	// Placement is an object's place in the partition.
	Placement struct {
		ID      string `json:"id"`
		Cluster int    `json:"cluster" doc:"from 1; 0: none"`
		Lower   []int  `json:"lower,omitempty" doc:"where there are masses: the cluster that it surely belongs to"`
		Upper   []int  `json:"upper,omitempty" doc:"where there are masses: clusters that it may belong to"`
		Outlier bool   `json:"outlier,omitempty" doc:"where there are masses: it seems to belong to none"`
	}
	// Partition is a part of the partition.
	Partition struct {
		Rows     []Placement `json:"rows"`
		Total    int         `json:"total"`
		Revision int64       `json:"revision" doc:"that it is of"`
	}
	// Belief is an object's mass function.
	Belief struct {
		ID   string    `json:"id"`
		Mass []float64 `json:"mass" doc:"one value a focal set; they sum to 1"`
	}
	// Masses is a part of the credal partition.
	Masses struct {
		Focal    [][]int  `json:"focal" doc:"focal sets by their clusters, from 1"`
		Rows     []Belief `json:"rows"`
		Total    int      `json:"total"`
		Revision int64    `json:"revision" doc:"that they are of"`
	}
)

// resultCalls registers what comes out of a project.
func (s *Server) resultCalls(api huma.API) {
	type inRows struct {
		InProject
		Offset int `query:"offset" minimum:"0" default:"0" doc:"rows to pass over"`
		Limit  int `query:"limit" minimum:"1" maximum:"10000" default:"1000" doc:"rows at most"`
	}
	show(s, api, call("partition", "GET /projects/{p}/partition", "results",
		"The group of each object"),
		func(ctx context.Context, v visit, in *inRows) (Partition, error) {
			out, revision, err := v.Outcome(ctx)
			if err != nil {
				return Partition{}, err
			}
			n := len(out.Labels)
			page := Partition{Rows: []Placement{}, Total: n, Revision: revision}
			var rough *credal.Rough
			if out.Credal != nil {
				rough = out.Credal.Rough()
			}
			for row := min(in.Offset, n); row < min(in.Offset+in.Limit, n); row++ {
				p := Placement{ID: v.Data().ID(row), Cluster: out.Labels[row]}
				if rough != nil {
					p.Lower, p.Upper = clusters(rough.Lower(row)), clusters(rough.Upper[row])
					p.Outlier = rough.Outlier[row]
				}
				page.Rows = append(page.Rows, p)
			}
			return page, nil
		})
	show(s, api, call("masses", "GET /projects/{p}/masses", "results",
		"The mass function of each object, of a method that gives masses"),
		func(ctx context.Context, v visit, in *inRows) (Masses, error) {
			out, revision, err := v.Outcome(ctx)
			if err != nil {
				return Masses{}, err
			}
			if out.Credal == nil {
				return Masses{}, kindNotFound.says("the method gives no masses",
					"go on under a method that gives masses, such as evclus")
			}
			p := out.Credal
			page := Masses{Focal: [][]int{}, Rows: []Belief{}, Total: p.Len(), Revision: revision}
			for _, set := range p.Focal {
				page.Focal = append(page.Focal, some(clusters(set)))
			}
			for row := min(in.Offset, p.Len()); row < min(in.Offset+in.Limit, p.Len()); row++ {
				page.Rows = append(page.Rows, Belief{ID: v.Data().ID(row), Mass: p.Row(row)})
			}
			return page, nil
		})
	s.exportCalls(api)
	s.pictureCalls(api)
}

// clusters lists a set of clusters, from 1.
func clusters(set belief.Set) []int {
	var list []int
	for k := range belief.MaxClusters {
		if set.Has(k) {
			list = append(list, k+1)
		}
	}
	return list
}
