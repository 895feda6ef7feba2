package link_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/kindred-go/kindred/link"
)

// TestDialectsOfLinks reads the same links as spreadsheets and other programs write them.
func TestDialectsOfLinks(t *testing.T) {
	const text = "a;b;link;p;source\r\nx;é;same;0,75;Zoë\r\né;12;different;;\r\n"
	want := []link.Link{{A: 0, B: 2, Kind: link.MustLink, Plausibility: .75, Source: "Zoë"},
		{A: 2, B: 1, Kind: link.CannotLink}}
	wide := func(order unicode.Endianness, mark unicode.BOMPolicy) string {
		s, err := unicode.UTF16(order, mark).NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	western, err := charmap.Windows1252.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"semicolons":       text,
		"mark":             "\ufeff" + text,
		"Excel":            "\ufeffsep=;\r\n" + text,
		"remark":           "# links of May\n" + text,
		"tabs":             strings.ReplaceAll(text, ";", "\t"),
		"bars":             strings.ReplaceAll(text, ";", "|"),
		"Windows-1252":     western,
		"UTF-16":           wide(unicode.LittleEndian, unicode.UseBOM),
		"UTF-16BE":         wide(unicode.BigEndian, unicode.UseBOM),
		"UTF-16 no mark":   wide(unicode.LittleEndian, unicode.IgnoreBOM),
		"carriage returns": strings.ReplaceAll(text, "\r\n", "\r"),
	} {
		for _, one := range []bool{false, true} {
			in := iotest.DataErrReader(bytes.NewReader([]byte(text)))
			if one {
				in = iotest.OneByteReader(in)
			}
			got, err := link.Read(t.Context(), in, "f", among("x", "12", "é"))
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if diff := cmp.Diff(want, got); diff != "" {
				t.Error(name, diff)
			}
		}
	}
}
