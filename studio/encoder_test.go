package studio

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/project/input"
)

// TestPagesSendNoTexts: where texts may be sent, and what is written beside a project, is for the
// command line to say.
func TestPagesSendNoTexts(t *testing.T) {
	for name, value := range map[string]string{"allow-remote": "true", "encoder-cache": "x",
		"encoder": "http://127.0.0.1:9/v1"} {
		for _, served := range []bool{true, false} {
			err := settings{name: value}.put(input.New(), served)
			if !fault.IsInput(err) || !strings.Contains(err.Error(), "cannot come from a page") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	x := open(t, Config{})
	x.put("stories.csv", "id,story\n"+strings.Repeat("a,the card was lost in the rain\n", 12))
	for _, body := range []string{
		`{"data":"stories.csv","settings":{"text":"story","encoder":"http://127.0.0.1:9/v1"}}`,
		`{"data":"stories.csv","settings":{"text":"story","allow-remote":"true"}}`,
	} {
		x.post("/api/v1/projects", body).wants(422)
	}
}

// TestVectorsBesideTheProject: those of an encoder are kept beside the file of a project, and a
// project that is opened again encodes nothing.
func TestVectorsBesideTheProject(t *testing.T) {
	var encoded atomic.Int64
	x := open(t, Config{}, func(s *Server) {
		s.progress = func(what string, share float64) {
			if what == "encoding texts" && share < 1 {
				encoded.Add(1)
			}
		}
	})
	folder := os.DirFS("../data/encode/folder/testdata/mean")
	if err := os.CopyFS(filepath.Join(x.folder, "encoder"), folder); err != nil {
		t.Fatal(err)
	}
	x.put("notes.csv", notes())
	p := x.begin("notes.csv", "text", "note", "encoder", "./encoder", "super-instances", "4")
	var files []string
	err := filepath.WalkDir(x.folder, func(path string, e fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".kindred.vectors") {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	before, err := os.ReadFile(files[0])
	if err != nil || encoded.Swap(0) == 0 {
		t.Fatal(encoded.Load(), err)
	}
	if sources := x.get("/api/v1/sources").wants(200); bytes.Contains(sources.body,
		[]byte(".vectors")) {
		t.Errorf("the vectors are data: %s", sources.body)
	}
	x.closing("notes")()
	x.post(p+"/open", "{}").wants(202)
	x.ready("notes")
	x.get(p + "/turn").wants(200)
	after, err := os.ReadFile(files[0])
	if n := encoded.Load(); n != 0 || err != nil || !bytes.Equal(before, after) {
		t.Errorf("opened again, texts were encoded (%d reports), or the file changed, %v", n, err)
	}
}
