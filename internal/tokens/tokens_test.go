package tokens

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func tokensOf(text string) (out []string) {
	var t Cutter
	t.Each(text, func(word []byte) { out = append(out, string(word)) })
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

// TestPhrases: words that follow each other in a phrase are joined by a hyphen here.
func TestPhrases(t *testing.T) {
	for text, want := range map[string]string{
		"Lost card. New card, please":  "lost-card new-card please",
		"a top-up of a  gift\ncard":    "top-up-of gift-card",
		"the card's chip (or PIN)":     "the-card chip or-pin",
		"x ab cd 猫坐 ef gh":             "ab-cd 猫 猫坐 坐 ef-gh",
		strings.Repeat("x", 99) + " y": "",
	} {
		var c Cutter
		var out strings.Builder
		c.Each(text, func(word []byte) {
			if out.Len() > 0 {
				out.WriteByte(map[bool]byte{true: ' ', false: '-'}[c.Apart()])
			}
			out.Write(word)
		})
		if out.String() != want {
			t.Errorf("%q: %q, not %q", text, out.String(), want)
		}
	}
}
