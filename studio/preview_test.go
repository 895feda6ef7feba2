package studio

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindred-go/kindred/project"
)

// What is missing is shown with what can be done about it, and what follows from each; nothing is
// created before that is said.
func TestMissingValuesAreAskedAbout(t *testing.T) {
	x := open(t, Config{})
	x.put("gaps.csv", "a,b,c\n1,2,red\n3,,red\n,4,blue\n5,6,\n7,7,blue\n9,8,red\n2,2,red\n")
	got := into[Preview](x.post("/api/v1/preview", `{"data":"gaps.csv"}`).wants(200))
	if got.Kind != "table" || got.Format != "csv" || got.Read != 7 || got.Problem != "" {
		t.Errorf("it is %+v", got)
	}
	got = outcome(got)
	want := Preview{Rows: 7, Features: 4, Missing: &Missing{Values: 3, Rows: 3,
		Columns: []MissingColumn{{"a", 1}, {"b", 1}, {"c", 1}},
		Choices: []MissingChoice{
			{"keep", "keep all rows: what is missing is predicted from the other columns", 7, 4},
			{"drop", "leave out 3 rows, so that 4 stay", 4, 4},
			{"median", "fill in the median of the column, or its most frequent word", 7, 4},
			{"mean", "fill in the mean of the column, or its most frequent word", 7, 4},
		}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Each choice leads to what was shown.
	for _, choice := range got.Missing.Choices {
		settings, err := json.Marshal(map[string]string{"missing": choice.Name})
		if err != nil {
			t.Fatal(err)
		}
		request := `{"data":"gaps.csv","settings":` + string(settings) + `}`
		said := into[Preview](x.post("/api/v1/preview", request).wants(200))
		if said.Missing != nil || said.Rows != choice.Rows || said.Features != choice.Features {
			t.Errorf("%s: %+v", choice.Name, said)
		}
		id := into[Started](x.post("/api/v1/projects", request).wants(202)).ID
		if l := x.ready(id); l.State != stateOpen {
			t.Fatalf("%s: %+v", choice.Name, l)
		}
		state := into[project.State](x.get("/api/v1/projects/" + id).wants(200))
		if state.Rows != choice.Rows || state.Settings["missing"] != choice.Name {
			t.Errorf("%s: %d rows under %v", choice.Name, state.Rows, state.Settings)
		}
	}
}

// Data that cannot be read are refused as a project would be, and what needs no choice has none.
func TestPreviewOfOtherData(t *testing.T) {
	x := open(t, Config{})
	x.put("ragged.csv", "a,b\n1,2\n3\n")
	x.put("gaps.csv", "a,b\n1,2\n3,\n5,6\n")
	x.post("/api/v1/preview", `{"data":"ragged.csv"}`).wants(422)
	x.post("/api/v1/preview", `{"data":"none.csv"}`).wants(422)
	x.post("/api/v1/preview", `{"data":"../gaps.csv"}`).wants(422)
	x.post("/api/v1/preview", `{"data":"gaps.csv","settings":{"missing":"guess"}}`).wants(422)
	for request, want := range map[string]Preview{
		`{"data":"iris"}`: {Rows: 150, Features: 4},
		`{"data":"gaps.csv","settings":{"metric":"gower","clusters":"2"}}`: {Rows: 3, Features: 2},
	} {
		got := outcome(into[Preview](x.post("/api/v1/preview", request).wants(200)))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", request, diff)
		}
	}
}

// A problem names the settings that its sentence does, and lists what a file holds.
func TestProblemsNameSettings(t *testing.T) {
	x := open(t, Config{})
	x.put("square.csv", "0,1,2\n1,0,3\n2,3,0\n")
	p := into[Preview](x.post("/api/v1/preview",
		`{"data":"square.csv","settings":{"dissimilarity":"true"}}`).wants(200))
	if !slices.Contains(p.Settings, "clusters") {
		t.Errorf("%q names %q", p.Problem, p.Settings)
	}
	wrong := into[Problem](x.post("/api/v1/preview",
		`{"data":"iris","settings":{"missing":"guess"}}`).wants(422))
	if !slices.Equal(wrong.Settings, []string{"missing"}) || wrong.Parts != nil {
		t.Errorf("%q names %q", wrong.Detail, wrong.Settings)
	}
	for sentence, want := range map[string][]string{
		"choose one with --table NAME, or give --query SQL":    {"table", "query"},
		"give -k, or --no-such-setting":                        {"clusters"},
		"a-k and x--table are words":                           nil,
		"drop it (--missing drop) or fill it (--missing mean)": {"missing"},
	} {
		if got := settingsIn(sentence); !slices.Equal(got, want) {
			t.Errorf("%q names %q", sentence, got)
		}
	}
	// What was not chosen is not said to be done.
	x.put("gaps.csv", "a,b\n1,2\n3,\n5,6\n")
	for _, note := range into[Preview](x.post("/api/v1/preview",
		`{"data":"gaps.csv"}`).wants(200)).Notes {
		if strings.Contains(note, "filled in") {
			t.Errorf("it says %q", note)
		}
	}
}

// outcome is what follows from a preview, without what the data are.
func outcome(p Preview) Preview {
	return Preview{Rows: p.Rows, Features: p.Features, Missing: p.Missing, Problem: p.Problem}
}

// Each column is listed with what it was taken for and why; settings change that, and what cannot
// be begun says so, and shows the columns all the same.
func TestPreviewListsColumns(t *testing.T) {
	x := open(t, Config{})
	var rows strings.Builder
	rows.WriteString("customer_id;income;city;since;species\n")
	for i := range 40 {
		fmt.Fprintf(&rows, "C%03d;%d,5;%s;%02d.03.2021;%s\n", i, 10+i%7,
			[]string{"Bonn", "Kiel"}[i%2], 1+i%28, []string{"x", "y"}[i%2])
	}
	x.put("people.csv", rows.String())
	look := func(settings string) Preview {
		t.Helper()
		return into[Preview](x.post("/api/v1/preview",
			`{"data":"people.csv","settings":`+settings+`}`).wants(200))
	}
	roles := func(p Preview) (list []string) {
		for _, c := range p.Columns {
			list = append(list, c.Type+" "+c.Role)
		}
		return list
	}
	p := look(`{}`)
	want := []string{"text id", "number feature", "category feature", "time unused",
		"category unused"}
	if diff := cmp.Diff(want, roles(p)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	c := p.Columns[1]
	if c.Low != "10.5" || c.High != "16.5" || len(c.Histogram) != 8 || c.Why == "" {
		t.Errorf("income is %+v", c)
	}
	if diff := cmp.Diff([]Value{{"Bonn", 20}, {"Kiel", 20}}, p.Columns[2].Examples); diff != "" {
		t.Errorf("cities (-want +got):\n%s", diff)
	}
	p = look(`{"label":"species","drop":"city","dates":"days"}`)
	want = []string{"text id", "number feature", "category unused", "time feature", "category label"}
	if diff := cmp.Diff(want, roles(p)); diff != "" || p.Features != 2 {
		t.Errorf("%d features (-want +got):\n%s", p.Features, diff)
	}
	for _, settings := range []string{`{"drop":"city,income"}`, `{"method":"evclus"}`} {
		if p = look(settings); p.Problem == "" || len(p.Columns) != 5 {
			t.Errorf("%s: %+v", settings, p)
		}
	}
}

// Of a wide table only the columns that are asked for are sent.
func TestPreviewOfAWideTable(t *testing.T) {
	x := open(t, Config{})
	var head, row strings.Builder
	for j := range 3000 {
		fmt.Fprintf(&head, "c%d,", j)
		fmt.Fprintf(&row, "%d,", j%5)
	}
	x.put("wide.csv", head.String()+"z\n"+row.String()+"1\n"+row.String()+"2\n"+
		row.String()+"3\n")
	look := func(more string) Preview {
		t.Helper()
		return into[Preview](x.post("/api/v1/preview", `{"data":"wide.csv"`+more+`}`).wants(200))
	}
	p := look("")
	if len(p.Columns) != 200 || p.Width != 3001 || p.Found != 3001 || p.Rows != 3 {
		t.Errorf("%d of %d columns, %d found, %d rows", len(p.Columns), p.Width, p.Found, p.Rows)
	}
	p = look(`,"find":"C29","offset":1,"limit":3`)
	var names []string
	for _, c := range p.Columns {
		names = append(names, c.Name)
	}
	if diff := cmp.Diff([]string{"c290", "c291", "c292"}, names); diff != "" || p.Found != 111 {
		t.Errorf("%d found (-want +got):\n%s", p.Found, diff)
	}
	// The file is read again once it has changed.
	x.put("wide.csv", "a,b\n1,2\n3,4\n5,9\n")
	if p = look(`,"find":"a"`); p.Width != 2 || p.Found != 1 {
		t.Errorf("after the change: %+v", p)
	}
	x.post("/api/v1/preview", `{"data":"wide.csv","limit":1001}`).wants(422)
}

// While a preview is made, it can be asked how far it is.
func TestPreviewTakesItsTime(t *testing.T) {
	prepare, hold, goOn := held()
	x := open(t, Config{}, prepare)
	x.put("rows.csv", table(30))
	hold()
	done := make(chan reply, 1)
	go func() { done <- x.post("/api/v1/preview", `{"data":"rows.csv"}`) }()
	eventually(t, "the preview has begun", func() bool {
		return into[Looking](x.get("/api/v1/preview").wants(200)).What != ""
	})
	goOn()
	if p := into[Preview]((<-done).wants(200)); p.Rows != 30 {
		t.Errorf("%+v", p)
	}
	if now := into[Looking](x.get("/api/v1/preview").wants(200)); now.What != "" {
		t.Errorf("after the end it is at %+v", now)
	}
}

// A client that goes away ends the reading for it.
func TestPreviewIsCancelled(t *testing.T) {
	prepare, hold, goOn := held()
	noticed := make(chan struct{}) // closed when the server knows that the client is gone
	x := open(t, Config{}, prepare, func(s *Server) {
		next := s.handler
		s.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				context.AfterFunc(r.Context(), func() { close(noticed) })
			}
			next.ServeHTTP(w, r)
		})
	})
	x.put("rows.csv", table(30))
	hold()
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "POST", "http://"+x.at+"/api/v1/preview",
		strings.NewReader(`{"data":"rows.csv"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+x.token)
	r.Header.Set("Content-Type", "application/json")
	gone := make(chan error, 1)
	go func() {
		_, err := x.client.Do(r)
		gone <- err
	}()
	eventually(t, "the preview has begun", func() bool {
		return into[Looking](x.get("/api/v1/preview").wants(200)).What != ""
	})
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	<-noticed
	goOn()
	eventually(t, "the preview has ended", func() bool {
		return into[Looking](x.get("/api/v1/preview").wants(200)).What == ""
	})
	x.server.looks.mu.Lock()
	defer x.server.looks.mu.Unlock()
	if x.server.looks.last != nil {
		t.Error("it was read to the end for nobody")
	}
}

// Where a project cannot be begun after all, no file of it stays.
func TestFailedBeginningLeavesNothing(t *testing.T) {
	x := open(t, Config{})
	x.put("rows.csv", table(30))
	x.put("links.csv", "a,b,link\n1,2,same\n2,3,same\n1,3,different\n")
	for _, settings := range []string{`{"links":"links.csv"}`, `{"links":"none.csv"}`,
		`{"id":"nowhere"}`} {
		r := x.post("/api/v1/projects", `{"data":"rows.csv","settings":`+settings+`}`).wants(202)
		l := x.ready(into[Started](r).ID)
		entries, err := os.ReadDir(x.folder)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		if l.State != stateFailed || len(names) != 2 {
			t.Errorf("%s: it is %s, and there are %v", settings, l.State, names)
		}
	}
}

// A project whose data lack values now asks what to do about them, and goes on so; the answer is
// kept with it.
func TestStoredProjectAsksAboutMissingValues(t *testing.T) {
	x := open(t, Config{})
	x.put("rows.csv", "id,x,y\na,1,2\nb,2,9\nc,3,3\nd,4,8\ne,5,1\n")
	p := x.begin("rows.csv")
	x.post(p+"/answers", `{"id":"a1","a":0,"b":3,"answer":"different"}`).wants(200)
	if err := x.stop(); err != nil {
		t.Fatal(err)
	}
	x.put("rows.csv", "id,x,y\na,1,2\nb,2,9\nc,3,\nd,4,8\ne,5,1\n")
	y := open(t, Config{Root: x.folder})
	open := func(how string) Listed {
		y.post(p+"/open", how).wants(202)
		return y.ready("rows")
	}
	l := open("{}")
	want := &Missing{Values: 1, Rows: 1, Columns: []MissingColumn{{"y", 1}},
		Choices: []MissingChoice{
			{"keep", "keep all rows: what is missing is predicted from the other columns", 5, 0},
			{"drop", "leave out 1 row, so that 4 stay", 4, 0},
			{"median", "fill in the median of the column, or its most frequent word", 5, 0},
			{"mean", "fill in the mean of the column, or its most frequent word", 5, 0},
		}}
	if diff := cmp.Diff(want, l.Missing); diff != "" || l.State != stateFailed || l.Changed {
		t.Fatalf("it is %+v (-want +got):\n%s", l, diff)
	}
	if l = open(`{"settings":{"missing":"keep"}}`); l.State != stateFailed || !l.Changed {
		t.Fatalf("with an answer it is %+v", l)
	}
	if l = open(`{"settings":{"missing":"keep"},"carry":true}`); l.State != stateOpen ||
		l.Answers != 1 {
		t.Fatalf("carried along it is %+v", l)
	}
	if err := y.stop(); err != nil {
		t.Fatal(err)
	}
	z := openStudio(t, x.folder)
	z.post(p+"/open", "{}").wants(202)
	if l := z.ready("rows"); l.State != stateOpen || l.Missing != nil {
		t.Fatalf("at the next start it is %+v", l)
	}
	if s := into[project.State](z.get(p).wants(200)); s.Settings["missing"] != "keep" ||
		s.Rows != 5 {
		t.Errorf("it goes on with %d rows under %v", s.Rows, s.Settings)
	}
}

// openStudio starts another server on a folder.
func openStudio(t *testing.T, folder string) *studio { return open(t, Config{Root: folder}) }

// Two objects are compared column by column.
func TestExplain(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris", "label", "class")
	e := into[Explained](x.get(p + "/explain?a=0&b=60").wants(200))
	if len(e.Columns) != 4 || e.More != 0 || e.Distance <= 0 || e.By == "" {
		t.Fatalf("%+v", e)
	}
	share := 0.0
	for i, c := range e.Columns {
		share += c.Share
		if i > 0 && c.Amount > e.Columns[i-1].Amount || c.A == "" || c.B == "" {
			t.Errorf("column %d is %+v", i, c)
		}
	}
	if math.Abs(share-1) > 1e-9 {
		t.Errorf("the shares add up to %g", share)
	}
	x.get(p+"/explain?a=0&b=150").problem(404, "not-found")
	x.get(p + "/explain?a=0").wants(422)
}

// TestPreviewsOfALogAreMadeAnew changes what a database holds by its log alone.
func TestPreviewsOfALogAreMadeAnew(t *testing.T) {
	x := open(t, Config{})
	path := filepath.Join(x.folder, "a.db")
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode(wal)&_pragma=wal_autocheckpoint(0)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for i, command := range []string{
		"CREATE TABLE t (x REAL, y REAL); INSERT INTO t VALUES (1, 2), (3, 5)",
		"INSERT INTO t VALUES (4, 7)", "INSERT INTO t VALUES (6, 8)"} {
		if _, err := db.ExecContext(t.Context(), command); err != nil {
			t.Fatal(err)
		}
		got := into[Preview](x.post("/api/v1/preview", `{"data":"a.db"}`).wants(200))
		if got.Read != i+2 {
			t.Errorf("%d rows, want %d", got.Read, i+2)
		}
	}
}
