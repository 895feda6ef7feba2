package safe

import (
	"testing"

	"pgregory.net/rapid"
)

func TestFormulasAreGuarded(t *testing.T) {
	for cell, want := range map[string]string{
		"=1+1": "'=1+1", "@x": "'@x", "-5": "-5", "+1.50": "+1.50", "-5+2": "'-5+2", "-": "'-",
		"＝1": "'＝1", "'=1": "''=1", "\tx": "'\tx",
		"a=1": "a=1", "": "", "'": "'", "17": "17", "O'Neil": "O'Neil", "'tis": "'tis",
	} {
		if got := Guard(cell); got != want {
			t.Errorf("Guard(%q) = %q, want %q", cell, got, want)
		}
	}
}

func TestUnguardGivesEveryCellBack(t *testing.T) {
	cell := rapid.OneOf(rapid.String(), rapid.StringMatching(`'{0,3}[=+@a]{0,2}.*`))
	rapid.Check(t, func(t *rapid.T) {
		if c := cell.Draw(t, "cell"); Unguard(Guard(c)) != c {
			t.Fatalf("%q came back as %q", c, Unguard(Guard(c)))
		}
	})
}

func TestLineSteersNoTerminal(t *testing.T) {
	if got, want := Line("a\x1b[2Jb\u009bc\u202ed\ne\tf é木"), "a�[2Jb�c�d e f é木"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	// emoji that are joined stay so; what joins nothing is shown
	const family, farmer, heart = "👨\u200d👩\u200d👧", "👩🏽\u200d🌾", "❤\ufe0f\u200d🔥"
	for _, s := range []string{family, farmer, heart, "a " + family + " b"} {
		if got := Line(s); got != s {
			t.Errorf("got %q of %q", got, s)
		}
	}
	if got, want := Line("a\u200db 👨\u200d \u200d👩"), "a�b 👨� �👩"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
