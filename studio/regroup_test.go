package studio

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/project"
)

// TestMergeGroupsByTheAPI: a plan changes nothing, its pairs are one step, and one undo takes them
// back.
func TestMergeGroupsByTheAPI(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris", "super-instances", "20")
	groups := func() []project.Cluster {
		if !x.settled(p).Links {
			t.Fatal("the method takes no links")
		}
		return into[Groups](x.get(p + "/groups")).Clusters
	}
	before := groups()
	ask := fmt.Sprintf(`{"do":"merge","rows":[%d,%d]}`, before[0].Medoid.Row, before[1].Medoid.Row)
	plan := into[project.Plan](x.post(p+"/plan", ask))
	if !slices.Equal(plan.Groups, []int{1, 2}) || plan.Objects != before[1].Size ||
		len(plan.Pairs) == 0 || plan.Contradictions != 0 || plan.Revision != 0 {
		t.Fatalf("the plan is %+v", plan)
	}
	pairs, err := json.Marshal(plan.Pairs)
	if err != nil {
		t.Fatal(err)
	}
	step := fmt.Sprintf(`{"id":"merge","pairs":%s}`, pairs)
	done := into[project.Reply](x.post(p+"/links", step))
	if done.State.Answers != 1 || done.State.Stated != len(plan.Pairs) || !done.State.CanUndo {
		t.Errorf("%s, want 1 answer of %d", done.State.Count(), len(plan.Pairs))
	}
	if again := into[project.Reply](x.post(p+"/links", step)); again.State.Stated !=
		done.State.Stated {
		t.Errorf("the step again: %s", again.State.Count())
	}
	now := groups()
	if len(now) != len(before)-1 || now[0].Size < before[0].Size+before[1].Size {
		t.Errorf("%d groups after %d, the largest of %d objects", len(now), len(before), now[0].Size)
	}
	if r := into[project.Reply](x.post(p+"/undo", `{"id":"u"}`)); r.State.Stated != 0 {
		t.Errorf("one undo leaves %s", r.State.Count())
	}
	if now := groups(); len(now) != len(before) {
		t.Errorf("undone: %d groups, want %d", len(now), len(before))
	}
	if r := x.post(p+"/links", fmt.Sprintf(`{"pairs":%s,"clusters":2}`, pairs)); r.status != 422 {
		t.Errorf("a number of groups for cobra: %d %s", r.status, r.body)
	}
	for what, body := range map[string]string{
		"one group":      fmt.Sprintf(`{"do":"merge","rows":[%[1]d,%[1]d]}`, before[0].Medoid.Row),
		"no such thing":  `{"do":"join","rows":[1,2]}`,
		"no rows":        `{"do":"move","rows":[],"to":1}`,
		"a row too many": `{"do":"split","rows":[1,2,3]}`,
	} {
		if r := x.post(p+"/plan", body); r.status != 422 {
			t.Errorf("%s: %d %s", what, r.status, r.body)
		}
	}
	for body, null := range map[string]bool{
		`{"do":"move","rows":[1],"to":null}`:  true,
		`{"do":"move","rows":[1],"to":2} and`: false, // no JSON, for another reason
	} {
		r := x.post(p+"/plan", body)
		if r.status != 400 || strings.Contains(string(r.body), "has null for a value") != null {
			t.Errorf("%s: %d %s", body, r.status, r.body)
		}
	}
	if r := x.post(p+"/plan", `{"do":"move","rows":[1],"to":150}`); r.status != 404 {
		t.Errorf("to a row that is not there: %d %s", r.status, r.body)
	}
}

// TestTheNumberOfGroupsGoesWithTheStep: a merge and the number of groups that follows are one
// request, and a setting counts over it.
func TestTheNumberOfGroupsGoesWithTheStep(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris", "method", "mpckmeans", "clusters", "3")
	x.settled(p)
	heads := into[Groups](x.get(p + "/groups")).Clusters
	plan := into[project.Plan](x.post(p+"/plan", fmt.Sprintf(`{"do":"merge","rows":[%d,%d]}`,
		heads[0].Medoid.Row, heads[1].Medoid.Row)))
	pairs, err := json.Marshal(plan.Pairs)
	if err != nil {
		t.Fatal(err)
	}
	groups := func(want int) {
		t.Helper()
		s := x.settled(p)
		if s.Clusters != want || s.Settings["clusters"] != fmt.Sprint(want) {
			t.Errorf("%d groups, and the setting is %s; want %d", s.Clusters, s.Settings["clusters"], want)
		}
	}
	x.post(p+"/links", fmt.Sprintf(`{"id":"m","pairs":%s,"clusters":%d}`, pairs, plan.Clusters)).
		wants(200)
	groups(2)
	x.post(p+"/undo", `{"id":"u"}`).wants(200)
	groups(3)
	x.post(p+"/redo", `{"id":"r"}`).wants(200)
	groups(2)
	x.post(p+"/settings", `{"settings":{"clusters":"3"}}`).wants(202)
	x.ready("iris")
	groups(3)
	// It is a step by itself, too.
	r := into[project.Reply](x.post(p+"/links", `{"id":"k","pairs":[],"clusters":4}`).wants(200))
	if r.Event.Step != "groups" || r.Event.Clusters != 4 || !r.State.Numbered {
		t.Errorf("the step is %+v", r.Event)
	}
	groups(4)
	x.post(p+"/undo", `{"id":"v"}`).wants(200)
	groups(3)
	for _, body := range []string{`{"pairs":[]}`, `{"pairs":[],"clusters":3}`} {
		if r := x.post(p+"/links", body); r.status != 422 {
			t.Errorf("%s: %d %s", body, r.status, r.body)
		}
	}
	x.post(p+"/undo", `{"id":"u2"}`).wants(200)
	groups(3)
}

