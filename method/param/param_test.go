package param_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method/param"
)

// settings has a field of each kind.
type settings struct {
	rows         int
	clusters     param.Span
	bytes        int64
	seed         uint64
	share        float64
	prune        bool
	word, name   string
	rule         rule
	parsed, file string
	names        []string
}

type rule uint8

func declare(s *settings) *param.Set {
	set := &param.Set{}
	set.Int(&s.rows, param.Param{Name: "rows", Min: 1, Default: "5", Example: "7"})
	set.Span(&s.clusters, param.Param{Name: "clusters", Min: 2, Max: 63, Example: "3"})
	set.Int64(&s.bytes, param.Param{Name: "bytes", Min: 1, Default: "17179869184"})
	set.Uint64(&s.seed, param.Param{Name: "seed", Default: "0"})
	set.Float(&s.share, param.Param{Name: "share", Max: 1, Above: true, Default: "0.5"})
	set.Bool(&s.prune, param.Param{Name: "prune", Default: "false"})
	set.Choice(&s.word, param.Param{Name: "word", Choices: []string{"big", "small"}})
	param.Enum(set, &s.rule, 1, param.Param{Name: "rule", Choices: []string{"one", "two"},
		Default: "one"})
	set.Text(param.Param{Name: "parsed", Choices: []string{"auto"}, Default: "auto",
		Values: "auto or a word"}, func(text string) error {
		if text == "bad" {
			return errors.New("no word")
		}
		s.parsed = "<" + text + ">"
		return nil
	})
	set.String(&s.name, param.Param{Name: "name"})
	set.File(&s.file, param.Param{Name: "file", Choices: []string{"simple"}})
	set.List(&s.names, param.Param{Name: "names"})
	return set
}

func TestValuesAreSet(t *testing.T) {
	var s settings
	set := declare(&s)
	for name, want := range map[string]string{"rows": "5", "clusters": "", "bytes": "17179869184",
		"share": "0.5", "rule": "one", "parsed": "auto", "names": "", "nothing": ""} {
		if got := set.Value(name); got != want {
			t.Errorf("--%s is %q before it is set, want %q", name, got, want)
		}
		if set.Given(name) {
			t.Errorf("--%s is given", name)
		}
	}
	for name, text := range map[string]string{"rows": "12", "clusters": "2..8", "bytes": "1",
		"seed": "18446744073709551615", "share": "0.25", "prune": "true", "word": "small",
		"rule": "two", "parsed": "x", "name": "a,b", "file": "f.txt", "names": `a,"b,c"`} {
		if err := set.Set(name, text); err != nil {
			t.Error(err)
		}
		if got := set.Value(name); got != text || !set.Given(name) {
			t.Errorf("--%s is %q, want %q", name, got, text)
		}
	}
	if s.rows != 12 || s.clusters != (param.Span{From: 2, To: 8}) || s.seed != 1<<64-1 ||
		s.share != 0.25 ||
		!s.prune || s.word != "small" || s.rule != 2 || s.parsed != "<x>" || s.name != "a,b" ||
		!slices.Equal(s.names, []string{"a", "b,c"}) {
		t.Errorf("%+v", s)
	}
	if err := set.Set("clusters", "4"); err != nil || s.clusters.To != 4 ||
		set.Value("clusters") != "4" {
		t.Errorf("%v: %v", err, s.clusters)
	}
	if set.Reset("clusters"); s.clusters.To != 0 || set.Given("clusters") {
		t.Errorf("it is reset to %v", s.clusters)
	}
	if set.Reset("rule"); s.rule != 0 || set.Value("rule") != "one" {
		t.Errorf("it is reset to %v", s.rule)
	}
	s.rows = 3
	if got := set.Value("rows"); got != "3" {
		t.Errorf("a field that was changed is %s", got)
	}
}

