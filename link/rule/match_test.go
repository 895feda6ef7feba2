package rule_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/link/rule"
)

const news = `computer: mac, disk, pc
space: orbit, moon, nasa
`

func read(t *testing.T, text string) *rule.Rules {
	t.Helper()
	r, err := rule.Read(strings.NewReader(text), "r.txt")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func Example() {
	rules, err := rule.Read(strings.NewReader(news), "rules.txt")
	if err != nil {
		panic(err)
	}
	texts := []string{
		"My Mac's disk is full.", "A PC, with a disk and a mac!",
		"NASA left orbit: the moon is near",
		"mac mac mac", "The disk of a PC in orbit round the moon",
	}
	matches, err := rules.MatchText(context.Background(), len(texts),
		func(i int) string { return texts[i] }, 0)
	if err != nil {
		panic(err)
	}
	links, err := matches.Links(context.Background(), 100, 0)
	if err != nil {
		panic(err)
	}
	fmt.Println(matches.Objects(), matches.Torn(4))
	for _, l := range links.Drawn {
		fmt.Println(l.A+1, l.B+1, l.Kind, l.Source)
	}
	// Output:
	// [3 2] true
	// 1 2 same rule computer
	// 1 3 different rule computer, space
	// 2 3 different rule computer, space
}

// TestColumnsAndTextsAgree: the same words as columns of counts and as text give the same matches.
func TestColumnsAndTextsAgree(t *testing.T) {
	r := read(t, news)
	names := []string{"Mac", "other", "disk", "pc ", "orbit", "moon"}
	x := dataset.Matrix{Rows: 4, Cols: 6, F64: []float64{
		1, 0, 3, 0, 0, 0,
		1, 9, 0, 0, 1, 0,
		0, 0, 0, 0, 1, .5,
		1, 1, 1, 1, 1, 1,
	}}
	cols, err := r.MatchColumns(t.Context(), x, names, "d.csv")
	if err != nil {
		t.Fatal(err)
	}
	text := func(i int) string {
		var b strings.Builder
		for j, name := range names {
			b.WriteString(strings.Repeat(name+" ", int(math.Ceil(x.At(i, j)))))
		}
		return b.String()
	}
	texts, err := r.MatchText(t.Context(), x.Rows, text, 3)
	if err != nil {
		t.Fatal(err)
	}
	if want := []uint64{1, 0, 2, 3}; !slices.Equal(cols.Of, want) || !slices.Equal(texts.Of, want) {
		t.Errorf("%v and %v, want %v", cols.Of, texts.Of, want)
	}
	if len(cols.Notes) != 1 || !strings.Contains(cols.Notes[0],
		`"space" that are no columns: nasa`) {
		t.Errorf("%q", cols.Notes)
	}
	if !r.Has(" MAC") || r.Has("ma") {
		t.Error("mac is a word of the rules, and ma is none")
	}
	if !cols.Torn(3) || cols.Torn(0) || cols.Torn(1) {
		t.Error("the last object alone is torn")
	}
}

// TestGroupsOfOneTopic are neither separated nor joined, and an object may match several.
func TestGroupsOfOneTopic(t *testing.T) {
	r := read(t, "science/space: orbit, moon\nscience/health: doctor, drug\nsport: team, win\n")
	texts := []string{"orbit moon", "doctor drug", "moon orbit doctor drug", "team win", "nothing"}
	m, err := r.MatchText(t.Context(), len(texts), func(i int) string { return texts[i] }, 1)
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Links(t.Context(), 100, 0)
	if err != nil {
		t.Fatal(err)
	}
	var reported []string
	for _, l := range got.Drawn {
		reported = append(reported, fmt.Sprint(l.A, l.B, " ", l.Kind))
	}
	want := []string{"0 2 same", "0 3 different", "1 2 same", "1 3 different", "2 3 different"}
	if !slices.Equal(reported, want) || got.Must != 2 || got.Cannot != 3 {
		t.Errorf("%q, %d and %d", reported, got.Must, got.Cannot)
	}
	if _, _, err := link.Build(len(texts), got.Drawn, link.Refuse); err != nil {
		t.Error(err)
	}
}

// TestPhrases: words that follow each other, the beginning of words, and ranges of numbers are
// found.
func TestPhrases(t *testing.T) {
	r := read(t, `computer: hard disk, disk*, pc
card/lost: lost card*, card was lost
card/pin: change pin, 1000..9999
far: 50000.., light years
`)
	for text, want := range map[string]string{
		"the HARD-disk is full":               "computer", // and disk* counts, too
		"a disk that is hard":                 "",
		"a hard, hard disk":                   "computer",
		"disks and a pc":                      "computer",
		"disks, disk and diskettes":           "", // one word of the group
		"I lost cards":                        "card/lost",
		"lost my card":                        "",
		"my card was\nlost":                   "card/lost",
		"change the pin":                      "",
		"please change pin 1234":              "card/pin",
		"1234 or 5678":                        "", // one word of the group
		"50000 years":                         "",
		"50000 light years":                   "far",
		"49999 years, of light":               "",
		"the lost card of 70000 light years.": "card/lost far",
	} {
		matches(t, r, text, want)
	}
}

// matches checks which groups a text matches: their names, with blanks between.
func matches(t *testing.T, r *rule.Rules, text, want string) {
	t.Helper()
	m, err := r.MatchText(t.Context(), 1, func(int) string { return text }, 1)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for g, group := range r.Groups {
		if m.Of[0]>>g&1 == 1 {
			got = append(got, group.Name)
		}
	}
	if strings.Join(got, " ") != want {
		t.Errorf("%q matches %q, want %q", text, got, want)
	}
}

// Words of one meaning count once, numbers have fractions, and accents do not matter.
func TestMeaningsNumbersAndAccents(t *testing.T) {
	r := read(t, "disk: hdd | hard disk | Festplatte, full\ncafé: café, crème\n"+
		"dose: 0.5..1.25, milligram | mg\nbig: 18446744073709551616.., id\n")
	for text, want := range map[string]string{
		"the HDD is a hard disk":      "disk", // the phrase counts as two
		"hdd, Festplatte":             "",
		"hdd full":                    "disk",
		"CAFE CREME":                  "café",
		"cafe\u0301 creme\u0300":      "café",
		"0.5 mg":                      "dose",
		"0.49 mg":                     "",
		"1.250 milligram":             "dose",
		"1.26 mg":                     "",
		"1 mg":                        "dose",
		"7.1 mg":                      "", // no 1
		"1.2.3 mg":                    "dose",
		"1. 7 mg":                     "dose",
		"1.5kg mg":                    "",
		"mg milligram":                "",
		"id 18446744073709551617":     "big",
		"id 018446744073709551615.99": "",
		"id 018446744073709551616.01": "big",
	} {
		matches(t, r, text, want)
	}
	// Columns of one meaning count once, too.
	m, err := read(t, "a: mac | macintosh, disk\n").MatchColumns(t.Context(),
		dataset.Matrix{Rows: 2, Cols: 3, F64: []float64{1, 1, 0, 0, 1, 1}},
		[]string{"Mac", "macintosh", "dísk"}, "d.csv")
	if err != nil || !slices.Equal(m.Of, []uint64{0, 1}) {
		t.Errorf("%v, %v", m, err)
	}
}

func TestWordsThatCannotMatch(t *testing.T) {
	for _, word := range []string{"hard; disk", "--", "*", "di*sk", "hard *", "9..1", "-5..7",
		"a..b", "1...2", "0.5..0.25", "1.2.3.."} {
		_, err := read(t, "a: b, c, "+word+"\n").MatchText(t.Context(), 1,
			func(int) string { return "" }, 1)
		if !fault.IsInput(err) || !strings.Contains(err.Error(),
			`r.txt, line 1: "`+word+`" is no word, phrase or range of numbers`) {
			t.Errorf("%q: %v", word, err)
		}
	}
	r := read(t, "a: b, hard disk\n")
	x := dataset.Matrix{Rows: 2, Cols: 2, F64: []float64{1, 1, 0, -1}}
	for _, c := range []struct {
		names   []string
		problem string
	}{
		{[]string{"b", "y"}, "r.txt: no group has 2 words that are columns of d.csv"},
		{[]string{"b", "Hard Disk"}, "d.csv, row 2, column Hard Disk: -1 does not say"},
		{[]string{"b", "B"}, `d.csv, column B: is the same word as the column "b"`},
	} {
		if _, err := r.MatchColumns(t.Context(), x, c.names, "d.csv"); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), c.problem) {
			t.Errorf("%q: %v", c.names, err)
		}
	}
	r = read(t, "a: b, c\nd: e, f\n")
	m, err := r.MatchColumns(t.Context(), dataset.Matrix{Rows: 1, Cols: 2, F64: []float64{1, 1}},
		[]string{"b", "c"}, "d.csv")
	if err != nil || len(m.Notes) != 1 ||
		!strings.Contains(m.Notes[0], `no object can match the group "d": only 0 of its 2 `+
			`words are columns`) {
		t.Errorf("%v %v", m, err)
	}
}
