package dataset_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
)

func TestTimesWithoutAZoneAmongOthersAreNoted(t *testing.T) {
	const note = "times without a zone among others with one, read as UTC: at"
	for csv, want := range map[string]bool{
		"at,x\n2024-01-02T10:00:00+02:00,1\n2024-01-03T10:00:00,2\n":       true,
		"at,x\n2024-01-02T10:00:00,1\n2024-01-03T10:00:00Z,2\n":            true,
		"at,x\n2024-01-02T10:00:00+02:00,1\n2024-01-03T10:00:00+02:00,2\n": false,
		"at,x\n2024-01-02T10:00:00,1\n2024-01-03T10:00:00,2\n":             false,
	} {
		table, err := dataset.ReadStream(context.Background(), strings.NewReader(csv), "a.csv",
			dataset.ReadOptions{Format: dataset.FormatCSV})
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(table.Notes, note) != want {
			t.Errorf("%q: %q", csv, table.Notes)
		}
	}
}

func TestJSONWithoutRowsSpeaksOfJSON(t *testing.T) {
	for text, want := range map[string]string{
		"[]":               "is a JSON array that holds no rows; give an object",
		" [ ]\n":           "is a JSON array that holds no rows; give an object",
		`[{"x": 1}, null]`: "row 2: is null, or no JSON; take the null away",
		`{"x":1} {"x":2}`:  "give one whole JSON object a line",
	} {
		_, err := dataset.ReadStream(context.Background(), strings.NewReader(text), "a.jsonl",
			dataset.ReadOptions{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
