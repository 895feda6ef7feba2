package lsa

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kindred-go/kindred/fault"
)

func tokensOf(text string) (out []string) {
	var t tokens
	t.each(text, func(word []byte) { out = append(out, string(word)) })
	return out
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"The cat, the CAT_2!":             "the cat the cat",
		"don't l'été naïve":               "don été naïve",
		"Ｆｕｌｌ ｗｉｄｔｈ ﬁne":                  "full width fine",
		"cafe\u0301 café":                 "café café",
		"ΟΔΟΣ οδός":                       "οδοσ οδόσ",
		"Straße ÉCOLE Жук":                "straße école жук",
		"co\u00adoperate zero\u200dwidth": "cooperate zerowidth",
		"x 1 22 3.14 a4":                  "22 14 a4",
		"한국어 문서":                          "한국어 문서",
		"हिन्दी पाठ":                      "हिन्दी पाठ",
		"猫":                               "猫",
		"黑猫坐":                             "黑 黑猫 猫 猫坐 坐",
		"東京タワーabc":                        "東 東京 京 京タ タワ ワー abc",
		"ฉันกิน":                          "ฉัน นกิ กิน",
		"a\xffbc\xc3 de":                  "bc de",
		"":                                "",
		"ab" + strings.Repeat("\u0323", 9999) + " cd": "cd",
		"👍 🙂 — …":                                     "",
		strings.Repeat("x", maxRunes+1):               "",
		strings.Repeat("x", maxRunes) + " yy":         strings.Repeat("x", maxRunes) + " yy",
	} {
		got := strings.Join(tokensOf(text), " ")
		if got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

// FuzzWords: words are whole, valid, and those of the words themselves.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"The cat", "黑猫坐", "ฉันกิน a\xffb", "İSTANBUL ǅ",
		"a\u0301\u0302 \u0301", "ﷺ", strings.Repeat("é", 70)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, w := range tokensOf(text) {
			if w == "" || !utf8.ValidString(w) || len(w) > maxBytes ||
				strings.ContainsAny(w, " \t\n\x00.,") {
				t.Fatalf("%q of %q", w, text)
			}
		}
	})
}

// FuzzModel: whatever is read as a model, it is refused or places texts.
func FuzzModel(f *testing.F) {
	m, _, err := Fit(f.Context(), []string{"red apple", "green apple", "red car"}, Config{})
	if err != nil {
		f.Fatal(err)
	}
	good, err := json.Marshal(m)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"words":["a"],"idf":[1],"dimensions":1,"basis":"AACAPw=="}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var m Model
		if err := json.Unmarshal(data, &m); err != nil {
			return
		}
		x, err := m.Transform(t.Context(), []string{"red apple", "a"})
		if err != nil || x.Cols != m.Dimensions() || x.Rows != 2 {
			t.Fatalf("%d × %d (%v)", x.Rows, x.Cols, err)
		}
		m.Notes()
	})
}

func TestModelsThatDoNotHoldTogether(t *testing.T) {
	for _, c := range []struct{ text, problem string }{
		{`[]`, "cannot be read"},
		{`{}`, "0 words"},
		{`{"words":["a","b"],"idf":[1],"dimensions":1,"basis":""}`, "2 words with 1 weights"},
		{`{"words":["a"],"idf":[1],"dimensions":2,"basis":""}`, "2 dimensions of 1 words"},
		{`{"words":["a"],"idf":[1],"dimensions":-1,"basis":""}`, "-1 dimensions"},
		{`{"words":["a"],"idf":[1],"dimensions":1,"basis":"AAA="}`, "2 bytes"},
		{`{"words":["b","a"],"idf":[1,1],"dimensions":1,"basis":"AACAPwAAgD8="}`, "not in order"},
		{`{"words":["a","a"],"idf":[1,1],"dimensions":1,"basis":"AACAPwAAgD8="}`, "not in order"},
		{`{"words":["a"],"idf":[-1],"dimensions":1,"basis":"AACAPw=="}`, "a weight of -1"},
		{`{"words":["a"],"idf":[1],"dimensions":1,"basis":"AADAfw=="}`, "a coordinate of NaN"},
		{`{"words":["a"],"idf":[1],"dimensions":1,"basis":"AAAgQQ=="}`, "a coordinate of 10"},
	} {
		var m Model
		if err := json.Unmarshal([]byte(c.text), &m); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}
