package words_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/internal/words"
)

func Example() {
	fmt.Println(words.Count(1, "row"), words.Count(2, "row"))
	fmt.Println(words.UpTo([]string{"a", "b", "c", "d"}, 2))
	names := []string{"a", "b", "c"}
	fmt.Println(words.List(names[:1], "or"), words.List(names[:2], "or"), words.List(names, "or"))
	for _, v := range []float64{0, 0.00012345, 1.23456, 12.3456, 123456.7, 1.5e10, -2.5} {
		fmt.Print(words.Round(v), " ")
	}
	// Output:
	// 1 row 2 rows
	// a, b and 2 more
	// a a or b a, b or c
	// 0 0.0001234 1.235 12.35 123457 1.5e+10 -2.5
}

func TestShortIsHarmless(t *testing.T) {
	if got := words.Short("a\x1b[31m" + strings.Repeat("ä", 40)); len([]rune(got)) != 32 ||
		strings.Contains(got, "\x1b") {
		t.Errorf("%q", got)
	}
}

func TestNamesOfValues(t *testing.T) {
	type colour int
	names := words.Enum[colour]{Type: "Colour", What: "colour",
		Words: []string{"red", "green", "blue"}}
	if v, err := names.Parse(" Green"); err != nil || v != 1 {
		t.Errorf("Green is read as %d, %v", v, err)
	}
	_, err := names.Parse("pink")
	if err == nil || !strings.Contains(err.Error(), "write red, green or blue") {
		t.Errorf("pink: %v", err)
	}
	if got := names.Name(3); got != "Colour(3)" {
		t.Errorf("value 3 is named %s", got)
	}
	if text, err := names.Marshal(-1); err == nil {
		t.Errorf("value -1 is written as %s", text)
	}
}

func TestCause(t *testing.T) {
	for text, want := range map[string]string{"": "", "denied": "denied",
		"open a: b: denied": "denied", "a: ": ""} {
		if got := words.Cause(errors.New(text)); got != want {
			t.Errorf("of %q the cause is %q, want %q", text, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	const family = "👨\u200d👩\u200d👧"
	for s, want := range map[string]string{
		"abcdef": "abcdef", "abcdefgh": "abcde…", "ab" + family + "cd": "ab…",
		family + "abc": family + "…", "e\u0301e\u0301e\u0301e\u0301": "e\u0301e\u0301…",
		"a" + strings.Repeat("\u0301", 9): "a" + strings.Repeat("\u0301", 4) + "…",
	} {
		if got := words.Cut(s, 6); got != want {
			t.Errorf("Cut(%q) is %q, want %q", s, got, want)
		}
	}
}
