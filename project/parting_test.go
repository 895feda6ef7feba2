package project_test

import (
	"strings"
	"testing"

	"github.com/kindred-go/kindred/project"
)

// TestASplitThatAnAnswerStandsAgainst does not promise to part the two.
func TestASplitThatAnAnswerStandsAgainst(t *testing.T) {
	d := open(t, projectFile(t), "iris", "method", "evclus", "clusters", "3")
	before, _ := labels(t, d)
	two := of(before, 1)[:2]
	split := project.Regroup{Do: project.Split, Rows: two}
	if plan := planned(t, d, split); !strings.HasPrefix(plan.Words, "Part ") {
		t.Errorf("%q", plan.Words)
	}
	must(t)(d.Answer(t.Context(), "", project.Step{A: two[0], B: two[1], Answer: "same"}))
	labels(t, d)
	plan, err := d.Plan(t.Context(), "", split)
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Pairs) > 0 || strings.Contains(plan.Words, "Part ") ||
		!strings.Contains(plan.Words, "stay together") {
		t.Errorf("%q, %d links", plan.Words, len(plan.Pairs))
	}
}
