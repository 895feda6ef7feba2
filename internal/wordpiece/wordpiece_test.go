package wordpiece_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/kindred-go/kindred/internal/wordpiece"
)

var specials = []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}

// lines returns the lines of a compressed file.
func lines(t testing.TB, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	s := bufio.NewScanner(z)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		out = append(out, s.Text())
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	return out
}

func uncased(t testing.TB) (*wordpiece.Tokenizer, []string) {
	t.Helper()
	pieces := lines(t, "testdata/vocab.txt.gz")
	k, err := wordpiece.New(pieces, wordpiece.Options{Special: specials})
	if err != nil {
		t.Fatal(err)
	}
	return k, pieces
}

// TestEqualsTheReference compares with what the tokenizers library returned
// (tools/textvectors/golden.py).
func TestEqualsTheReference(t *testing.T) {
	pieces := lines(t, "testdata/vocab.txt.gz")
	kinds := map[string]wordpiece.Options{
		"uncased": {Special: specials},
		"cased":   {Special: specials, KeepCase: true, KeepAccents: true},
		"accents": {Special: specials, KeepAccents: true},
		"raw": {Special: specials, KeepCase: true, KeepAccents: true, KeepControls: true,
			JoinHan: true},
	}
	tokenizers := map[string]*wordpiece.Tokenizer{}
	for name, o := range kinds {
		k, err := wordpiece.New(pieces, o)
		if err != nil {
			t.Fatal(err)
		}
		tokenizers[name] = k
	}
	wrong := 0
	for _, line := range lines(t, "testdata/golden.jsonl.gz") {
		var want struct {
			Text string
			IDs  map[string][]int32
		}
		if err := json.Unmarshal([]byte(line), &want); err != nil {
			t.Fatal(err)
		}
		for name, ids := range want.IDs {
			if got := tokenizers[name].Encode(nil, want.Text); !slices.Equal(got, ids) {
				if wrong++; wrong < 10 {
					t.Errorf("%s: %+q is %v, want %v", name, want.Text, got, ids)
				}
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d texts differ", wrong)
	}
}

func TestSpells(t *testing.T) {
	pieces := []string{"[UNK]", "un", "##aff", "##able", "able", "!", "##", "[SEP]", "", "né", "ne"}
	k, err := wordpiece.New(pieces, wordpiece.Options{MaxRunes: 9, Special: []string{"[SEP]"}})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]int32{
		"":                     nil,
		" \t\r\n ":             nil,
		"Unaffable":            {1, 2, 3},
		"un able":              {1, 4},
		"un! able":             {1, 5, 4},
		"unaffq able":          {0, 4},
		"##able":               {0, 0, 4},
		"un[SEP]able":          {1, 7, 4},
		"un[sep":               {1, 0, 0},
		"unaffable unaffablen": {1, 2, 3, 0}, // ten letters are too many
		"né":                   {10},
		"un\x00aff\xffable":    {1, 2, 3},
	} {
		if got := k.Encode(nil, text); !slices.Equal(got, want) {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
	if got := k.Encode([]int32{42}, "un"); !slices.Equal(got, []int32{42, 1}) {
		t.Errorf("appended: %v", got)
	}
	for _, o := range []wordpiece.Options{{Unknown: "<unk>"}, {Special: []string{"[CLS]"}}} {
		if _, err := wordpiece.New(pieces, o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

// FuzzEncode compares with a plain implementation of the definition.
func FuzzEncode(f *testing.F) {
	k, pieces := uncased(f)
	ids := map[string]int32{}
	for i, p := range pieces {
		ids[p] = int32(i)
	}
	for _, text := range []string{"Hello, wörld!", "東京 tower", "a\u0301\u0328b", "\x00\ufffd\u200d",
		"ΑΣ İstanbul ǅ", strings.Repeat("a", 120), "naïve café 👩‍👩‍👧", "\xff\xc3(", "[SEP][CLS"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range specials {
			if strings.Contains(text, s) {
				return
			}
		}
		got := k.Encode(nil, text)
		if want := defined(text, ids); !slices.Equal(got, want) {
			t.Errorf("%+q is %v, want %v", text, got, want)
		}
	})
}

// defined encodes by the definition, step by step.
func defined(text string, ids map[string]int32) []int32 {
	step := func(s string, f func(r rune) string) string {
		var b strings.Builder
		for _, r := range s {
			b.WriteString(f(r))
		}
		return b.String()
	}
	text = step(text, func(r rune) string {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return " "
		case r == utf8.RuneError, unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co) && !wordpiece.IsLater(r):
			return ""
		case unicode.IsSpace(r):
			return " "
		}
		return string(r)
	})
	text = step(text, func(r rune) string {
		if unicode.Is(unicode.Han, r) && unicode.Is(unicode.Lo, r) && !(r >= 0x2b820 && r < 0x2b920) &&
			r <= 0x2ceaf || r >= 0xf900 && r <= 0xfaff || r >= 0x2f800 && r <= 0x2fa1f ||
			r >= 0x9fd6 && r <= 0x9fff || r >= 0x4db6 && r <= 0x4dbf ||
			r >= 0x2a6d7 && r <= 0x2a6df || r >= 0x2b735 && r <= 0x2b73f ||
			r >= 0x2b81e && r <= 0x2b81f || r >= 0x2cea2 && r <= 0x2ceaf {
			return " " + string(r) + " "
		}
		return string(r)
	})
	text = step(norm.NFD.String(text), func(r rune) string {
		if unicode.Is(unicode.Mn, r) && !wordpiece.IsLater(r) || r == 0x1734 {
			return ""
		}
		return string(unicode.ToLower(r))
	})
	text = step(text, func(r rune) string {
		ascii := r < 128 && strings.ContainsRune("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", r)
		if ascii || r >= 128 && wordpiece.IsPunctuation(r) {
			return " " + string(r) + " "
		}
		return string(r)
	})
	var out []int32
	for _, word := range strings.Fields(text) {
		out = append(out, spelled([]rune(word), ids)...)
	}
	return out
}

func spelled(word []rune, ids map[string]int32) (out []int32) {
	if len(word) > 100 {
		return []int32{ids["[UNK]"]}
	}
	for at := 0; at < len(word); {
		end := len(word)
		for ; end > at; end-- {
			piece := string(word[at:end])
			if at > 0 {
				piece = "##" + piece
			}
			if id, ok := ids[piece]; ok {
				out = append(out, id)
				break
			}
		}
		if end == at {
			return []int32{ids["[UNK]"]}
		}
		at = end
	}
	return out
}

func BenchmarkEncode(b *testing.B) {
	k, _ := uncased(b)
	text := "I still have not received my new card, I ordered over a week ago."
	var ids []int32
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		ids = k.Encode(ids[:0], text)
	}
}
