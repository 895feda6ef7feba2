package studio

import (
	"database/sql"
	"fmt"
	"net/http"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/kindred-go/kindred/internal/mutate"
	"github.com/kindred-go/kindred/project"
)

// mostTaken is how many bytes of memory the server may take beyond what it has, while a folder of
// bombs is looked at.
const mostTaken = 512 << 20

// TestBombsEndNobodysWork previews a folder of files that state or make more than memory holds, and
// begins projects on them, while another client goes on answering: each is refused with a sentence,
// and no memory is taken for it.
func TestBombsEndNobodysWork(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	x := open(t, Config{People: []string{"ann", "bob"}})
	names := bombs(x)
	class := classes(t, "iris")
	p := x.begin("iris")
	ann, bob := x.as("ann"), x.as("bob")
	stop, answered := make(chan struct{}), make(chan int)
	go func() { // answers are checked when the bombs have gone off
		n := 0
		defer func() { answered <- n }()
		for {
			turn := into[project.Turn](bob.get(p + "/turn").wants(http.StatusOK))
			if turn.Question != nil {
				bob.answer(p, turn.Question, class)
				n++
			}
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	most := watchHeap(stop)
	for _, name := range names {
		data := fmt.Sprintf(`{"data":%q}`, name)
		r := ann.post("/api/v1/preview", data)
		looked := ""
		if r.status == http.StatusOK {
			looked = into[Preview](r).Problem
		} else {
			looked = r.problem(r.status, "input").Detail
		}
		if looked == "" || r.status >= 500 {
			t.Errorf("%s: the preview gave %d: %.300s", name, r.status, r.body)
		}
		begun := ann.post("/api/v1/projects", data)
		if begun.status != http.StatusAccepted {
			if begun.status >= 500 {
				t.Errorf("%s: beginning gave %d: %.300s", name, begun.status, begun.body)
			}
			continue
		}
		if l := ann.ready(into[Started](begun).ID); l.State == stateOpen || l.Error == "" {
			t.Errorf("%s: the project is %s: %s", name, l.State, l.Error)
		}
	}
	close(stop)
	if n := <-answered; n == 0 {
		t.Error("nobody answered")
	}
	if took := <-most; took > mostTaken {
		t.Errorf("%d MB were taken", took>>20)
	}
	state := x.settled(p)
	if state.Answers == 0 {
		t.Error("no answer is kept")
	}
}

// watchHeap measures, until stop is closed, how much the memory of the runtime grows.
func watchHeap(stop <-chan struct{}) <-chan uint64 {
	runtime.GC()
	of := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(of)
	before, most, out := of[0].Value.Uint64(), uint64(0), make(chan uint64, 1)
	go func() {
		for {
			select {
			case <-stop:
				out <- most
				return
			case <-time.After(time.Millisecond):
			}
			metrics.Read(of)
			if now := of[0].Value.Uint64(); now > before {
				most = max(most, now-before)
			}
		}
	}()
	return out
}

// bombs puts them into the folder that is served, and returns their names.
func bombs(x *studio) (names []string) {
	x.t.Helper()
	put := func(name string, file []byte) {
		name = strings.ReplaceAll(name, " ", "-")
		x.put(name, string(file))
		names = append(names, name)
	}
	for name, file := range mutate.ParquetBombs() {
		put(name+".parquet", file)
	}
	for name, file := range mutate.ArrowBombs() {
		put(name+".arrow", file)
	}
	put("deep.json", []byte(strings.Repeat("[", 1<<20)))
	put("list.jsonl", []byte(`{"l":[`+strings.Repeat(`"a",`, 1<<18)+`"a","x":1}`+"\n"))
	put("shape.npy", []byte("\x93NUMPY\x01\x00\x76\x00"+fmt.Sprintf("%-117s\n",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (2147483647, 1000000), }")))
	put("zeros.csv.gz", mutate.Gzip(make([]byte, 80<<20)))
	for name, view := range map[string]string{
		"zeros.db": "SELECT zeroblob(1000000000) AS a, 1 AS b",
		"texts.db": "SELECT replace(printf('%.*c',30000,'x'),'x',printf('%.*c',30000,'y')) AS a, " +
			"1 AS b",
	} {
		db, err := sql.Open("sqlite", filepath.Join(x.folder, name))
		if err != nil {
			x.t.Fatal(err)
		}
		_, err = db.Exec("CREATE VIEW v AS " + view)
		if db.Close(); err != nil {
			x.t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}
