package studio

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/sample"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/project"
)

// classes returns the true class of each row of a sample.
func classes(t testing.TB, name string) []string {
	t.Helper()
	s, ok := sample.Find(name)
	if !ok {
		t.Fatalf("there is no sample %s", name)
	}
	r, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, row := range rows[1:] {
		all = append(all, row[len(row)-1])
	}
	return all
}

// answers answers a question by the true classes.
func (x *studio) answer(p string, q *project.Question, class []string) project.Reply {
	x.t.Helper()
	says := "different"
	if class[q.A.Row] == class[q.B.Row] {
		says = "same"
	}
	return into[project.Reply](x.post(p+"/answers",
		fmt.Sprintf(`{"id":"q%d-%d-%d","a":%d,"b":%d,"answer":%q,"question":%d}`, q.Number, q.A.Row,
			q.B.Row, q.A.Row, q.B.Row, says, q.Number)).wants(200))
}

// A whole session by the API alone: begin, answer to the end, undo, redo, edit, name, look, export,
// and take it up again after a restart.
func TestWholeSession(t *testing.T) {
	x := open(t, Config{})
	class := classes(t, "iris")
	p := x.begin("iris", "super-instances", "12")
	turn := into[project.Turn](x.get(p + "/turn").wants(200))
	if turn.Question == nil || turn.Question.Why == "" || len(turn.Ahead) == 0 ||
		len(turn.Question.Fields) != 4 {
		t.Fatalf("the first turn is %+v", turn)
	}
	var last project.Reply
	next := turn
	for q := turn.Question; q != nil; q = next.Question {
		if last = x.answer(p, q, class); last.Event.Seq == 0 ||
			last.State.Revision != last.Event.Seq {
			t.Fatalf("the reply is %+v", last)
		}
		if last.State.Answers > 66 {
			t.Fatal("it asks for ever")
		}
		if next = last.Turn; next.Question == nil { // perhaps only until the fit ends
			last.State = x.settled(p)
			next = into[project.Turn](x.get(p + "/turn").wants(200))
		}
	}
	if next.Done == "" || !last.State.Settled && last.State.Likely != 0 {
		t.Errorf("at the end it says %+v", next)
	}
	given := last.State.Answers

	// Undo goes back, redo forth.
	for range 3 {
		last = into[project.Reply](x.post(p+"/undo", "{}").wants(200))
	}
	if last.State.Answers != given-3 || !last.State.CanRedo {
		t.Errorf("after three undos there are %d of %d answers", last.State.Answers, given)
	}
	for range 3 {
		last = into[project.Reply](x.post(p+"/redo", "{}").wants(200))
	}
	x.post(p+"/redo", "{}").problem(409, "nothing")
	if last.State.Answers != given {
		t.Errorf("after three redos there are %d of %d answers", last.State.Answers, given)
	}

	// The history has all of it, and pages fit together.
	all := into[Events](x.get(p + "/history?limit=1000").wants(200))
	if all.Total != given+6 || len(all.Events) != all.Total {
		t.Errorf("the history has %d of %d events", len(all.Events), all.Total)
	}
	page := into[Events](x.get(p + "/history?offset=2&limit=3").wants(200))
	if len(page.Events) != 3 || page.Events[0].Seq != all.Events[2].Seq {
		t.Errorf("a page of it is %+v", page)
	}

	// Groups, members, objects and the map agree.
	last.State = x.settled(p)
	groups := into[Groups](x.get(p + "/groups").wants(200))
	size := 0
	for _, c := range groups.Clusters {
		size += c.Size
	}
	if size != 150 || len(groups.Clusters) != last.State.Clusters {
		t.Errorf("the %d groups hold %d objects", len(groups.Clusters), size)
	}
	with := into[GroupMembers](x.get(fmt.Sprintf("%s/groups/0/members?with=%d", p,
		groups.Clusters[1].Medoid.Row)).wants(200))
	rows := fmt.Sprintf("%d,%d", groups.Clusters[1].Medoid.Row, groups.Clusters[0].Medoid.Row)
	of := into[Groups](x.get(p + "/groups?with=" + rows).wants(200)).Of
	if with.Cluster != 2 || with.Total != groups.Clusters[1].Size || !slices.Equal(of, []int{2, 1}) {
		t.Errorf("the group of a row is %d, of %d objects, and of both %v", with.Cluster, with.Total, of)
	}
	x.get(p+"/groups?with=150").problem(404, "not-found")
	members := into[Members](x.get(p + "/groups/1/members?order=doubtful&limit=7").wants(200))
	if members.Total != groups.Clusters[0].Size || len(members.Members) != 7 {
		t.Errorf("group 1 has %d members, of which %d came", members.Total, len(members.Members))
	}
	x.get(p+"/groups/99/members").problem(404, "not-found")
	x.get(p+"/objects/150").problem(404, "not-found")
	some := into[Objects](x.get(p + "/objects?rows=5,3,149").wants(200))
	if len(some.Members) != 3 || some.Members[1].Card.Row != 3 {
		t.Errorf("the objects are %+v", some)
	}
	one := into[project.Member](x.get(p + "/objects/0").wants(200))
	parts := into[Partition](x.get(p + "/partition?limit=10000").wants(200))
	if parts.Total != 150 || len(parts.Rows) != 150 || parts.Rows[0].Cluster != one.Cluster ||
		parts.Rows[0].ID != one.Card.ID {
		t.Errorf("the partition begins with %+v, and the object is %+v", parts.Rows[0], one)
	}
	if rest := into[Partition](x.get(p + "/partition?offset=149").wants(200)); len(rest.Rows) != 1 {
		t.Errorf("the rest has %d rows", len(rest.Rows))
	}
	info := into[MapInfo](x.get(p + "/map/info").wants(200))
	if n := len(x.get(p + "/map/points").wants(200).body); info.Rows != 150 || n != 150*8 {
		t.Errorf("the map has %d rows and %d bytes of points", info.Rows, n)
	}
	places := x.get(p + "/map/places").wants(200)
	if len(places.body) != 150*6 || int(places.body[0])+256*int(places.body[1]) != one.Cluster {
		t.Errorf("the places are %d bytes, the first %v", len(places.body), places.body[:6])
	}
	tag := places.header.Get("ETag")
	for _, known := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
		x.get(p+"/map/places", "If-None-Match: "+known).wants(http.StatusNotModified)
	}
	x.get(p+"/map/places", "If-None-Match: "+strings.Repeat(`"x", `, 100)).wants(200)

	// The groups are those that the answers mean.
	labels, truth := make([]int, 150), make([]int, 150)
	number := map[string]int{}
	for i, row := range parts.Rows {
		labels[i] = row.Cluster
		if number[class[i]] == 0 {
			number[class[i]] = len(number) + 1
		}
		truth[i] = number[class[i]]
	}
	if ari := agreement(t, labels, truth); ari < 0.6 {
		t.Errorf("the adjusted Rand index is %.2f", ari)
	}

	// A name goes with the group.
	x.post(p+"/names", `{"id":"n1","row":0,"name":"small ones"}`).wants(200)
	x.post(p+"/skips", fmt.Sprintf(`{"id":"s1","a":%d,"b":%d}`, turn.Question.A.Row,
		turn.Question.B.Row))
	x.post(p+"/bad", `{"id":"b1","row":7}`).wants(200)
	x.post(p+"/bad", `{"id":"b2","row":7}`).problem(409, "stale")

	before := into[project.State](x.get(p).wants(200))
	if err := x.stop(); err != nil {
		t.Fatal(err)
	}

	// The same link works after a restart, and all is as it was, undo included.
	y := open(t, Config{Root: x.folder})
	if y.token != x.token {
		t.Error("the token changed with the restart")
	}
	if l := y.listed("iris"); l.State != stateClosed || l.Answers != before.Answers ||
		l.Data != "iris" || l.Method != "cobra" {
		t.Errorf("the project is listed as %+v", l)
	}
	y.get(p).problem(409, "closed")
	y.post(p+"/open", "{}").wants(202)
	y.ready("iris")
	after := into[project.State](y.get(p).wants(200))
	if after.Answers != before.Answers || after.Revision != before.Revision || after.Bad != 1 ||
		after.Settings["super-instances"] != "12" {
		t.Errorf("after the restart the state is %+v, before it was %+v", after, before)
	}
	if back := into[project.Reply](y.post(p+"/undo",
		`{"id":"u9"}`).wants(200)); back.State.Bad != 0 {
		t.Errorf("undo after the restart gave %+v", back.Event)
	}
}

