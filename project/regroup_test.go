package project_test

import (
	"testing"

	"github.com/kindred-go/kindred/project"
)

func TestTryMerge(t *testing.T) {
	for _, most := range []int{1, 4, 10} {
		project.Most = most
		t.Log("MOST", most)
		for _, settings := range [][]string{
			{"method", "kin"}, {"method", "cobras"},
		} {
			for _, answers := range []int{3, 10, 40} {
				d := open(t, projectFile(t), "digits", append(settings, "label", "class")...)
				if answers > 0 {
					answerAll(t, d, "", answers)
				}
				good, tries := 0, 0
				before, _, err := d.Outcome(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if before.Clusters < 2 {
					t.Logf("%v %d: %d clusters", settings, answers, before.Clusters)
					continue
				}
				clusters, _, _ := d.Clusters(t.Context())
				for x := range clusters {
					for y := range x {
						if x > 5 {
							continue
						}
						plan, err := d.Plan(t.Context(), "", project.Regroup{Do: "merge", Rows: []int{
							clusters[x].Medoid.Row, clusters[y].Medoid.Row}})
						if err != nil {
							t.Error(settings, err)
							continue
						}
						if plan.Contradictions > 0 {
							continue
						}
						if len(plan.Pairs) == 0 {
							t.Log("no pairs")
							continue
						}
						must(t)(d.Links(t.Context(), "", "", plan.Pairs, true))
						after, _, err := d.Outcome(t.Context())
						if err != nil {
							t.Fatal(err)
						}
						count := make([]int, after.Clusters+1)
						all := 0
						for i, l := range before.Labels {
							if l == x+1 || l == y+1 {
								count[after.Labels[i]]++
								all++
							}
						}
						best := 0
						for _, c := range count {
							best = max(best, c)
						}
						tries++
						if 20*best >= 19*all {
							good++
						} else if most == 10 {
							t.Logf("%d and %d %d", x+1, y+1, count)
						}
						must(t)(d.Undo(t.Context(), "", ""))
						d.Outcome(t.Context())
					}
				}
				t.Logf("%v %d answers %d links: %d of %d", settings, answers, most, good, tries)
				d.Close()
			}
		}
	}
}
