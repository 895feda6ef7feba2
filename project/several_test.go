package project_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/input"
)

// The number of groups that follows from a merge is part of the step: it is there after a restart,
// one undo brings the number back, and a number that is set by hand since counts over it.
func TestTheNumberOfGroupsIsPartOfTheStep(t *testing.T) {
	path := projectFile(t)
	d := open(t, path, "iris", "method", "mpckmeans", "clusters", "3")
	before, _ := labels(t, d)
	plan := planned(t, d, project.Regroup{Do: project.Merge, Rows: medoids(t, d)[:2]})
	step := project.Several{ID: "merge", Pairs: plan.Pairs, Clusters: plan.Clusters}
	r := must(t)(d.Several(t.Context(), "", step))
	if r.Event.Clusters != 2 || r.Event.Text != "" {
		t.Errorf("the event is %+v", r.Event)
	}
	groups := func(want int) {
		t.Helper()
		_, k := labels(t, d)
		if got := d.State("").Settings["clusters"]; k != want || got != fmt.Sprint(want) {
			t.Errorf("%d groups, and the setting is %s; want %d", k, got, want)
		}
	}
	groups(2)
	again := must(t)(d.Several(t.Context(), "", step))
	if again.Event.Seq != r.Event.Seq {
		t.Errorf("the same step again is event %d", again.Event.Seq)
	}
	step.Clusters = 3
	if _, err := d.Several(t.Context(), "", step); !errors.Is(err, project.ErrReused) {
		t.Errorf("another number under the same id: %v", err)
	}
	reopen := func(settings ...string) {
		t.Helper()
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		d = open(t, path, "iris", settings...)
	}
	reopen()
	groups(2)
	must(t)(d.Undo(t.Context(), "", ""))
	groups(3)
	if now, _ := labels(t, d); !slices.Equal(now, before) {
		t.Error("undone: the groups are not as before")
	}
	must(t)(d.Redo(t.Context(), "", ""))
	groups(2)
	reopen("clusters", "3") // as it was begun
	groups(2)
	reopen("clusters", "4")
	groups(4)
	must(t)(d.Undo(t.Context(), "", ""))
	groups(4)
	reopen()
	groups(4)

	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	r2 := input.New()
	if err := r2.Set("clusters", "4"); err != nil {
		t.Fatal(err)
	}
	d, err := project.Open(t.Context(), project.Config{Path: path, Recipe: r2, Number: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	for _, k := range []int{-1, 0, 1, 1000} {
		_, err := d.Several(t.Context(), "", project.Several{Pairs: plan.Pairs[:1], Clusters: k})
		if want := k < 0 || k > 150; fault.IsInput(err) != want {
			t.Errorf("%d groups: %v", k, err)
		}
		if err == nil {
			must(t)(d.Undo(t.Context(), "", ""))
		}
	}
}

// The number of groups alone is a step, too: of a method that finds so many, and of kin, which begins
// with so many, whether a number was set before or not.
func TestANumberOfGroupsIsAStep(t *testing.T) {
	for _, c := range []struct {
		settings []string
		before   string // the setting
	}{
		{[]string{"method", "mpckmeans", "clusters", "3"}, "3"},
		{[]string{"method", "evclus", "clusters", "4"}, "4"},
		{[]string{"method", "kin"}, ""},
		{[]string{"method", "kin", "clusters", "2"}, "2"},
	} {
		t.Run(strings.Join(c.settings, " "), func(t *testing.T) {
			path := projectFile(t)
			d := open(t, path, "iris", c.settings...)
			before, k := labels(t, d)
			is := func(clusters int, setting string) {
				t.Helper()
				s := d.State("")
				if _, k := labels(t, d); k != clusters || s.Settings["clusters"] != setting ||
					!s.Numbered {
					t.Errorf("%d groups, and the setting is %q; want %d and %q", k,
						s.Settings["clusters"], clusters, setting)
				}
			}
			is(k, c.before)
			step := project.Several{ID: "n", Clusters: 7}
			r := must(t)(d.Several(t.Context(), "", step))
			if r.Event.Step != "groups" || r.Event.Clusters != 7 || r.Event.Text != "" ||
				r.State.Answers != 0 || !r.State.CanUndo {
				t.Errorf("the step is %+v of %+v", r.Event, r.State)
			}
			is(7, "7")
			if again := must(t)(d.Several(t.Context(), "", step)); again.Event.Seq != r.Event.Seq {
				t.Errorf("the same step again is event %d", again.Event.Seq)
			}
			step.Clusters = 6
			if _, err := d.Several(t.Context(), "", step); !errors.Is(err, project.ErrReused) {
				t.Errorf("another number under the same id: %v", err)
			}
			for _, k := range []int{7, 0, -1, 1000} {
				if _, err := d.Several(t.Context(), "", project.Several{Clusters: k}); !fault.IsInput(err) {
					t.Errorf("%d groups after 7: %v", k, err)
				}
			}
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
			d = open(t, path, "iris", c.settings...)
			is(7, "7")
			must(t)(d.Undo(t.Context(), "", ""))
			is(k, c.before)
			if now, _ := labels(t, d); !slices.Equal(now, before) {
				t.Error("undone: the groups are not as before")
			}
			must(t)(d.Redo(t.Context(), "", ""))
			is(7, "7")
		})
	}
	d := open(t, projectFile(t), "iris", "method", "cobra")
	if _, err := d.Several(t.Context(), "", project.Several{Clusters: 7}); !fault.IsInput(err) ||
		d.State("").Numbered {
		t.Errorf("of cobra, which finds the number itself: %v", err)
	}
}

// A merge that own answers stand against takes them back in the same step, if that is wanted.
func TestAMergeTakesBackWhatStandsAgainstIt(t *testing.T) {
	d := open(t, projectFile(t), "iris", "method", "kin")
	g := project.Regroup{Do: project.Merge, Rows: medoids(t, d)[:2]}
	pair := planned(t, d, g).Pairs[0]
	must(t)(d.Answer(t.Context(), "", project.Step{A: pair.A, B: pair.B, Answer: "different"}))
	before, _ := labels(t, d)
	plan, err := d.Plan(t.Context(), "", g)
	if err != nil || !plan.Blocked || len(plan.Against) != 1 || plan.Against[0].Seq != 1 {
		t.Fatalf("%v: %+v", err, plan)
	}
	g.Back = true
	plan = planned(t, d, g)
	if plan.Blocked || len(plan.Against) != 1 || strings.Contains(fmt.Sprint(plan.Notes), "otherwise") {
		t.Errorf("%+v", plan)
	}
	r := must(t)(d.Several(t.Context(), "", project.Several{Pairs: plan.Pairs, Back: []int64{1}}))
	if r.State.Contradictions != 0 || r.State.Answers != 1 ||
		r.State.Stated != len(plan.Pairs) {
		t.Errorf("%d contradictions of %s", r.State.Contradictions, r.State.Count())
	}
	now, _ := labels(t, d)
	if _, share := most(of(before, plan.Groups...), now); share < 0.9 {
		t.Errorf("%.2f of both are in one group", share)
	}
	undone(t, d, before, 1)
	if e, _ := d.History(0, 10_000); !e[len(e)-1].InEffect {
		t.Error("undone: the answer that was taken back is not in effect")
	}
	if _, err := d.Several(t.Context(), "", project.Several{Pairs: plan.Pairs,
		Back: []int64{99}}); !errors.Is(err, project.ErrNotFound) {
		t.Errorf("an answer that is not there: %v", err)
	}
}

// A merge that is blocked would not come about, as a rule; with own answers taken back it does.
func TestOwnAnswersAgainstAMerge(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, c := range asking {
		d := open(t, projectFile(t), c.data, append(c.settings, "label", "class")...)
		answerAll(t, d, "", c.answers)
		heads := medoids(t, d)
		for _, medoid := range []bool{false, true} {
			g := project.Regroup{Do: project.Merge, Rows: heads[:2]}
			pair := planned(t, d, g).Pairs[0]
			if medoid {
				pair.A, pair.B = heads[0], heads[1]
			}
			r := must(t)(d.Answer(t.Context(), "",
				project.Step{A: pair.A, B: pair.B, Answer: "different"}))
			before, _ := labels(t, d)
			for _, g.Back = range []bool{false, true} {
				plan, err := d.Plan(t.Context(), "", g)
				if err != nil {
					t.Fatal(err)
				}
				s := project.Several{Pairs: plan.Pairs, Keep: true, Clusters: plan.Clusters}
				if g.Back {
					s.Back = []int64{r.Event.Seq}
				}
				must(t)(d.Several(t.Context(), "", s))
				now, _ := labels(t, d)
				_, share := most(of(before, plan.Groups...), now)
				t.Logf("%s %s, medoids %t, taken back %t: blocked %t, %.3f in one", c.settings[1],
					c.data, medoid, g.Back, plan.Blocked, share)
				// cobra goes by its representatives, and an answer about others parts nothing
				if plan.Blocked && share == 1 && !medoid || g.Back && share < 0.8 {
					t.Errorf("%.3f are in one", share)
				}
				must(t)(d.Undo(t.Context(), "", ""))
				labels(t, d)
			}
			must(t)(d.Undo(t.Context(), "", ""))
			labels(t, d)
		}
	}
}

// With a fixed number of groups a merge comes about all the same.
func TestAMergeIsNotBlockedWhereTheNumberIsFixed(t *testing.T) {
	d := open(t, projectFile(t), "iris", "method", "evclus", "clusters", "3")
	g := project.Regroup{Do: project.Merge, Rows: medoids(t, d)[:2]}
	pair := planned(t, d, g).Pairs[0]
	must(t)(d.Answer(t.Context(), "", project.Step{A: pair.A, B: pair.B, Answer: "different"}))
	before, _ := labels(t, d)
	plan, err := d.Plan(t.Context(), "", g)
	if err != nil || plan.Blocked || len(plan.Against) != 1 || plan.Clusters != 2 {
		t.Fatalf("%v: %+v", err, plan)
	}
	must(t)(d.Several(t.Context(), "", project.Several{Pairs: plan.Pairs, Keep: true, Clusters: 2}))
	now, _ := labels(t, d)
	if _, share := most(of(before, plan.Groups...), now); share < 0.9 {
		t.Errorf("%.2f of both are in one group", share)
	}
}

// A move names the answers that hold objects back, and takes them back if that is wanted.
func TestAMoveTakesBackWhatStandsAgainstIt(t *testing.T) {
	for _, settings := range [][]string{{"method", "kin"},
		{"method", "cobra", "super-instances", "20"}} {
		t.Run(settings[1], func(t *testing.T) { moveAgainst(t, settings) })
	}
}

func moveAgainst(t *testing.T, settings []string) {
	method := settings[1]
	d := open(t, projectFile(t), "iris", settings...)
	heads := medoids(t, d)
	at, _ := labels(t, d)
	from := slices.DeleteFunc(of(at, 2), func(row int) bool { return row == heads[1] })
	must(t)(d.Answer(t.Context(), "", project.Step{A: heads[0], B: from[0], Answer: "different"}))
	must(t)(d.Answer(t.Context(), "", project.Step{A: heads[1], B: from[1], Answer: "same"}))
	at, _ = labels(t, d)
	if at[from[0]] == at[heads[0]] || at[from[1]] == at[heads[0]] {
		t.Fatal("the objects are in the target already")
	}
	for rows, want := range map[int]bool{2: true, 3: false} {
		plan, err := d.Plan(t.Context(), "", project.Regroup{Do: project.Move, Rows: from[:rows],
			To: &heads[0]})
		if err != nil || len(plan.Against) != 2 || plan.Blocked != want && method == "cobra" ||
			plan.Blocked && method == "kin" { // which weighs them
			t.Errorf("%d objects: %v, %+v", rows, err, plan)
		}
	}
	plan := planned(t, d, project.Regroup{Do: project.Move, Rows: from[:3], To: &heads[0], Back: true})
	must(t)(d.Several(t.Context(), "", project.Several{Pairs: plan.Pairs, Back: []int64{1, 2}}))
	if at, _ = labels(t, d); at[from[0]] != at[heads[0]] {
		t.Error("what was held back does not move")
	}
	if r := must(t)(d.Undo(t.Context(), "", "")); r.State.Answers != 2 {
		t.Errorf("undone: %d answers", r.State.Answers)
	}
}

// Where a move takes all of a group, one fewer is offered to be found, as by a merge.
func TestAMoveOfAWholeGroupIsAMerge(t *testing.T) {
	d := open(t, projectFile(t), "iris", "method", "evclus", "clusters", "3")
	heads := medoids(t, d)
	at, _ := labels(t, d)
	all := of(at, 3)
	for rows, want := range map[int]int{len(all): 2, len(all) - 1: 0} {
		plan := planned(t, d, project.Regroup{Do: project.Move, Rows: all[:rows], To: &heads[0]})
		if plan.Clusters != want {
			t.Errorf("%d of %d: %d groups are to be found, want %d", rows, len(all), plan.Clusters, want)
		}
	}
}

// A group that is named by a row of it is that of the row, also after the numbers changed.
func TestAGroupFollowsARow(t *testing.T) {
	d := open(t, projectFile(t), "iris", "method", "kin")
	heads := medoids(t, d)
	last := heads[len(heads)-1]
	check := func(want int) {
		t.Helper()
		labels(t, d)
		members, k, total, err := d.MembersWith(t.Context(), last, project.Typical, 0, 1000)
		if err != nil || k != want || total != len(members) || members[0].Cluster != want {
			t.Errorf("%v: %d of %d members of group %d, want %d", err, len(members), total, k, want)
		}
		found, err := d.Find(t.Context(), project.Find{With: &last}, 0, 1000)
		if err != nil || found.Group == nil || *found.Group != want || found.Total != total {
			t.Errorf("%v: found %d of group %v, want %d of %d", err, found.Total, found.Group, total, want)
		}
	}
	check(len(heads))
	regroup(t, d, project.Regroup{Do: project.Merge, Rows: []int{heads[0], last}})
	check(1)
	if _, _, _, err := d.MembersWith(t.Context(), 150, "", 0, 1); !errors.Is(err, project.ErrNotFound) {
		t.Errorf("a row that is not there: %v", err)
	}
	if _, err := d.Find(t.Context(), project.Find{With: new(-1)}, 0, 1); !errors.Is(err,
		project.ErrNotFound) {
		t.Errorf("a row that is not there: %v", err)
	}
}

// TestANumberIsNotADifference: who takes back a number of groups leaves the one that another person
// has said since.
func TestANumberIsNotADifference(t *testing.T) {
	for _, settings := range [][]string{{"method", "mpckmeans", "clusters", "3"}, {"method", "kin"}} {
		d := open(t, projectFile(t), "iris", settings...)
		must(t)(d.Several(t.Context(), "ann", project.Several{Clusters: 7}))
		must(t)(d.Several(t.Context(), "bob", project.Several{Clusters: 5}))
		if _, err := d.Undo(t.Context(), "ann", ""); err != nil {
			t.Fatal(err)
		}
		if got := d.State("").Settings["clusters"]; got != "5" {
			t.Errorf("%v: %q groups are to be found, want 5", settings, got)
		}
	}
}

// TestAskedAgainIsNotMoot: kin asks again about what answers entail, and such a question is asked like
// any other, until all are answered.
func TestAskedAgainIsNotMoot(t *testing.T) {
	var b strings.Builder
	b.WriteString("id,x,y\n")
	for i := range 20 {
		fmt.Fprintf(&b, "k%d,%g,%g\n", i, float64(i%2)+0.02*float64(i*7%10), 0.02*float64(i*3%10))
	}
	table := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(table, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	d := open(t, projectFile(t), table)
	set, entailed := link.NewSet(20), 0
	for range 60 {
		labels(t, d) // waits for the fit
		turn, err := d.Turn(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		q := turn.Question
		if q == nil {
			break
		}
		if q.Moot != nil {
			t.Fatalf("rows %d and %d: %s", q.A.Row, q.B.Row, q.Moot.Words)
		}
		l := link.Link{A: q.A.Row, B: q.B.Row, Kind: link.CannotLink}
		if l.A%2 == l.B%2 {
			l.Kind = link.MustLink
		}
		if set.Relation(l.A, l.B) != link.Unknown {
			entailed++
		}
		if err := set.Add(l); err != nil {
			t.Fatal(err)
		}
		must(t)(d.Answer(t.Context(), "", project.Step{A: l.A, B: l.B, Answer: l.Kind.String()}))
	}
	if entailed == 0 {
		t.Error("nothing was asked that answers entail")
	}
}

// What a merge changed is said in the state, with the reason where other groups changed, too.
func TestTheStateSaysWhatAMergeChanged(t *testing.T) {
	for clusters, want := range map[string]string{
		"3": "Two groups became one: 50 objects joined another group. 2 groups now.",
		"4": "That step counts as an answer, and all groups were found anew with it, so that others " +
			"changed, too: 3 groups now, 4 before; ",
	} {
		d := open(t, projectFile(t), "iris", "method", "pckmeans", "clusters", clusters)
		g := project.Regroup{Do: project.Merge, Rows: medoids(t, d)[:2]}
		plan := planned(t, d, g)
		must(t)(d.Several(t.Context(), "",
			project.Several{Pairs: plan.Pairs, Clusters: plan.Clusters}))
		labels(t, d)
		if got := d.State("").Changed; !strings.HasPrefix(got, want) {
			t.Errorf("of %s groups: %q, want %q", clusters, got, want)
		}
	}
}
