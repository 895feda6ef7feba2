package model_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/mutate"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/model"
)

// saved writes a model, and returns it as it is read again and the text.
func saved(t *testing.T, path string) (*method.Model, []byte) {
	t.Helper()
	m := &method.Model{Method: "kmeans", ClusterOf: []int{1, 2},
		Means: dataset.Matrix{Rows: 2, Cols: 3, F64: []float64{1, 2.5, -3e-7, 0.1, 0, 1e9}},
		Encoding: dataset.Encoding{Scale: dataset.ScaleNone, Missing: dataset.MissingRefuse,
			Columns: []dataset.EncodedColumn{
				{Source: "width", Type: dataset.Number}, {Source: "height", Type: dataset.Number},
				{Source: "<µ & \"x\">", Type: dataset.Number}}}}
	if err := model.Save(m, path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if m, err = model.Load(path); err != nil || m.Unverified || model.Note(m, path) != "" {
		t.Fatalf("%+v %v", m, err)
	}
	return m, text
}

// TestAChangedModelIsRefused, and one without its digest is read, which is said.
func TestAChangedModelIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.model")
	want, text := saved(t, path)
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(strings.Replace(string(text), "2.5", "3.5", 1))
	if _, err := model.Load(path); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "rows would be placed wrongly") ||
		!strings.Contains(err.Error(), `remove the field "digest"`) {
		t.Errorf("a mean was changed: %v", err)
	}
	object, _, ok := strings.Cut(string(text), `,"digest":"sha256:`)
	if !ok {
		t.Fatalf("the model is %s", text)
	}
	write(object + "}\n")
	m, err := model.Load(path)
	if err != nil || !m.Unverified || !strings.Contains(model.Note(m, path), "no digest") {
		t.Errorf("without a digest: %+v, %v", m, err)
	}
	if diff := cmp.Diff(want, m, cmpopts.IgnoreFields(method.Model{}, "Unverified"),
		cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	write(object + `,"digesT":"sha256:` + strings.Repeat("0", 64) + `"}`)
	if _, err := model.Load(path); !fault.IsInput(err) {
		t.Errorf("another digest: %v", err)
	}
}

// TestAMutatedModelIsNoticed: it is read as it was, or refused.
func TestAMutatedModelIsNoticed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.model")
	want, text := saved(t, path)
	rng := rand.New(rand.NewPCG(7, 11))
	n := 20000
	if testing.Short() {
		n = 1000
	}
	refused := 0
	for range n {
		bad := mutate.Damage(rng, text, text)
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := model.Load(path)
		if err != nil {
			if refused++; !fault.IsInput(err) {
				t.Fatalf("%q: %v", bad, err)
			}
			continue
		}
		if diff := cmp.Diff(want, m); diff != "" {
			t.Fatalf("%q is read, with %s", bad, diff)
		}
	}
	t.Logf("of %d mutated models %d are refused, and the others read as they were", n, refused)
}