// TestGroupsOfEvidentialMethodsAreChangedByTheAPI: with methods of masses a merge, a move and a split
// do what the plan says, and one undo takes each back; ssnb takes no links, and says so.
func TestGroupsOfEvidentialMethodsAreChangedByTheAPI(t *testing.T) {
	for _, method := range []string{"evclus", "cevclus", "kevclus"} {
		x := open(t, Config{})
		p := x.begin("iris", "method", method, "clusters", "3")
		groups := func() []project.Cluster {
			if !x.settled(p).Links {
				t.Fatalf("%s takes no links", method)
			}
			return into[Groups](x.get(p + "/groups")).Clusters
		}
		group := func(row int) int {
			return into[project.Member](x.get(fmt.Sprintf("%s/objects/%d", p, row))).Cluster
		}
		members := func(k int) (rows []int) {
			for row := range 150 {
				if group(row) == k {
					rows = append(rows, row)
				}
			}
			return rows
		}
		heads := groups()
		last := members(3)
		for do, body := range map[string]string{
			project.Merge: fmt.Sprintf(`{"do":"merge","rows":[%d,%d]}`, heads[1].Medoid.Row,
				heads[2].Medoid.Row),
			project.Move: fmt.Sprintf(`{"do":"move","rows":[%d,%d],"to":%d}`, last[0], last[1],
				heads[0].Medoid.Row),
			project.Split: fmt.Sprintf(`{"do":"split","rows":[%d,%d]}`, last[0], last[len(last)-1]),
		} {
			plan := into[project.Plan](x.post(p+"/plan", body))
			pairs, err := json.Marshal(plan.Pairs)
			if err != nil {
				t.Fatal(err)
			}
			clusters := ""
			if plan.Clusters > 0 {
				clusters = fmt.Sprintf(`,"clusters":%d`, plan.Clusters)
			}
			x.post(p+"/links", fmt.Sprintf(`{"id":"%s","pairs":%s%s}`, do, pairs, clusters)).wants(200)
			now := groups()
			switch do {
			case project.Merge:
				if want := heads[1].Size + heads[2].Size; len(now) != 2 ||
					10*max(now[0].Size, now[1].Size) < 9*want {
					t.Errorf("%s: merged into %+v, want 2 groups, and one of about %d", method, now, want)
				}
			case project.Move:
				to := group(heads[0].Medoid.Row)
				if group(last[0]) != to || group(last[1]) != to {
					t.Errorf("%s: the rows moved are in groups %d and %d, not %d", method, group(last[0]),
						group(last[1]), to)
				}
			case project.Split:
				if a, b := group(last[0]), group(last[len(last)-1]); a == b {
					t.Errorf("%s: both are in group %d", method, a)
				}
			}
			x.post(p+"/undo", fmt.Sprintf(`{"id":"u%s"}`, do)).wants(200)
			if now := groups(); len(now) != 3 || now[2].Size != heads[2].Size {
				t.Errorf("%s: undone, the groups are %+v", method, now)
			}
		}
	}
	for _, method := range []string{"gmm", "ecm"} { // which ask nothing, so that no plans are made
		x := open(t, Config{})
		id := into[Started](x.post("/api/v1/projects",
			fmt.Sprintf(`{"data":"iris","settings":{"method":%q,"clusters":"3"}}`, method))).ID
		if l := x.ready(id); l.State == stateOpen || !strings.Contains(l.Error, "asks no questions") {
			t.Errorf("a project by %s is %s: %s", method, l.State, l.Error)
		}
	}
	x := open(t, Config{})
	p := x.begin("iris", "method", "ssnb", "label", "class")
	if r := x.post(p+"/plan", `{"do":"merge","rows":[0,149]}`); r.status != 422 ||
		!strings.Contains(string(r.body), "ssnb takes no links") || x.settled(p).Links {
		t.Errorf("a plan with ssnb: %d %s", r.status, r.body)
	}
}
