package dataset

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
)

// numberedDates writes a table of dates as numbers, and others where a row is among wrong.
func numberedDates(name string, rows int, wrong map[int]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "x,%s\n", name)
	for i := range rows {
		cell := fmt.Sprintf("%d%02d%02d", 1900+i%90, 1+i%12, 1+i%28)
		if other, ok := wrong[i]; ok {
			cell = other
		}
		fmt.Fprintf(&b, "%d,%s\n", i*i%97, cell)
	}
	return b.String()
}

// TestDatesOfEightDigits: numbers such as 19000404 are dates by the name of their column, though a
// few are mistyped, and by themselves where nearly all are days.
func TestDatesOfEightDigits(t *testing.T) {
	mistyped := map[int]string{3: "19371233", 7: "19001301", 20: ""}
	many := map[int]string{}
	for i := range 30 {
		many[2*i] = fmt.Sprint(19009900 + i)
	}
	for _, c := range []struct {
		name  string
		wrong map[int]string
		types map[string]Type
		want  Type
	}{
		{name: "date_of_birth", want: Time},
		{name: "when", want: Time},
		{name: "date_of_birth", types: map[string]Type{"date_of_birth": Number}, want: Number},
		{name: "dob", wrong: mistyped, want: Text}, // shown as written
		{name: "when", wrong: mistyped, want: Text},
		{name: "dob", wrong: many, want: Number},
		{name: "when", wrong: many, want: Number},
	} {
		table, err := ReadStream(t.Context(), strings.NewReader(numberedDates(c.name, 60, c.wrong)),
			"people.csv", ReadOptions{Format: FormatCSV, Keep: true, Types: c.types})
		if err != nil {
			t.Fatal(err)
		}
		if got := table.Columns[1]; got.Type != c.want {
			t.Errorf("%s with %d others: %v, %s", c.name, len(c.wrong), got.Type, got.Why)
		}
	}
	_, err := ReadStream(t.Context(), strings.NewReader(numberedDates("dob", 60, mistyped)),
		"people.csv", ReadOptions{Format: FormatCSV, Dates: DatesAuto})
	var in *fault.Input
	if !errors.As(err, &in) || !strings.Contains(in.Fix, "--na 19371233,19001301") {
		t.Errorf("mistyped dates that are compared: %v", err)
	}
	table, err := ReadStream(t.Context(), strings.NewReader(numberedDates("dob", 60, mistyped)),
		"people.csv", ReadOptions{Format: FormatCSV, Dates: DatesAuto,
			NA: []string{"19371233", "19001301"}})
	if err != nil || table.Columns[1].Missing != 3 {
		t.Errorf("read as missing: %v", err)
	}
}

// TestNumbersOfEightDigitsStayNumbers: amounts and counts of that size are no dates.
func TestNumbersOfEightDigitsStayNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("x,amount\n")
	for i := range 200 {
		fmt.Fprintf(&b, "%d,%d\n", i*i%97, 19_000_000+rng.IntN(1_000_000))
	}
	table, err := ReadStream(t.Context(), strings.NewReader(b.String()), "sums.csv",
		ReadOptions{Format: FormatCSV, Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Columns[1]; got.Type != Number || got.Role != Feature {
		t.Errorf("%v, %v", got.Type, got.Role)
	}
}
