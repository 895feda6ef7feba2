package input

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// TestFoldersOfTexts are tables with a row for each file, whatever its encoding.
func TestFoldersOfTexts(t *testing.T) {
	latin, err := charmap.Windows1252.NewEncoder().String("Käse, \"Brot\"\nund Wein\n")
	if err != nil {
		t.Fatal(err)
	}
	folder := write(t, map[string]string{"b/2.txt": latin, "a/1.TXT": "\ufeffone, two",
		"a/3.txt": " \n", "a/read.me": "no text", ".hidden.txt": "none"})
	var s Source
	var place Place
	if _, where, err := place.Locate(folder); where != InTexts || err != nil {
		t.Fatalf("it is at %d: %v", where, err)
	}
	table, err := s.Read(t.Context(), place, folder, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got [][]string
	for row := range table.Rows {
		got = append(got, []string{table.ID(row), table.Cell(row, 1), table.Cell(row, 2)})
	}
	want := [][]string{{"a/1.TXT", "a", "one, two"}, {"a/3.txt", "a", ""},
		{"b/2.txt", "b", "Käse, \"Brot\"\nund Wein"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, c := range table.Columns[1:] {
		if c.Role != dataset.Unused || c.Type != dataset.Text {
			t.Errorf("%s is a %v of type %v", c.Name, c.Role, c.Type)
		}
	}
	again, err := s.Read(t.Context(), place, folder, false, nil)
	if err != nil || again.Fingerprint != table.Fingerprint {
		t.Errorf("the fingerprint changes: %v", err)
	}

	flat := write(t, map[string]string{"1.txt": "one", "2.txt": "two"})
	if table, err = s.Read(t.Context(), place, flat, true, nil); err != nil ||
		len(table.Columns) != 2 || table.Columns[1].Name != "text" {
		t.Errorf("a folder without others: %v", err)
	}
	pictures := write(t, map[string]string{"readme.txt": "one", "p/2.png": "two"})
	if _, where, err := place.Locate(pictures); where != InFolder || err != nil {
		t.Errorf("pictures are at %d: %v", where, err)
	}
	bad := write(t, map[string]string{"1.txt": "one", "2.txt": "t\x00w"})
	_, err = s.Read(t.Context(), place, bad, true, nil)
	if !fault.IsInput(err) || !strings.Contains(err.Error(), "2.txt: has a NUL byte") {
		t.Error(err)
	}
}
