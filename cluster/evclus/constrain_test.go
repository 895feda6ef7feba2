package evclus_test

import (
	"github.com/kindred-go/kindred/fit"

	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/data/dataset"
)

// TestAnswersWhereClustersOverlap: questions go to the border, where the fit without links is wrong
// half the time however right it is elsewhere. Links that reached beyond their ends would strain
// it; the choice leaves them be.
func TestAnswersWhereClustersOverlap(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	src, classes := vectors(t, "kevclus_t_n2000.csv", dataset.ScaleNone)
	asked, err := evclus.NewRun(t.Context(), src, evclus.Config{Clusters: 4, Partners: 100})
	if err != nil {
		t.Fatal(err)
	}
	before := rand(t, asked, classes)
	if err := ask.Drive(t.Context(), asked.Session, ask.Labels(classes), 40, nil); err != nil {
		t.Fatal(err)
	}
	res, err := asked.Result(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if after := rand(t, asked, classes); after < before-0.005 || res.Used != evclus.Anchor ||
		res.Violated < 3 {
		t.Errorf("Rand index %.3f before and %.3f after, links used as %d, %d violated", before,
			after, res.Used, res.Violated)
	}

	spread, err := evclus.Fit(t.Context(), src,
		evclus.Config{
			Clusters:    4,
			Partners:    100,
			Knowledge:   fit.Knowledge{Links: asked.Answers()},
			Constraints: evclus.Propagate,
		})
	if err != nil {
		t.Fatal(err)
	}
	if spread.Stress < 2*res.Stress {
		t.Errorf("stress %v where links reach further, %v where they do not", spread.Stress,
			res.Stress)
	}
}
