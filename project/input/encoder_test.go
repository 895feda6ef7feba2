package input

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/model"
	"github.com/kindred-go/kindred/project/store"
)

// karten are texts in German.
func karten() string {
	words := [][]string{{"Karte", "verloren", "Bank", "sperren", "Konto", "überweisen"},
		{"Wetter", "regnet", "morgen", "Sonne", "Wolken", "schneit"}}
	var b strings.Builder
	b.WriteString("key,story\n")
	for i := range 20 {
		w := words[i%2]
		fmt.Fprintf(&b, "k%d,meine %s ist %s und %s auch %s wirklich %d\n", i, w[i%6], w[(i+1)%6],
			w[(i+3)%6], w[(i+4)%6], 1000+i)
	}
	return b.String()
}

// TestTheLanguageDecidesOnTheEncoder, where nobody else does.
func TestTheLanguageDecidesOnTheEncoder(t *testing.T) {
	folder := write(t, map[string]string{"stories.csv": stories(), "karten.csv": karten(),
		"words.csv": shortTexts})
	for _, c := range []struct {
		file     string
		settings []string
		encoder  string // "": there are no vectors
		note     string
	}{
		{"stories.csv", nil, encode.Builtin, "by their meaning (--encoder builtin)"},
		{"stories.csv", []string{"encoder", "lsa"}, encode.LSA, "by the use of"},
		{"stories.csv", []string{"plain", "true"}, encode.LSA, ""},
		{"stories.csv", []string{"dimensions", "4"}, encode.LSA, ""},
		{"karten.csv", nil, encode.LSA, "the texts are hardly in English"},
		{"karten.csv", []string{"encoder", "builtin"}, encode.Builtin, "--encoder lsa is better"},
		{"words.csv", []string{"method", "evclus", "clusters", "2"}, "", ""},
		{"words.csv", []string{"encoder", "builtin"}, encode.Builtin, ""},
		{"words.csv", []string{"encoder", "builtin", "method", "evclus", "clusters", "2"},
			encode.Builtin, ""},
	} {
		column := "story"
		if c.file == "words.csv" {
			column = "word"
		}
		d, r := openData(t, folder, c.file, slices.Concat([]string{"text", column}, c.settings)...)
		got := ""
		switch {
		case d.Words != nil:
			got = encode.LSA
		case d.Encoder != nil:
			got = d.Encoder.Name
		}
		if got != c.encoder || r.Encoder != got {
			t.Errorf("%s %v: by %q, and the recipe has %q", c.file, c.settings, got, r.Encoder)
		}
		if notes := strings.Join(d.Notes(), "; "); !strings.Contains(notes, c.note) {
			t.Errorf("%s %v: %s", c.file, c.settings, notes)
		}
	}
	var slip fault.Setting
	for _, settings := range [][]string{{"encoder", "bulitin"},
		{"encoder", "builtin", "dimensions", "300"}} {
		r := recipe(t, slices.Concat([]string{"text", "story"}, settings)...)
		if _, err := Open(t.Context(), Place{}, folder+"/stories.csv", r, nil); !errors.As(err,
			&slip) || !strings.Contains(string(slip), "lsa") {
			t.Errorf("%v: %v", settings, err)
		}
	}
}

// TestProjectsKeepTheirEncoder: those begun before there were encoders have none.
func TestProjectsKeepTheirEncoder(t *testing.T) {
	folder := write(t, map[string]string{"stories.csv": stories(), "words.csv": shortTexts})
	for _, c := range []struct {
		reading  int
		settings map[string]string
		file     string
		method   string
		encoder  string
	}{
		{ReadingNow, nil, "stories.csv", "kin", encode.Builtin},
		{ReadingNow, map[string]string{"encoder": "lsa"}, "stories.csv", "kin", encode.LSA},
		{ReadingNow, map[string]string{"encoder": "builtin"}, "words.csv", "evclus", encode.Builtin},
		{readingDerived, nil, "stories.csv", "kin", encode.LSA},
		{readingDerived, nil, "words.csv", "evclus", ""},
	} {
		h := store.Header{Method: c.method, Given: true, Reading: c.reading,
			Settings: map[string]string{"plain": "false", "clusters": "2"}}
		h.Settings["text"] = map[string]string{"stories.csv": "story", "words.csv": "word"}[c.file]
		for name, value := range c.settings {
			h.Settings[name] = value
		}
		r := New()
		project := filepath.Join(folder, "p.kindred")
		if _, err := r.Recall(h, project); err != nil {
			t.Fatal(err)
		}
		d, err := Open(t.Context(), Place{}, filepath.Join(folder, c.file), r, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		switch {
		case d.Words != nil:
			got = encode.LSA
		case d.Encoder != nil:
			got = d.Encoder.Name
		}
		if got != c.encoder {
			t.Errorf("%+v: by %q", c, got)
		}
		h.Settings = r.Remember(project)
		if changes := r.Changes(h, project); len(changes) > 0 {
			t.Errorf("%+v: changed %v", c, changes)
		}
	}
}

// TestModelsKeepTheirEncoder, so that new texts become the same vectors.
func TestModelsKeepTheirEncoder(t *testing.T) {
	folder := write(t, map[string]string{"stories.csv": stories()})
	for _, encoder := range []string{encode.Builtin, encode.LSA} {
		d, r := openData(t, folder, "stories.csv", "text", "story", "encoder", encoder)
		fit, err := kmeans.Fit(t.Context(), d.Ready.X, kmeans.Config{Clusters: 2})
		if err != nil {
			t.Fatal(err)
		}
		m := &method.Model{Means: fit.Centers, ClusterOf: []int{1, 2}}
		by, err := Find(r.MethodName)
		if err != nil {
			t.Fatal(err)
		}
		d.Sign(m, by)
		path := filepath.Join(folder, "m.model")
		if err := model.Save(m, path); err != nil {
			t.Fatal(err)
		}
		if m, err = model.Load(path); err != nil {
			t.Fatal(err)
		}
		var s Source
		_, rows, _, err := s.ForModel(t.Context(), Place{}, m, filepath.Join(folder, "stories.csv"),
			nil)
		if err != nil {
			t.Fatal(err)
		}
		labels, _, err := model.Predict(t.Context(), m, rows, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i, label := range labels {
			if label != int(fit.Labels[i])+1 {
				t.Errorf("%s: row %d is in cluster %d, and was in %d", encoder, i, label,
					fit.Labels[i]+1)
			}
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if had := strings.Contains(string(text), `"encoder":{"name":"builtin"`); had !=
			(encoder == encode.Builtin) {
			t.Errorf("%s: the model has an encoder: %v", encoder, had)
		}
	}
}
