package catalogue_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/reproduce/catalogue"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// TestSetsHaveTheirSize reads each data set that is here; the frame holds it to the size that the
// catalogue declares.
func TestSetsHaveTheirSize(t *testing.T) {
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		t.Skip("KINDRED_DATASETS is not set: the folder with the published data sets")
	}
	read := 0
	for _, name := range catalogue.Names() {
		need := catalogue.Need(name, "only")
		need.Sample = "" // the file itself
		info, err := os.Stat(filepath.Join(folder, need.File))
		if err != nil {
			t.Logf("%s is not here: %s", name, need.File)
			continue
		}
		if testing.Short() && info.Size() > 300_000 {
			continue
		}
		e := frame.Experiment{
			Name: "sizes", Parts: []frame.Part{{Name: "only"}}, Needs: []frame.Need{need},
			Trials: 1,
			Units:  func(frame.Plan) []frame.Unit { return nil },
			Tables: func(*frame.Results) {},
		}
		if _, err := e.Run(context.Background(), frame.Config{Datasets: folder}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		read++
	}
	if read < 30 {
		t.Errorf("%d data sets were read", read)
	}
}

// TestEverySetHasItsOrigin: a name, a title, a file of its own kind, and an address or why there
// is none.
func TestEverySetHasItsOrigin(t *testing.T) {
	for _, name := range catalogue.Names() {
		n := catalogue.Need(name, "a", "b")
		switch {
		case n.Name != name || len(n.Parts) != 2 || n.Title == "" || n.File == "" || n.Rows == 0 ||
			n.Cols == 0:
			t.Errorf("%s: %+v", name, n)
		case n.Matrix && (n.Rows != n.Cols || n.Labels == ""):
			t.Errorf("%s is a matrix of %d×%d with labels in %q", name, n.Rows, n.Cols, n.Labels)
		case !strings.Contains(n.From, "http") && !strings.Contains(n.From, "authors'"):
			t.Errorf("%s: from %q", name, n.From)
		case strings.ContainsAny(n.From, "{}"):
			t.Errorf("%s: %q", name, n.From)
		case (n.Sample == "") && n.Differs != "":
			t.Errorf("%s differs from no sample", name)
		}
	}
}

func TestAnUnknownNameIsASlipOfTheProgram(t *testing.T) {
	defer func() {
		said, _ := recover().(string)
		if !strings.Contains(said, `"irises" is no data set`) {
			t.Errorf("said %q", said)
		}
	}()
	catalogue.Need("irises")
}
