package dataset

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

// TestEarlierDefaults read files as projects do that were begun with them.
func TestEarlierDefaults(t *testing.T) {
	polish := in(t, charmap.Windows1250, "miasto,x\n"+strings.Repeat("mąż,1\nźdźbło,2\n", 5))
	sentences := strings.Repeat("The room was clean and quiet\n", 5)
	for _, c := range []struct {
		name, text string
		look       func(table *Table) string
		want, now  string
	}{
		{"encoding", polish, func(t *Table) string { return t.Cell(0, 0) }, "m¹¿", "mąż"},
		{"sentences", sentences, func(t *Table) string { return t.Columns[0].Name },
			"The room was clean and quiet", "x1"},
		{"PHYLIP", "3\nA\nB 1\nC 2 3\n", func(t *Table) string { return t.Columns[0].Name }, "x1", ""},
	} {
		for _, earlier := range []bool{true, false} {
			table, err := ReadStream(t.Context(), bytes.NewReader([]byte(c.text)), "a.csv",
				ReadOptions{Earlier: earlier, Keep: true})
			want := c.now
			if earlier {
				want = c.want
			}
			if want == "" {
				if err == nil {
					t.Errorf("%s is read", c.name)
				}
			} else if err != nil || c.look(table) != want {
				t.Errorf("%s, earlier %v: %v, not %q", c.name, earlier, err, want)
			}
		}
	}
	for name, want := range map[string]naming{"Account": namedPlain, "Numer": namedPlain,
		"N°": namedPlain, "Código postal": namedCode, "Numero cliente": namedPlain,
		"Kundennummer": namedKey, "account_no": namedKey, "zip code": namedCode, "Nr": namedNumber} {
		if got := namesOf(name, true); got != want {
			t.Errorf("%s is named %d, want %d", name, got, want)
		}
	}
}

// TestLettersThatShowNoEncoding are those of languages that Windows-1252 is for.
func TestLettersThatShowNoEncoding(t *testing.T) {
	for _, words := range []string{"Tromsø,Bærum,København,Forlìmpopoli,Lìdia",
		"Võru,Põlva,Jõgeva,Pärnu,coûte", "Camões,limões,opções,coûte,mãe"} {
		text := []byte(in(t, charmap.Windows1252, words))
		if code := centralEuropean(text); code != nil {
			t.Errorf("%s: taken for %v", words, code)
		}
	}
}

// TestWordsAreNoTriangle of PHYLIP, where a number and a word with a number begin a list.
func TestWordsAreNoTriangle(t *testing.T) {
	if n, _ := LooksLikePHYLIP([]byte("12\nHello\nGoodbye 7\nnice\nwords\n")); n != 0 {
		t.Errorf("taken for %d objects", n)
	}
	if n, k := LooksLikePHYLIP([]byte("3\nA\nB 1\nC 2 3\n")); n != 3 || k != 0 {
		t.Errorf("%d objects, %d numbers", n, k)
	}
}
