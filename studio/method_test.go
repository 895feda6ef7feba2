package studio

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/ask/strategy"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/project"
)

// The list has every method that asks, with what a page needs to know of it, and every strategy.
func TestMethods(t *testing.T) {
	x := open(t, Config{})
	stranger := *x
	stranger.token = ""
	stranger.get("/api/v1/methods").problem(401, "token")
	list := into[Methods](x.get("/api/v1/methods").wants(200))
	byName := map[string]Method{}
	for _, m := range list.Methods {
		byName[m.Name] = m
		if m.Title == "" || m.Source == "" || m.Default == "" || m.NeedsClusters && !m.Clusters ||
			m.Strategic != slices.Contains(m.Takes, "strategy") {
			t.Errorf("a method is %+v", m)
		}
	}
	for _, m := range all.List() {
		if _, listed := byName[m.Name]; listed != m.Asks() {
			t.Errorf("%s is listed: %v", m.Name, listed)
		}
	}
	if m := byName["cobra"]; !m.SuperInstances || m.Clusters || m.Strategic || m.Masses ||
		m.Dissimilarity {
		t.Errorf("cobra is %+v", m)
	}
	if m := byName["mpckmeans"]; !m.NeedsClusters || !m.Strategic || m.SuperInstances || m.Masses {
		t.Errorf("mpckmeans is %+v", m)
	}
	if m := byName["evclus"]; !m.Masses || m.Strategic || !m.Dissimilarity || !m.NeedsClusters {
		t.Errorf("evclus is %+v", m)
	}
	var names []string
	for _, s := range list.Strategies {
		names = append(names, s.Name)
		if s.Title == "" || s.NeedsMasses != (s.Name == strategy.Nonspecificity) {
			t.Errorf("a strategy is %+v", s)
		}
	}
	if !slices.Equal(names, strategy.Names()) {
		t.Errorf("the strategies are %q", names)
	}
}

