package project_test

import (
	"database/sql"
	"os"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/project"
)

// carry opens a project over data that changed.
func carry(t *testing.T, path string) (*project.Project, error) {
	t.Helper()
	d, err := project.Open(t.Context(), project.Config{Path: path, Carry: true, Alone: true})
	if err == nil {
		t.Cleanup(func() { d.Close() })
	}
	return d, err
}

// answered begins a project on six rows, 0, 1, 2, 20, 21 and 22, with answers about some pairs.
func answered(t *testing.T, pairs ...[2]int) (data, path string) {
	t.Helper()
	data, _ = linked(t, "")
	path = projectFile(t)
	d := alone(t, path, data, "method", "pckmeans", "clusters", "2")
	for _, p := range pairs {
		must(t)(d.Answer(t.Context(), "", project.Step{A: p[0], B: p[1], Answer: "different"}))
	}
	d.Close()
	return data, path
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestAnswersFollowRowsWithoutIDs to where their values are, whatever the order of rows.
func TestAnswersFollowRowsWithoutIDs(t *testing.T) {
	data, path := answered(t, [2]int{0, 3}, [2]int{1, 4})
	write(t, data, "x\n21\n-7\n0\n20\n1\n2\n22\n")
	d, err := carry(t, path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range [][2]int{{2, 3}, {4, 0}} {
		_, err := d.Answer(t.Context(), "", project.Step{A: want[0], B: want[1],
			Answer: "same"})
		if err == nil || !strings.Contains(err.Error(), "different") {
			t.Errorf("rows %v are not answered about: %v", want, err)
		}
	}
	if s := d.State(""); s.Answers != 2 {
		t.Errorf("%d answers", s.Answers)
	}
	if said := d.Carried(); len(said) != 1 || !strings.Contains(said[0], "4 of the 4 rows") {
		t.Errorf("it is said that %q", said)
	}
}

// TestRowsThatAreAlikeAreNotFoundAgain, neither where they were alike nor where they are now.
func TestRowsThatAreAlikeAreNotFoundAgain(t *testing.T) {
	data, path := answered(t, [2]int{0, 3}, [2]int{1, 4})
	write(t, data, "x\n0\n0\n20\n1\n21\n")
	d, err := carry(t, path)
	if err != nil {
		t.Fatal(err)
	}
	if s := d.State(""); s.Answers != 1 {
		t.Errorf("%d answers", s.Answers)
	}
	if said := d.Carried(); len(said) != 2 || !strings.Contains(said[0], "3 of the 4 rows") ||
		!strings.HasPrefix(said[1], "1 answer about rows that are not among the data now") {
		t.Errorf("it is said that %q", said)
	}
}

// TestNothingIsCarriedByNumber where rows cannot be found by content, as in a project of an older
// format, which does not keep it; the project stays as it was.
func TestNothingIsCarriedByNumber(t *testing.T) {
	data, path := answered(t, [2]int{0, 3})
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("DELETE FROM rows; UPDATE digests SET count = 0, digest = " +
		"zeroblob(32) WHERE name = 'rows'"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	was, err := os.ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	write(t, data, "x\n-7\n0\n1\n2\n20\n21\n22\n")
	if _, err := carry(t, path); !fault.IsInput(err) || !strings.Contains(err.Error(), "--id") {
		t.Fatalf("answers about rows that cannot be found: %v", err)
	}
	// Opened with the data as they were, the project learns what its rows hold.
	write(t, data, string(was))
	d := alone(t, path, "")
	if s := d.State(""); s.Answers != 1 {
		t.Errorf("%d answers", s.Answers)
	}
	d.Close()
	write(t, data, "x\n-7\n0\n1\n2\n20\n21\n22\n")
	if d, err = carry(t, path); err != nil || d.State("").Answers != 1 {
		t.Errorf("then: %v", err)
	}
}

// TestAColumnOfIDsMayBeNamedLater: answers by number become answers by id, and stay such.
func TestAColumnOfIDsMayBeNamedLater(t *testing.T) {
	folder := t.TempDir()
	data, path := folder+"/rows.csv", folder+"/rows.kindred"
	write(t, data, "mark,x\n3,0\n2,1\n1,20\n")
	d := alone(t, path, data, "method", "pckmeans", "clusters", "2")
	must(t)(d.Answer(t.Context(), "", project.Step{A: 0, B: 1, Answer: "different"}))
	d.Close()
	d = alone(t, path, "", "id", "mark")
	if said := d.Carried(); len(said) != 1 || !strings.Contains(said[0], "by id from now on") {
		t.Errorf("it is said that %q", said)
	}
	d.Close()
	d = alone(t, path, "")
	events, _ := d.History(0, 10)
	if len(events) != 1 || events[0].A.ID != "3" || events[0].B.ID != "2" || events[0].A.Row != 0 {
		t.Errorf("events %+v", events)
	}
	d.Close()
	r := recipe(t, "id", "", "drop", "mark")
	_, err := project.Open(t.Context(), project.Config{Path: path, Alone: true, Recipe: r})
	if !fault.IsInput(err) || !strings.Contains(err.Error(), "name the column of ids with --id") {
		t.Errorf("without the ids: %v", err)
	}
}