func agreement(t *testing.T, labels, truth []int) float64 {
	t.Helper()
	r, err := eval.Compare(labels, truth)
	if err != nil {
		t.Fatal(err)
	}
	return r.AdjustedRand
}

// A contradiction is refused with the chain that clashes, and kept as doubt on request, by the same
// click.
func TestContradiction(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris")
	x.post(p+"/links", `{"id":"l1","pairs":[{"a":0,"b":1,"link":"same"},{"a":1,"b":2,`+
		`"link":"same"}]}`).wants(200)
	refused := x.post(p+"/answers", `{"id":"c1","a":0,"b":2,"answer":"different"}`).problem(409,
		"contradiction")
	if refused.Clash == nil || len(refused.Clash.Chain) != 2 || refused.Clash.Words == "" ||
		refused.Fix == "" || len(refused.Clash.Objects) != 3 {
		t.Errorf("the clash is %+v", refused.Clash)
	}
	if s := into[project.State](x.get(p)); s.Contradictions != 0 || s.Answers != 1 || s.Stated != 2 {
		t.Errorf("what was refused counts: %+v", s)
	}
	kept := into[project.Reply](x.post(p+"/answers",
		`{"id":"c1","a":0,"b":2,"answer":"different","keep":true}`).wants(200))
	if !kept.Event.Doubt || kept.State.Contradictions != 1 {
		t.Errorf("kept became %+v", kept.Event)
	}
	if c := into[Contradictions](x.get(p + "/contradictions").wants(200)); len(c.Clashes) != 1 ||
		len(c.Clashes[0].Chain) != 2 {
		t.Errorf("the contradictions are %+v", c)
	}
	// Dropping a link of the chain resolves it.
	x.send("DELETE", p+"/history/1?id=d1", "").wants(200)
	if c := into[Contradictions](x.get(p + "/contradictions").wants(200)); len(c.Clashes) != 0 {
		t.Errorf("still %+v", c)
	}
	x.send("DELETE", p+"/history/1?id=d2", "").problem(404, "not-found")
	x.send("DELETE", p+"/history/999?id=d3", "").problem(404, "not-found")
}

