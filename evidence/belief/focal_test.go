package belief_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
)

func TestLists(t *testing.T) {
	for _, c := range []int{1, 2, 5, 12, 63} {
		simple, err := belief.Simple(c)
		if want := c + 2 - btoi(c == 1); err != nil || len(simple) != want {
			t.Errorf("%d clusters: %d simple sets, %v", c, len(simple), err)
		}
		pairs, err := belief.Pairs(c)
		if want := c*(c-1)/2 + len(simple) - btoi(c == 2); err != nil || len(pairs) != want {
			t.Errorf("%d clusters: %d sets with pairs, %v", c, len(pairs), err)
		}
	}
	full, err := belief.Full(12)
	if err != nil || len(full) != 4096 {
		t.Errorf("%d sets, %v", len(full), err)
	}
	if _, err := belief.Full(13); !fault.IsInput(err) {
		t.Error(err)
	}
	if _, err := belief.Sort(2, []belief.Set{4}); !fault.IsInput(err) {
		t.Error(err)
	}
	if _, err := belief.Simple(64); !fault.IsInput(err) {
		t.Error(err)
	}
	sorted, err := belief.Sort(3, []belief.Set{7, 2, 6, 2, 0, 1, 3})
	if err != nil || !slices.Equal(sorted, []belief.Set{0, 1, 2, 3, 6, 7}) {
		t.Errorf("%v %v", sorted, err)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestMatrices(t *testing.T) {
	sets := []belief.Set{0, 1, 2, 3}
	if got := belief.ConflictMatrix(sets); !slices.Equal(got,
		[]float64{1, 1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 0, 0}) {
		t.Errorf("C = %v", got)
	}
	if got := belief.PenaltyMatrix(sets); !slices.Equal(got,
		[]float64{1, 1, 1, 1, 1, 0, 2, 1, 1, 2, 0, 1, 1, 1, 1, 1}) {
		t.Errorf("P = %v", got)
	}
}

func TestParseSets(t *testing.T) {
	text := "\ufeff# the pairs\r\n1+3 # overlap\n\nall\n{2+1}\nempty\n3+1\n {} \n2\n"
	sets, err := belief.ParseSets(strings.NewReader(text), "sets.txt", 3)
	if err != nil || !slices.Equal(sets, []belief.Set{0, 2, 3, 5, 7}) {
		t.Errorf("%v %v", sets, err)
	}
	for text, want := range map[string]string{
		"1\n1+4\n":                         "sets.txt, line 2: there is no cluster 4; ",
		"1+\n":                             "line 1: \"1+\" is no set",
		"1 2\n":                            "line 1: ",
		"2+2\n":                            "line 1: cluster 2 is named twice",
		"0\n":                              "no cluster 0",
		"# nothing\n":                      "sets.txt: there are no focal sets",
		"1\n" + strings.Repeat("1", 1<<17): "line 2: the line is too long",
	} {
		if _, err := belief.ParseSets(strings.NewReader(text), "sets.txt",
			3); !fault.IsInput(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	broken := errors.New("unplugged")
	if _, err := belief.ParseSets(failing{broken}, "sets.txt", 3); !errors.Is(err, broken) {
		t.Error(err)
	}
	if _, err := belief.ParseSets(strings.NewReader("1"), "sets.txt", 64); !fault.IsInput(err) {
		t.Error(err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func FuzzParseSets(f *testing.F) {
	f.Add("1+2\nall\n# x\n{}", 3)
	f.Add("{1}\n\xff", 63)
	f.Fuzz(func(t *testing.T, text string, c int) {
		sets, err := belief.ParseSets(strings.NewReader(text), "sets", c)
		if err != nil {
			if !fault.IsInput(err) {
				t.Fatal(err)
			}
			return
		}
		var names strings.Builder
		for _, s := range sets {
			names.WriteString(s.String() + "\n")
		}
		again, err := belief.ParseSets(strings.NewReader(names.String()), "sets", c)
		if err != nil || !slices.Equal(again, sets) {
			t.Fatalf("%v came back as %v (%v)", sets, again, err)
		}
	})
}
