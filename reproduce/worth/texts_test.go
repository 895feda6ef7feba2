package worth

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// topical makes a set of texts about three things, a dozen about each, whose vectors lie apart by
// them.
func topical(t *testing.T) frame.Config {
	t.Helper()
	about := [][]string{
		{"river", "boat", "water", "fish"}, {"flour", "oven", "bread", "cake"},
		{"engine", "wheel", "brake", "road"},
	}
	texts, vectors := "id,text,intent\n", "x,y\n"
	for i := range 36 {
		words := about[i%3]
		texts += fmt.Sprintf("%d,the %s and the %s near a %s,topic %d\n", i, words[i/3%4],
			words[i/12%4], words[(i/3+1)%4], i%3)
		vectors += fmt.Sprintf("%g,%g\n", float64(i%3)+float64(i)/1000, float64(i%3*(i%3)))
	}
	folder := t.TempDir()
	for name, text := range map[string]string{"v.csv": vectors, "t.csv": texts} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return frame.Config{Trials: 2, Datasets: folder, Parts: []string{textPart}}
}

// Each method reads each encoder's vectors: what the seed draws twice, all else once. Where vectors
// lie apart by topics, all find these, and a picture has the curves.
func TestVectorsOfTexts(t *testing.T) {
	cfg := topical(t)
	cfg.Out, cfg.Threads = t.TempDir(), 1
	e := Experiment()
	e.Needs = []frame.Need{{Name: "topics", Title: "Topics", File: "v.csv", Rows: 36, Cols: 2,
		Classes: 3, Labels: "t.csv", Class: "intent", Text: "text", Vectors: true,
		Parts: []string{textPart}}}
	r, err := e.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	// kin, k-means and two of maps are drawn, HDBSCAN* on the vectors is not
	if got, want := len(r.Runs.All()), len(encoders)*(4*cfg.Trials+1); got != want {
		t.Errorf("%d runs, want %d", got, want)
	}
	if len(r.Tables) != 1 || len(r.Tables[0].Rows) != len(encoders)*len(readers) {
		t.Fatalf("tables %+v", r.Tables)
	}
	for _, row := range r.Tables[0].Rows {
		first := row.Cells[0].Mean
		if row.Keys[1] == "MiniLM" && row.Keys[2] != preferred && first.Value != 1 {
			t.Errorf("%s on vectors that lie apart: index %g", row.Keys[2], first.Value)
		}
		answered := row.Cells[2].Mean
		if row.Keys[2] == preferred && !(answered.Value >= first.Value) || !first.There() {
			t.Errorf("%v: index %g, and after 100 answers %g", row.Keys, first.Value,
				answered.Value)
		}
		if row.Keys[2] != preferred && answered.There() {
			t.Errorf("%v: index %g after answers that nobody gave", row.Keys, answered.Value)
		}
	}
	if len(r.Pictures) != 1 || r.Pictures[0].Name != "texts" {
		t.Errorf("pictures %+v", r.Pictures)
	}
	cfg.Threads = 3
	again, err := e.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if again.Resumed != again.Units {
		t.Errorf("%d of %d pieces of work were taken up again", again.Resumed, again.Units)
	}
	cfg.Out = ""
	three, err := e.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := fmt.Sprint(r.Tables), fmt.Sprint(three.Tables); a != b { // NaN is not NaN
		t.Errorf("one thread:\n%s\nthree:\n%s", a, b)
	}
}

// Rows that are in no cluster go to the nearest mean: 6 is nearer to 8, the mean of 7 and 9, than
// to 1, that of 0 and 2.
func TestPlaced(t *testing.T) {
	x := dataset.Matrix{Rows: 6, Cols: 1, F64: []float64{0, 2, 6, 7, 9, 3}}
	labels := []int{2, 2, 0, 1, 1, 0}
	if got, want := placed(x, labels, 2), []int{2, 2, 1, 1, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("placed %v, want %v", got, want)
	}
	if labels[2] != 0 {
		t.Error("the labels given were changed")
	}
	if none := make([]int, 6); !slices.Equal(placed(x, none, 0), none) {
		t.Error("rows were placed where there is no cluster")
	}
}

// The experiment has texts of the sets that it compares encoders on.
func TestTextSets(t *testing.T) {
	var got []string
	for _, n := range Experiment().Needs {
		if slices.Contains(n.Parts, textPart) != (n.Text != "") {
			t.Errorf("%s has texts in %q, parts %s", n.Name, n.Text, strings.Join(n.Parts, ", "))
		}
		if n.Text != "" {
			got = append(got, n.Name)
		}
	}
	if !slices.Equal(got, textSets) {
		t.Errorf("texts of %q", got)
	}
}
