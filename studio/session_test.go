package studio

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kindred-go/kindred/credal"
	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/dataset/sample"
	"github.com/kindred-go/kindred/desk"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/partition"
	"github.com/kindred-go/kindred/score"
	"github.com/kindred-go/kindred/session"
)

// classes gives the true class of each row of a sample.
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
func (x *studio) answer(p string, q *desk.Question, class []string) desk.Reply {
	x.t.Helper()
	says := "different"
	if class[q.A.Row] == class[q.B.Row] {
		says = "same"
	}
	return into[desk.Reply](x.post(p+"/answers", fmt.Sprintf(`{"id":"q%d-%d-%d","a":%d,"b":%d,"answer":%q,"question":%d}`, q.Number, q.A.Row, q.B.Row, q.A.Row, q.B.Row, says, q.Number)).wants(200))
}

// A whole session by the API alone: begin, answer to the end, undo, redo, edit, name, look, export, and take it up
// again after a restart.
func TestWholeSession(t *testing.T) {
	x := open(t, Config{})
	class := classes(t, "iris")
	p := x.begin("iris", "super-instances", "12")
	turn := into[desk.Turn](x.get(p + "/turn").wants(200))
	if turn.Question == nil || turn.Question.Why == "" || len(turn.Ahead) == 0 || len(turn.Question.Fields) != 4 {
		t.Fatalf("the first turn is %+v", turn)
	}
	var last desk.Reply
	for q := turn.Question; q != nil; q = last.Turn.Question {
		if last = x.answer(p, q, class); last.Event.Seq == 0 || last.State.Revision != last.Event.Seq {
			t.Fatalf("the reply is %+v", last)
		}
		if last.State.Answers > 66 {
			t.Fatal("it asks for ever")
		}
	}
	if last.Turn.Done == "" || !last.State.Settled && last.State.Likely != 0 {
		t.Errorf("at the end it says %+v", last.Turn)
	}
	given := last.State.Answers

	// Undo goes back, redo forth.
	for range 3 {
		last = into[desk.Reply](x.post(p+"/undo", "{}").wants(200))
	}
	if last.State.Answers != given-3 || !last.State.CanRedo {
		t.Errorf("after three undos there are %d of %d answers", last.State.Answers, given)
	}
	for range 3 {
		last = into[desk.Reply](x.post(p+"/redo", "{}").wants(200))
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
	groups := into[Groups](x.get(p + "/groups").wants(200))
	size := 0
	for _, c := range groups.Clusters {
		size += c.Size
	}
	if size != 150 || len(groups.Clusters) != last.State.Clusters {
		t.Errorf("the %d groups hold %d objects", len(groups.Clusters), size)
	}
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
	one := into[desk.Member](x.get(p + "/objects/0").wants(200))
	parts := into[Partition](x.get(p + "/partition?limit=10000").wants(200))
	if parts.Total != 150 || len(parts.Rows) != 150 || parts.Rows[0].Cluster != one.Cluster || parts.Rows[0].ID != one.Card.ID {
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
	x.get(p+"/map/places", "If-None-Match: "+places.header.Get("ETag")).wants(http.StatusNotModified)

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
	x.post(p+"/skips", fmt.Sprintf(`{"id":"s1","a":%d,"b":%d}`, turn.Question.A.Row, turn.Question.B.Row))
	x.post(p+"/bad", `{"id":"b1","row":7}`).wants(200)
	x.post(p+"/bad", `{"id":"b2","row":7}`).problem(409, "stale")

	before := into[desk.State](x.get(p).wants(200))
	if err := x.stop(); err != nil {
		t.Fatal(err)
	}

	// The same link works after a restart, and all is as it was, undo included.
	y := open(t, Config{Root: x.folder})
	if y.token != x.token {
		t.Error("the token changed with the restart")
	}
	if l := y.listed("iris"); l.State != stateClosed || l.Answers != before.Answers || l.Data != "iris" || l.Method != "cobra" {
		t.Errorf("the project is listed as %+v", l)
	}
	y.get(p).problem(409, "closed")
	y.post(p+"/open", "{}").wants(202)
	y.ready("iris")
	after := into[desk.State](y.get(p).wants(200))
	if after.Answers != before.Answers || after.Revision != before.Revision || after.Bad != 1 || after.Settings["super-instances"] != "12" {
		t.Errorf("after the restart the state is %+v, before it was %+v", after, before)
	}
	if back := into[desk.Reply](y.post(p+"/undo", `{"id":"u9"}`).wants(200)); back.State.Bad != 0 {
		t.Errorf("undo after the restart gave %+v", back.Event)
	}
}

func agreement(t *testing.T, labels, truth []int) float64 {
	t.Helper()
	r, err := score.Compare(labels, truth)
	if err != nil {
		t.Fatal(err)
	}
	return r.AdjustedRand
}

// A contradiction is refused with the chain that clashes, and kept as doubt on request, by the same click.
func TestContradiction(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris")
	x.post(p+"/links", `{"id":"l1","pairs":[{"a":0,"b":1,"link":"same"},{"a":1,"b":2,"link":"same"}]}`).wants(200)
	refused := x.post(p+"/answers", `{"id":"c1","a":0,"b":2,"answer":"different"}`).problem(409, "contradiction")
	if refused.Clash == nil || len(refused.Clash.Chain) != 2 || refused.Clash.Words == "" || refused.Mend == "" || len(refused.Clash.Objects) != 3 {
		t.Errorf("the clash is %+v", refused.Clash)
	}
	if s := into[desk.State](x.get(p)); s.Contradictions != 0 || s.Answers != 2 {
		t.Errorf("what was refused counts: %+v", s)
	}
	kept := into[desk.Reply](x.post(p+"/answers", `{"id":"c1","a":0,"b":2,"answer":"different","keep":true}`).wants(200))
	if !kept.Event.Doubt || kept.State.Contradictions != 1 {
		t.Errorf("kept became %+v", kept.Event)
	}
	if c := into[Contradictions](x.get(p + "/contradictions").wants(200)); len(c.Clashes) != 1 || len(c.Clashes[0].Chain) != 2 {
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

// Two people: each has their own questions, undo and token; only the first may change what holds for all.
func TestTwoPeople(t *testing.T) {
	x := open(t, Config{People: []string{"ann", "bob/é"}})
	ann, bob := x.as("ann"), x.as("bob/é")
	if ann.token == bob.token || ann.server.Address("cleo") != "" {
		t.Fatal("the people cannot be told apart")
	}
	if me := into[Me](bob.get("/api/v1/me")); me != (Me{Name: "bob/é", People: true, Version: "unknown"}) {
		t.Errorf("bob is %+v", me)
	}
	if !into[Me](ann.get("/api/v1/me")).Admin {
		t.Error("ann may not do what the first may")
	}
	p := ann.begin("iris")
	for _, call := range []struct{ method, path, body string }{
		{"POST", "/api/v1/projects", `{"data":"wine"}`}, {"POST", p + "/settings", `{"settings":{"seed":"3"}}`},
		{"PUT", p + "/sharing", `{"overlap":0.5,"repeat":0,"discount":true}`}, {"PUT", p + "/people/bob%2F%C3%A9", `{"reliability":1}`},
	} {
		bob.send(call.method, call.path, call.body).problem(403, "forbidden")
	}
	first, second := into[desk.Turn](ann.get(p+"/turn")).Question, into[desk.Turn](bob.get(p+"/turn")).Question
	if first.A.Row == second.A.Row && first.B.Row == second.B.Row {
		t.Error("both are asked about the same pair")
	}
	ann.post(p+"/answers", `{"id":"a1","a":0,"b":60,"answer":"different"}`).wants(200)
	bob.post(p+"/answers", `{"id":"b1","a":0,"b":60,"answer":"same"}`).wants(200)
	state := into[desk.State](ann.get(p))
	if state.Disagreements != 1 || state.Mine != 1 {
		t.Errorf("they disagree, and the state is %+v", state)
	}
	if c := into[Contradictions](ann.get(p + "/contradictions")); len(c.Disputes) != 1 || len(c.Disputes[0].Answers) != 2 {
		t.Errorf("the dispute is %+v", c)
	}
	bob.send("DELETE", p+"/history/1?id=no", "").problem(403, "forbidden")
	bob.post(p+"/undo", `{"id":"b2"}`).wants(200)
	bob.post(p+"/undo", `{"id":"b3"}`).problem(409, "nothing")
	if state = into[desk.State](ann.get(p)); state.Mine != 1 || state.Disagreements != 0 {
		t.Errorf("bob's undo took ann's answer: %+v", state)
	}
	bob.post(p+"/answers", `{"id":"b4","a":2,"b":60,"answer":"different"}`).wants(200)
	team := into[Team](ann.send("PUT", p+"/sharing", `{"overlap":0.5,"repeat":0.25,"discount":true}`).wants(200))
	if team.Sharing != (desk.Sharing{Overlap: .5, Repeat: .25, Discount: true}) || len(team.People) != 2 {
		t.Errorf("the team is %+v", team)
	}
	team = into[Team](ann.send("PUT", p+"/people/bob%2F%C3%A9", `{"reliability":0.5}`).wants(200))
	for _, person := range team.People {
		if want := map[string]float64{"ann": 1, "bob/é": .5}[person.Name]; person.Reliability != want {
			t.Errorf("%s is believed to %g, not %g", person.Name, person.Reliability, want)
		}
	}
	ann.send("PUT", p+"/people/nobody", `{"reliability":0.5}`).problem(404, "not-found")
	ann.send("PUT", p+"/sharing", `{"overlap":2,"repeat":0,"discount":true}`).problem(422, "request")
}

// Going on under other settings keeps the answers; settings that do not suit leave all as it was, and say why.
func TestOtherSettings(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris")
	x.post(p+"/answers", `{"id":"a1","a":0,"b":60,"answer":"different"}`).wants(200)
	x.post(p+"/settings", `{"settings":{"super-instances":"20"}}`).wants(202)
	x.ready("iris")
	if s := into[desk.State](x.get(p).wants(200)); s.Settings["super-instances"] != "20" || s.Answers != 1 {
		t.Errorf("the state is %+v", s)
	}
	x.post(p+"/settings", `{"settings":{"super-instances":"lots"}}`).problem(422, "input")
	x.post(p+"/settings", `{"settings":{"features":"nonsense"}}`).wants(202)
	if l := x.ready("iris"); l.State != stateOpen || !strings.Contains(l.Error, "nonsense") {
		t.Errorf("after settings that do not suit the project is %+v", l)
	}
	if s := into[desk.State](x.get(p).wants(200)); s.Settings["super-instances"] != "20" || s.Answers != 1 {
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
	if links := into[Links](x.get(p + "/links").wants(200)).Links; len(links) != 1 || links[0].A.ID != "a" {
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

// Every export is read again by what reads such files.
func TestExports(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris", "method", "evclus", "clusters", "3")
	x.post(p+"/answers", `{"id":"a1","a":0,"b":60,"answer":"different"}`).wants(200)
	x.post(p+"/answers", `{"id":"a2","a":0,"b":1,"answer":"same"}`).wants(200)
	folder := t.TempDir()
	for file := range exports {
		r := x.get(p + "/exports/" + file).wants(200)
		want := "attachment; filename=iris-" + file
		if file == "project.kindred" {
			want = "attachment; filename=iris.kindred"
		}
		if got := r.header.Get("Content-Disposition"); got != want {
			t.Errorf("%s is named %q", file, got)
		}
		if err := os.WriteFile(filepath.Join(folder, file), r.body, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"partition.csv", "partition.parquet", "partition.jsonl"} {
		c, ids, err := credal.Read(t.Context(), filepath.Join(folder, file))
		if err != nil || c.Len() != 150 || len(ids) != 150 {
			t.Errorf("%s: %v", file, err)
		}
	}
	for _, file := range []string{"answers.csv", "answers.jsonl"} {
		links, err := link.ReadFile(t.Context(), filepath.Join(folder, file), nil)
		if file == "answers.jsonl" {
			links, err = link.ReadFile(t.Context(), filepath.Join(folder, file), link.Numbered(150))
		}
		if err != nil || len(links) != 2 || links[0].A != 0 || links[0].B != 60 || links[0].Kind != link.CannotLink {
			t.Errorf("%s: %v, %v", file, links, err)
		}
	}
	if m, err := method.LoadModel(filepath.Join(folder, "model.json")); err != nil || m.Method != "evclus" {
		t.Errorf("model.json: %+v, %v", m, err)
	}
	copied, err := session.View(t.Context(), filepath.Join(folder, "project.kindred"))
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	if events, err := copied.Events(t.Context()); err != nil || len(events) != 2 {
		t.Errorf("the copied project has %d events, %v", len(events), err)
	}
	if png := x.get(p + "/exports/picture.png").body; !bytes.HasPrefix(png, []byte("\x89PNG")) {
		t.Errorf("picture.png begins with %q", png[:8])
	}
	for _, kind := range []string{"groups", "rough", "masses", "focal:1", "focal:all", "heatmap", "trace"} {
		if r := x.get(p + "/exports/picture.svg?kind=" + kind).wants(200); !bytes.Contains(r.body, []byte("<svg")) {
			t.Errorf("the picture %s is %.100q", kind, r.body)
		}
	}
	for _, kind := range []string{"focal", "focal:9", "groups:1", "evil"} {
		x.get(p+"/exports/picture.svg?kind="+kind).problem(422, "input")
	}
	rows, err := csv.NewReader(bytes.NewReader(x.get(p + "/exports/history.csv").body)).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][3] != "different" || rows[2][3] != "same" {
		t.Errorf("history.csv is %v, %v", rows, err)
	}
	// Of a partition without masses there is a plain file.
	w := x.begin("wine")
	if err := os.WriteFile(filepath.Join(folder, "wine.csv"), x.get(w+"/exports/partition.csv").wants(200).body, 0o644); err != nil {
		t.Fatal(err)
	}
	table, err := dataset.Read(t.Context(), filepath.Join(folder, "wine.csv"), dataset.ReadOptions{Label: partition.ClusterColumn, ID: partition.IDColumn})
	if err != nil || table.Rows != 178 {
		t.Errorf("the partition of wine: %v", err)
	}
	x.get(w+"/exports/picture.svg?kind=masses").problem(422, "input")
	x.get(w + "/exports/picture.svg").wants(200)
}

// Of many projects only some are open at once: the one unused for longest is closed, and opened again when asked for.
func TestManyProjects(t *testing.T) {
	x := open(t, Config{MostOpen: 2})
	first := x.begin("iris")
	x.post(first+"/answers", `{"id":"a1","a":0,"b":60,"answer":"different"}`).wants(200)
	time.Sleep(2 * time.Millisecond)
	x.begin("wine")
	time.Sleep(2 * time.Millisecond)
	x.begin("iris") // another one
	if l := x.listed("iris"); l.State != stateClosed || l.Answers != 1 {
		t.Errorf("the first is %+v", l)
	}
	if l := x.listed("iris-2"); l.State != stateOpen {
		t.Errorf("the third is %+v", l)
	}
	x.post(first+"/open", "{}").wants(202)
	if l := x.ready("iris"); l.State != stateOpen || l.Answers != 1 {
		t.Errorf("opened again it is %+v", l)
	}
}

// What can be begun on: samples, and what lies in the folder.
func TestSources(t *testing.T) {
	x := open(t, Config{})
	x.put("a.csv", "x\n1\n")
	x.put("sub/b.parquet.zst", "")
	x.put("sub/deeper/evendeeper/c.csv", "")
	x.put("birds/one.JPG", "")
	x.put("birds/two.png", "")
	x.put("notes.txt", "")
	x.put(".hidden/d.csv", "")
	x.put("p.kindred", "")
	got := map[string]string{}
	for _, s := range into[Sources](x.get("/api/v1/sources").wants(200)).Sources {
		got[s.Name] = s.Kind
		if s.Title == "" {
			t.Errorf("%s has no title", s.Name)
		}
	}
	want := map[string]string{"iris": "sample", "wine": "sample", "digits": "sample", "a.csv": "file", "sub/b.parquet.zst": "file", "birds": "folder", "p.kindred": "project"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the sources are %v, want %v", got, want)
	}
}

// A server without a folder serves what the program opens, and begins nothing.
func TestWithoutFolder(t *testing.T) {
	s, err := New(Config{Secret: []byte("x"), Address: "127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "mine.kindred")
	d, err := s.Open(t.Context(), desk.Config{Path: path, Data: "iris"})
	if err != nil {
		t.Fatal(err)
	}
	if d.ID() != "mine" {
		t.Errorf("it is called %q", d.ID())
	}
	if _, err := s.Open(t.Context(), desk.Config{Path: path, Data: "iris"}); err == nil {
		t.Error("it was opened twice")
	}
	if _, err := s.Open(t.Context(), desk.Config{Path: filepath.Join(t.TempDir(), "x.kindred"), Data: "nowhere.csv"}); err == nil {
		t.Error("there was nothing to open")
	}
	list, err := s.listing(t.Context())
	if err != nil || len(list.Projects) != 1 || list.Projects[0].State != stateOpen {
		t.Errorf("the list is %+v, %v", list, err)
	}
	if _, err := (settings{"links": "/etc/passwd"}).recipe(false); err == nil {
		t.Error("a setting may name any file")
	}
	s.stop()
	if err := s.close(); err != nil {
		t.Error(err)
	}
	if text, err := json.Marshal(list); err != nil || !bytes.Contains(text, []byte(`"mine"`)) {
		t.Errorf("%s, %v", text, err)
	}
}
