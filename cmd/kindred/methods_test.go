package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/method/all"
)

// Every method is listed, described with each of its parameters, and in the JSON.
func TestMethodsAreDescribedWithTheirParameters(t *testing.T) {
	var list, text bytes.Buffer
	if err := listMethods(&list); err != nil {
		t.Fatal(err)
	}
	if err := writeMethods(&text, all.List()); err != nil {
		t.Fatal(err)
	}
	var read struct {
		Methods []declared `json:"methods"`
	}
	if err := json.Unmarshal(text.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	for i, m := range all.List() {
		if !strings.Contains(list.String(), "\n"+m.Name+" ") {
			t.Errorf("%s is not listed", m.Name)
		}
		if !strings.Contains(m.Title, ": ") {
			t.Errorf("the title of %s does not begin with its name: %s", m.Name, m.Title)
		}
		var about bytes.Buffer
		if err := describeMethod(&about, m); err != nil ||
			!strings.Contains(about.String(), m.Source) {
			t.Errorf("%s: %v\n%s", m.Name, err, about.String())
		}
		if got := read.Methods[i]; got.Name != m.Name || len(got.Params) != len(m.Params()) {
			t.Errorf("%s is %+v", m.Name, got)
		}
		for _, p := range m.Params() {
			if !strings.Contains(about.String(), "--"+p.Name+" ") {
				t.Errorf("%s is described without --%s", m.Name, p.Name)
			}
		}
	}
}

// TestMethodsAreFoundInAnyCase finds a method as papers write its name.
func TestMethodsAreFoundInAnyCase(t *testing.T) {
	code, said := command(t, "methods", "DBSCAN")
	if code != 0 || !strings.Contains(said, "--min-points") {
		t.Errorf("exits with %d: %s", code, said)
	}
	code, said = command(t, "cluster", "iris", "--method", "KMeans", "-k", "3")
	if code != 0 || strings.Contains(said, "KMeans") {
		t.Errorf("exits with %d: %s", code, said)
	}
}
