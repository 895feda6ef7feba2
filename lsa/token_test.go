package lsa

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func wordsOf(text string) (words []string) {
	var t tokens
	t.each(text, func(word []byte) { words = append(words, string(word)) })
	return words
}

// TestWords of scripts with blanks and without.
func TestWords(t *testing.T) {
	for text, want := range map[string][]string{
		"":                             nil,
		"The cat, a dog; x-ray 42 7!":  {"the", "cat", "dog", "ray", "42"},
		"ＦＵＬＬ ﬁne":                     {"full", "fine"},
		"cafe\u0301 CAFÉ":              {"café", "café"},
		"λόγος ΛΌΓΟΣ":                  {"λόγοσ", "λόγοσ"},
		"soft\u00adhyphen":             {"softhyphen"},
		"bad\xffbytes":                 {"bad", "bytes"},
		"東京都":                          {"東", "東京", "京", "京都", "都"},
		"カメラ":                          {"カメ", "メラ"},
		"あ":                            {"あ"},
		"go東京":                         {"go", "東", "東京", "京"},
		strings.Repeat("a", 64):        {strings.Repeat("a", 64)},
		strings.Repeat("a", 65) + " b": nil,
		"ab" + strings.Repeat("\u0323", 9999) + " cd": {"cd"},
		"กข" + strings.Repeat("\u0e34", 9999) + "คง":  {"คง"},
		"<script>alert(1)</script>":                   {"script", "alert", "script"},
	} {
		if got := wordsOf(text); !slices.Equal(got, want) {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

// FuzzWords: words are valid, not empty, and not without end.
func FuzzWords(f *testing.F) {
	for _, text := range []string{"plain words", "東京 tower", "\xff\x00\u0301\u200d", "ﷺ", "กำ", strings.Repeat("é", 70)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, word := range wordsOf(text) {
			if word == "" || !utf8.ValidString(word) || len(word) > maxBytes {
				t.Errorf("%q gives %q", text, word)
			}
		}
	})
}