// Two people: each has their own questions, undo and token; only the first may change what holds
// for all.
func TestTwoPeople(t *testing.T) {
	x := open(t, Config{People: []string{"ann", "bob/é"}})
	ann, bob := x.as("ann"), x.as("bob/é")
	if ann.token == bob.token || ann.server.Link("cleo") != "" {
		t.Fatal("the people cannot be told apart")
	}
	if me := into[Me](bob.get("/api/v1/me")); me.Name != "bob/é" || !me.People || me.Admin ||
		me.Version != "unknown" {
		t.Errorf("bob is %+v", me)
	}
	if !into[Me](ann.get("/api/v1/me")).Admin {
		t.Error("ann may not do what the first may")
	}
	p := ann.begin("iris")
	for _, call := range []struct{ method, path, body string }{
		{"POST", "/api/v1/projects", `{"data":"wine"}`}, {"POST", p + "/settings",
			`{"settings":{"seed":"3"}}`},
		{"PUT", p + "/sharing", `{"overlap":0.5,"repeat":0,"discount":true}`}, {"PUT", p +
			"/people/bob%2F%C3%A9", `{"reliability":1}`},
	} {
		bob.send(call.method, call.path, call.body).problem(403, "forbidden")
	}
	first, second := into[project.Turn](ann.get(p+"/turn")).Question,
		into[project.Turn](bob.get(p+"/turn")).Question
	if first.A.Row == second.A.Row && first.B.Row == second.B.Row {
		t.Error("both are asked about the same pair")
	}
	ann.post(p+"/answers", `{"id":"a1","a":0,"b":60,"answer":"different"}`).wants(200)
	bob.post(p+"/answers", `{"id":"b1","a":0,"b":60,"answer":"same"}`).wants(200)
	state := into[project.State](ann.get(p))
	if state.Disagreements != 1 || state.Mine != 1 {
		t.Errorf("they disagree, and the state is %+v", state)
	}
	if c := into[Contradictions](ann.get(p + "/contradictions")); len(c.Disputes) != 1 ||
		len(c.Disputes[0].Answers) != 2 {
		t.Errorf("the dispute is %+v", c)
	}
	bob.send("DELETE", p+"/history/1?id=no", "").problem(403, "forbidden")
	bob.post(p+"/undo", `{"id":"b2"}`).wants(200)
	bob.post(p+"/undo", `{"id":"b3"}`).problem(409, "nothing")
	if state = into[project.State](ann.get(p)); state.Mine != 1 || state.Disagreements != 0 {
		t.Errorf("bob's undo took ann's answer: %+v", state)
	}
	bob.post(p+"/answers", `{"id":"b4","a":2,"b":60,"answer":"different"}`).wants(200)
	team := into[Team](ann.send("PUT", p+"/sharing",
		`{"overlap":0.5,"repeat":0.25,"discount":true}`).wants(200))
	if team.Sharing != (project.Sharing{Overlap: .5, Repeat: .25, Discount: true}) ||
		len(team.People) != 2 {
		t.Errorf("the team is %+v", team)
	}
	team = into[Team](ann.send("PUT", p+"/people/bob%2F%C3%A9", `{"reliability":0.5}`).wants(200))
	for _, person := range team.People {
		if want := map[string]float64{"ann": 1,
			"bob/é": .5}[person.Name]; person.Reliability != want {
			t.Errorf("%s is believed to %g, not %g", person.Name, person.Reliability, want)
		}
	}
	ann.send("PUT", p+"/people/nobody", `{"reliability":0.5}`).problem(404, "not-found")
	ann.send("PUT", p+"/sharing", `{"overlap":2,"repeat":0,"discount":true}`).problem(422,
		"request")
}

