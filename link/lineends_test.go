package link

import (
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestLineEnds(t *testing.T) {
	for text, want := range map[string]string{
		"a\rb\r\nc\nd":          "a\nb\nc\nd",
		"a\r\r\n\n":             "a\n\n\n",
		"\"x\r\ny\"\r\"p\"\"\r": "\"x\r\ny\"\n\"p\"\"\r",
		"":                      "",
	} {
		for _, r := range []io.Reader{strings.NewReader(text),
			iotest.OneByteReader(strings.NewReader(text))} {
			got, err := io.ReadAll(&lineEnds{r: r, quotes: true})
			if err != nil || string(got) != want {
				t.Errorf("%q: got %q (%v), want %q", text, got, err, want)
			}
		}
	}
}

func TestLinksWithAnyLineEnds(t *testing.T) {
	want := []Link{{A: 0, B: 1, Kind: MustLink}, {A: 2, B: 3, Kind: CannotLink}}
	for _, text := range []string{
		"a,b,link\r1,2,same\r3,4,different", "a,b,link\r\n1,2,same\r3,4,different\n",
		"\ufeffa,b,link\r1,2,same\n3,4,different\r",
	} {
		got, err := Read(t.Context(), strings.NewReader(text), "l.csv", nil)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v (%v)", text, got, err)
		}
	}
	got, err := ReadJSONL(t.Context(),
		strings.NewReader("{\"a\":1,\"b\":2,\"link\":\"same\"}\r{\"a\":3,\"b\":4,\"link\":"+
			"\"different\"}"), "l.jsonl", nil)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("JSON lines: %v (%v)", got, err)
	}
}
