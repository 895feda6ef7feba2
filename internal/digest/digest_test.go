package digest_test

import (
	"strings"
	"testing"

	"github.com/kindred-go/kindred/internal/digest"
)

func TestATextIsReadAgain(t *testing.T) {
	sum := digest.Of([]byte("abc")) // FIPS 180-2, appendix B.1
	text := "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if sum.String() != text || len(text) != digest.TextLen {
		t.Error(sum)
	}
	if got, ok := digest.Parse(text); !ok || got != sum {
		t.Error(got, ok)
	}
	for _, bad := range []string{"", "sha256:", text[:70], text + "0", "sha1" + text[4:],
		text[:70] + "g", "sha256:" + strings.ToUpper(text[7:])} {
		if _, ok := digest.Parse(bad); ok {
			t.Errorf("%q is a digest", bad)
		}
	}
}

func TestFieldsAreToldApart(t *testing.T) {
	a := digest.AppendText(digest.AppendText(nil, "ab"), "c")
	b := digest.AppendText(digest.AppendText(nil, "a"), "bc")
	if string(a) == string(b) {
		t.Error("ab, c and a, bc are the same")
	}
}

func TestASetHasNoOrder(t *testing.T) {
	one, two := digest.Of([]byte("1")), digest.Of([]byte("2"))
	var a, b digest.Sum
	a.Toggle(one)
	a.Toggle(two)
	b.Toggle(two)
	b.Toggle(one)
	if a != b || a == one {
		t.Error(a, b)
	}
	b.Toggle(one)
	if b != two {
		t.Error("what was taken out is still there")
	}
}