// Going on under other settings keeps the answers; settings that do not suit leave all as it was,
// and say why.
func TestOtherSettings(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris", "method", "cobra")
	x.post(p+"/answers", `{"id":"a1","a":0,"b":60,"answer":"different"}`).wants(200)
	places := x.get(p + "/map/places").wants(200)
	x.post(p+"/settings", `{"settings":{"super-instances":"20"}}`).wants(202)
	x.ready("iris")
	// The revision is that of before, but the groups are others.
	if now := x.get(p+"/map/places",
		"If-None-Match: "+places.header.Get("ETag")).wants(200); bytes.Equal(now.body,
		places.body) {
		t.Error("other settings make the same groups")
	}
	if s := into[project.State](x.get(p).wants(200)); s.Settings["super-instances"] != "20" ||
		s.Answers != 1 {
		t.Errorf("the state is %+v", s)
	}
	x.post(p+"/settings", `{"settings":{"super-instances":"lots"}}`).problem(422, "input")
	x.post(p+"/settings", `{"settings":{"features":"nonsense"}}`).wants(202)
	if l := x.ready("iris"); l.State != stateOpen || !strings.Contains(l.Error, "nonsense") {
		t.Errorf("after settings that do not suit the project is %+v", l)
	}
	if s := into[project.State](x.get(p).wants(200)); s.Settings["super-instances"] != "20" ||
		s.Answers != 1 {
		t.Errorf("the state is %+v", s)
	}
	x.post(p+"/settings", `{"settings":{}}`).problem(422, "request")
	x.post("/api/v1/projects/none/settings", `{"settings":{"seed":"1"}}`).problem(404, "not-found")
}

// Links known before, from a file in the folder, are found again after a restart.
func TestFilesOfSettings(t *testing.T) {
	x := open(t, Config{})
	x.put("data/rows.csv", "id,x,y\na,1,2\nb,3,4\nc,5,6\nd,9,9\n")
	x.put("data/links.csv", "a,b,link\na,b,same\n")
	p := x.begin("data/rows.csv", "links", "data/links.csv", "id", "id")
	if links := into[Links](x.get(p + "/links").wants(200)).Links; len(links) != 1 ||
		links[0].A.ID != "a" {
		t.Fatalf("the links are %+v", links)
	}
	if err := x.stop(); err != nil {
		t.Fatal(err)
	}
	y := open(t, Config{Root: x.folder})
	y.post(p+"/open", "{}").wants(202)
	if l := y.ready("rows"); l.State != stateOpen {
		t.Fatalf("after a restart it is %+v", l)
	}
	if links := into[Links](y.get(p + "/links").wants(200)).Links; len(links) != 1 {
		t.Errorf("the links are %+v", links)
	}
}