// A session of a method without questions of its own: asked by a strategy, with all that can be
// done to answers, and then gone on with under others.
func TestStrategicSession(t *testing.T) {
	x := open(t, Config{})
	class := classes(t, "iris")
	p := x.begin("iris", "method", "mpckmeans", "clusters", "3", "strategy", "npu")
	turn := into[project.Turn](x.get(p + "/turn").wants(200))
	for i := range 12 {
		if turn.Question == nil {
			x.settled(p)
			turn = into[project.Turn](x.get(p + "/turn").wants(200))
		}
		if strings.Contains(turn.Question.Why, "the first ") || turn.Question.Candidates != nil {
			t.Fatalf("question %d is %+v", i, turn.Question)
		}
		turn = x.answer(p, turn.Question, class).Turn
	}
	s := x.settled(p)
	if s.Failed != "" || s.Answers != 12 || s.Clusters != 3 || !s.Model || s.Masses || s.Trace ||
		!s.Endless || s.Settings["strategy"] != "npu" {
		t.Fatalf("the state is %+v", s)
	}
	placed := into[Partition](x.get(p + "/partition?limit=150").wants(200))
	labels, truth := make([]int, 150), make([]int, 150)
	for i, row := range placed.Rows {
		labels[i], truth[i] = row.Cluster, 1+i/50
	}
	if ari := agreement(t, labels, truth); ari < 0.6 {
		t.Errorf("the adjusted Rand index is %.2f", ari)
	}

	x.post(p+"/undo", `{"id":"u1"}`).wants(200)
	x.post(p+"/redo", `{"id":"r1"}`).wants(200)
	x.post(p+"/links", `{"id":"l1","pairs":[{"a":0,"b":1,"link":"same"},{"a":1,"b":2,`+
		`"link":"same"}]}`).wants(200)
	x.post(p+"/answers", `{"id":"c1","a":0,"b":2,"answer":"different"}`).problem(409,
		"contradiction")
	x.post(p+"/answers", `{"id":"c1","a":0,"b":2,"answer":"different","keep":true}`).wants(200)
	x.send("PATCH", p+"/history/1", `{"id":"e1","answer":"unknown"}`).wants(200)
	x.post(p+"/bad", `{"id":"b1","row":7}`).wants(200)
	if s = x.settled(p); s.Failed != "" || s.Contradictions != 1 || s.Bad != 1 ||
		s.Answers != 14 || s.Stated != 15 {
		t.Errorf("the state is %+v", s)
	}
	if m := into[project.Member](x.get(p + "/objects/7").wants(200)); !m.Bad || m.Cluster != 0 {
		t.Errorf("bad data became %+v", m)
	}
	for _, path := range []string{"/groups", "/doubts", "/map/places", "/guess?a=5&b=140",
		"/exports/model.json", "/exports/picture.svg", "/exports/partition.csv",
		"/exports/history.csv"} {
		x.get(p + path).wants(200)
	}
	x.get(p+"/masses").problem(404, "not-found")
	x.get(p+"/exports/picture.svg?kind=heatmap").problem(422, "input")

	// The answers go along, whatever asks next.
	for _, next := range []struct{ settings, method string }{
		{`"method":"kin"`, "kin"},
		{`"method":"cobras"`, "cobras"},
		{`"method":"cecm","strategy":"nonspecificity"`, "cecm"},
		{`"method":"ssdbscan","strategy":"","clusters":""`, "ssdbscan"},
		{`"method":"cobra"`, "cobra"},
	} {
		x.post(p+"/settings", fmt.Sprintf(`{"settings":{%s}}`, next.settings)).wants(202)
		if l := x.ready("iris"); l.Method != next.method || l.Error != "" {
			t.Fatalf("under %s the project is %+v", next.method, l)
		}
		s = x.settled(p)
		if s.Failed != "" || s.Answers != 14 || s.Stated != 15 || s.Bad != 1 || s.Contradictions != 1 ||
			s.Masses != (next.method == "cecm" || next.method == "kin") {
			t.Errorf("under %s the state is %+v", next.method, s)
		}
		for _, path := range []string{"/turn", "/groups", "/doubts", "/map/places",
			"/exports/picture.svg"} {
			x.get(p + path).wants(200)
		}
		if s.Masses {
			for _, path := range []string{"/masses", "/exports/picture.svg?kind=heatmap",
				"/exports/picture.svg?kind=masses"} {
				x.get(p + path).wants(200)
			}
		}
	}
}

// A method that can make nothing of the answers yet shows one group, and says so.
func TestNothingFittedYet(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris", "method", "ssdbscan")
	s := into[project.State](x.get(p).wants(200))
	if s.Clusters != 1 || len(s.Remarks) != 1 || !s.Uncertain ||
		!strings.Contains(s.Remarks[0], "all rows are shown as one") || s.Model {
		t.Errorf("the state is %+v", s)
	}
	for _, path := range []string{"/groups", "/doubts", "/map/places", "/groups/1/members",
		"/exports/picture.svg"} {
		x.get(p + path).wants(200)
	}
	x.get(p+"/exports/model.json").problem(404, "not-found")
}

// Going on under another method keeps the answers.
func TestOtherMethod(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris", "super-instances", "20")
	x.post(p+"/answers", `{"id":"a1","a":0,"b":60,"answer":"different"}`).wants(200)
	x.post(p+"/settings", `{"settings":{"method":"evclus","clusters":"3"}}`).wants(202)
	if l := x.ready("iris"); l.State != stateOpen || l.Method != "evclus" || l.Error != "" {
		t.Fatalf("the project is %+v", l)
	}
	if s := into[project.State](x.get(p).wants(200)); s.Answers != 1 || s.Method != "evclus" {
		t.Errorf("the state is %+v", s)
	}
	masses := into[Masses](x.get(p + "/masses?limit=2").wants(200))
	if len(masses.Focal) < 4 || len(masses.Rows) != 2 ||
		len(masses.Rows[0].Mass) != len(masses.Focal) {
		t.Errorf("the masses are %+v", masses)
	}
	x.post(p+"/settings", `{"settings":{"method":"cobra"}}`).wants(202)
	if l := x.ready("iris"); l.State != stateOpen || l.Method != "cobra" || l.Answers != 1 {
		t.Errorf("back again the project is %+v", l)
	}
}