func TestInvalidValuesAreRefused(t *testing.T) {
	var s settings
	set := declare(&s)
	for _, c := range []struct{ name, text, says string }{
		{"rows", "0", `--rows is "0": give a whole number of 1 or more, such as 7`},
		{"rows", "many", `--rows is "many": give a whole number`},
		{"rows", "9223372036854775808", `--rows is "9223372036854775808": give a whole number`},
		{"rows", "2..3", `--rows is "2..3"`},
		{"clusters", "1", `give a whole number from 2 to 63, or a range of them to choose from, ` +
			`as in 2..8, such as 3`},
		{"clusters", "8..2", `--clusters is "8..2": give the lower end first, as in 2..8`},
		{"clusters", "8..1", `--clusters is "8..1": give a whole number from 2 to 63`},
		{"clusters", "2..64", `--clusters is "2..64"`},
		{"clusters", "2..", `--clusters is "2.."`},
		{"seed", "-1", `give a whole number of 0 or more`},
		{"seed", "+5", `--seed is "+5": give a whole number of 0 or more`},
		{"seed", "-0", `--seed is "-0": give a whole number of 0 or more`},
		{"share", "0", `give a number above 0 and at most 1, such as 0.5`},
		{"share", "NaN", `--share is "NaN"`},
		{"share", "1.5", `--share is "1.5"`},
		{"prune", "perhaps", `give true or false`},
		{"word", "tiny", `--word is "tiny": give big or small`},
		{"rule", "three", `give one or two`},
		{"parsed", "bad", `give auto or a word, such as auto`},
		{"names", `"a`, `give names, separated by commas`},
		{"names", "a,b\nc,d", `give names, separated by commas`},
		{"nothing", "1", `there is no parameter "nothing"`},
	} {
		err := set.Set(c.name, c.text)
		var setting fault.Setting
		if !errors.As(err, &setting) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("--%s %s: %v, want %q", c.name, c.text, err, c.says)
		}
		if set.Given(c.name) {
			t.Errorf("--%s %s is refused and given", c.name, c.text)
		}
	}
}

func TestSchema(t *testing.T) {
	var s settings
	set := declare(&s)
	share, _ := set.Lookup("share")
	got := share.Schema()
	if got.Type != "number" || got.Minimum != nil || *got.ExclusiveMinimum != 0 ||
		*got.Maximum != 1 || got.ExclusiveMaximum != nil || got.Default != "0.5" ||
		got.Range != "a number above 0 and at most 1" {
		t.Errorf("%+v", got)
	}
	if all := param.Schemas(set.Params()); len(all) != 12 || all[1].Name != "clusters" ||
		!all[1].Span || all[6].Minimum != nil || all[11].Type != "list" {
		t.Errorf("%+v", all)
	}
}

func TestANameIsDeclaredOnce(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a name is declared twice")
		}
	}()
	var s settings
	set := declare(&s)
	set.Int(&s.rows, param.Param{Name: "rows"})
}

// A whole number that is widened keeps its variable for one number, and has another for a range.
func TestANumberIsWidened(t *testing.T) {
	var set param.Set
	var k int
	var span param.Span
	set.Int(&k, param.Param{Name: "k", Min: 1, Example: "3"})
	set.Widen("k", &span)
	for _, c := range []struct {
		text string
		k    int
		span param.Span
	}{{"4", 4, param.Span{From: 4, To: 4}}, {"2..8", 4, param.Span{From: 2, To: 8}},
		{"5", 5, param.Span{From: 5, To: 5}}} {
		if err := set.Set("k", c.text); err != nil || k != c.k || span != c.span ||
			set.Value("k") != c.text {
			t.Errorf("%s: %d and %v, %q, %v", c.text, k, span, set.Value("k"), err)
		}
	}
	if err := set.Set("k", "0..3"); err == nil || !strings.Contains(err.Error(),
		"a whole number of 1 or more, or a range of them to choose from, as in 2..8") {
		t.Errorf("%v", err)
	}
	if set.Reset("k"); k != 0 || span != (param.Span{}) || set.Given("k") {
		t.Errorf("it is reset to %d and %v", k, span)
	}
}
