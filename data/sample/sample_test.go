package sample

import (
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// table reads a sample whole: the header, the features and the classes.
func table(t *testing.T, name string) (header []string, x [][]float64, class []string) {
	t.Helper()
	s, ok := Find(name)
	if !ok {
		t.Fatalf("no sample %q", name)
	}
	r, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	records, err := csv.NewReader(r).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range records[1:] {
		row := make([]float64, len(rec)-1)
		for j := range row {
			if row[j], err = strconv.ParseFloat(rec[j], 64); err != nil {
				t.Fatal(err)
			}
		}
		x, class = append(x, row), append(class, rec[len(rec)-1])
	}
	return records[0], x, class
}

func TestEverySampleHasTheShapeItStates(t *testing.T) {
	origin, err := files.ReadFile("files/ORIGIN.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range List() {
		header, x, class := table(t, s.Name)
		if len(x) != s.Rows || len(header) != s.Features+1 {
			t.Errorf("%s: %d×%d, stated %d×%d", s.Name, len(x), len(header)-1, s.Rows, s.Features)
		}
		if last := header[len(header)-1]; last != s.Label {
			t.Errorf("%s: last column %q, stated %q", s.Name, last, s.Label)
		}
		if slices.Sort(header); len(slices.Compact(header)) != s.Features+1 {
			t.Errorf("%s: a column name occurs twice", s.Name)
		}
		distinct := map[string]bool{}
		for _, c := range class {
			distinct[c] = true
		}
		if len(distinct) != s.Classes {
			t.Errorf("%s: %d classes, stated %d", s.Name, len(distinct), s.Classes)
		}
		if s.Width*s.Height != 0 && s.Width*s.Height != s.Features {
			t.Errorf("%s: %d×%d pixels do not make %d features", s.Name, s.Width, s.Height,
				s.Features)
		}
		if s.Title == "" || s.Origin == "" || !strings.Contains(s.Licence, "CC BY 4.0") {
			t.Errorf("%s: title, origin or licence is not stated", s.Name)
		}
		if !strings.Contains(string(origin), strings.TrimPrefix(s.file, "files/")) {
			t.Errorf("%s: ORIGIN.md does not name its file", s.Name)
		}
	}
}

func TestClassCounts(t *testing.T) {
	for name, want := range map[string]map[string]int{
		"iris": {"setosa": 50, "versicolor": 50, "virginica": 50},
		"wine": {"1": 59, "2": 71, "3": 48},
		"digits": {"0": 178, "1": 182, "2": 177, "3": 183, "4": 181,
			"5": 182, "6": 181, "7": 179, "8": 174, "9": 180},
	} {
		_, _, class := table(t, name)
		got := map[string]int{}
		for _, c := range class {
			got[c]++
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: classes %v, want %v", name, got, want)
		}
	}
}

// The means of iris and the column names are known from many textbooks; the sum of the digits and
// the range of their pixels would change with any lost or shifted value.
func TestKnownFigures(t *testing.T) {
	_, x, _ := table(t, "iris")
	for j, want := range []string{"5.8433", "3.0573", "3.7580", "1.1993"} {
		sum := 0.0
		for _, row := range x {
			sum += row[j]
		}
		if got := fmt.Sprintf("%.4f", sum/150); got != want {
			t.Errorf("iris: mean of column %d is %s, want %s", j+1, got, want)
		}
	}
	_, x, _ = table(t, "wine")
	alcohol, proline := 0.0, 0.0
	for _, row := range x {
		alcohol += row[0]
		proline += row[12]
	}
	if got := fmt.Sprintf("%.4f %.4f", alcohol/178, proline/178); got != "13.0006 746.8933" {
		t.Errorf("wine: means of alcohol and proline are %s, want 13.0006 746.8933", got)
	}
	_, x, _ = table(t, "digits")
	sum, low, high := 0.0, 99.0, -99.0
	for _, row := range x {
		for _, v := range row {
			sum += v
		}
		low, high = min(low, slices.Min(row)), max(high, slices.Max(row))
	}
	if sum != 561718 || low != 0 || high != 16 {
		t.Errorf("digits: sum %v, range %v to %v, want 561718, 0 to 16", sum, low, high)
	}
}

func TestFind(t *testing.T) {
	if s, ok := Find("Iris"); !ok || s.Name != "iris" {
		t.Errorf("Find(Iris) = %v, %v", s, ok)
	}
	if _, ok := Find("irises"); ok {
		t.Error("Find found a sample that is not there")
	}
	List()[0].Name = "other" // a caller's copy
	if _, ok := Find("iris"); !ok {
		t.Error("a caller changed the list of samples")
	}
}

func Example() {
	for _, s := range List() {
		fmt.Printf("%-6s %4d × %d, %d classes\n", s.Name, s.Rows, s.Features, s.Classes)
	}
	// Output:
	// iris    150 × 4, 3 classes
	// wine    178 × 13, 3 classes
	// digits 1797 × 64, 10 classes
}
