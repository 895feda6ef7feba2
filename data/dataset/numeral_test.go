package dataset

import (
	"context"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestNumerals reads numbers with a decimal point (.) and a decimal comma (,); NaN is none.
func TestNumerals(t *testing.T) {
	none := math.NaN()
	for s, want := range map[string][2]float64{
		"1":               {1, 1},
		"1.5":             {1.5, none},
		"1,5":             {none, 1.5},
		"1,234":           {1234, 1.234},
		"1.234":           {1.234, 1234},
		"0,123":           {none, 0.123},
		"0.123":           {0.123, none},
		"1,234,567":       {1234567, none},
		"1.234.567":       {none, 1234567},
		"1,234.5":         {1234.5, none},
		"1.234,5":         {none, 1234.5},
		"12,34,567.5":     {1234567.5, none},
		"1,2345":          {none, 1.2345},
		"1,23,45":         {none, none},
		"1,2,3":           {none, none},
		"1 234":           {1234, 1234},
		"1 234,5":         {none, 1234.5},
		"1\u202f234.5":    {1234.5, none},
		"1'234.50":        {1234.5, none},
		"1’234’567":       {1234567, 1234567},
		"1'234 567":       {none, none},
		"030 123 456":     {none, none},
		"1234 567":        {none, none},
		"-1.234,5":        {none, -1234.5},
		"−3,5":            {none, -3.5},
		"+7":              {7, 7},
		"(1,250.00)":      {-1250, none},
		"(5)":             {-5, -5},
		"((5))":           {none, none},
		"1.250,00-":       {none, -1250},
		"5,-":             {none, 5},
		"5,–":             {none, 5},
		"$1,234.50":       {1234.5, none},
		"-$20":            {-20, -20},
		"$-20":            {-20, -20},
		"($20.00)":        {-20, none},
		"20 €":            {20, 20},
		"-1,50\u00a0€":    {none, -1.5},
		"€ 1.234,50":      {none, 1234.5},
		"CHF 1'234.50":    {1234.5, none},
		"1 250 kr":        {1250, 1250},
		"R$ 1.234,56":     {none, 1234.56},
		"100 PLN":         {100, 100},
		"$20 €":           {none, none},
		"20 kg":           {none, none},
		"12%":             {0.12, 0.12},
		"12,5 %":          {none, 0.125},
		"-3%":             {-0.03, -0.03},
		"2‰":              {0.002, 0.002},
		"$5%":             {none, none},
		"1e3":             {1000, 1000},
		"1,5E-2":          {none, 0.015},
		"1e3%":            {none, none},
		"e3":              {none, none},
		"1e":              {none, none},
		".5":              {0.5, none},
		",5":              {none, 0.5},
		"5.":              {5, none},
		".":               {none, none},
		"-":               {none, none},
		"--5":             {none, none},
		"-(5)":            {none, none},
		"":                {none, none},
		"$":               {none, none},
		"%":               {none, none},
		"1_000":           {none, none},
		"0x10":            {none, none},
		"1,234,567,890.1": {1234567890.1, none},
	} {
		for k, decimal := range []byte{'.', ','} {
			n, ok := parseNumeral([]byte(s), decimal)
			if !ok {
				n.value = math.NaN()
			}
			if n.value != want[k] && !(math.IsNaN(n.value) && math.IsNaN(want[k])) {
				t.Errorf("%q with decimal %c: got %v, want %v", s, decimal, n.value, want[k])
			}
		}
	}
}

// A way of writing numbers.
type locale struct {
	name           string
	decimal, group string
	indian         bool
	before, behind string // around an amount of money
	minus          func(string) string
	sep            string
}

var locales = []locale{
	{name: "en-US", decimal: ".", group: ",", before: "$", sep: ",",
		minus: func(s string) string { return "(" + s + ")" }},
	{name: "de-DE", decimal: ",", group: ".", behind: " €", sep: ";",
		minus: func(s string) string { return "-" + s }},
	{name: "fr-FR", decimal: ",", group: "\u202f", behind: "\u00a0€", sep: ";",
		minus: func(s string) string { return "-" + s }},
	{name: "sv-SE", decimal: ",", group: "\u00a0", behind: " kr", sep: ";",
		minus: func(s string) string { return "−" + s }},
	{name: "pl-PL", decimal: ",", group: " ", behind: " zł", sep: "\t",
		minus: func(s string) string { return s + "-" }},
	{name: "pt-BR", decimal: ",", group: ".", before: "R$ ", sep: ";",
		minus: func(s string) string { return "-" + s }},
	{name: "de-CH", decimal: ".", group: "’", before: "CHF ", sep: ";",
		minus: func(s string) string { return "-" + s }},
	{name: "en-IN", decimal: ".", group: ",", indian: true, before: "₹ ", sep: "|",
		minus: func(s string) string { return "-" + s }},
}

// write writes a number with so many decimals as people of the locale do.
func (l locale) write(v float64, decimals int, money bool) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	whole, fraction, _ := strings.Cut(s, ".")
	groups := ""
	for step := 3; len(whole) > step; {
		groups = l.group + whole[len(whole)-step:] + groups
		whole = whole[:len(whole)-step]
		if l.indian {
			step = 2
		}
	}
	s = whole + groups
	if decimals > 0 {
		s += l.decimal + fraction
	}
	if money {
		s = l.before + s + l.behind
	}
	if v < 0 {
		s = l.minus(s)
	}
	return s
}

// TestLocales writes tables of numbers in every locale and in plain form, and reads the same
// numbers from both, whatever the chunks.
func TestLocales(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.SampledFrom(locales).Draw(t, "locale")
		decimals := rapid.IntRange(1, 6).Draw(t, "decimals")
		rows := rapid.SliceOfN(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 {
			size := math.Pow10(rapid.IntRange(0, 9).Draw(t, "size"))
			return float64(rapid.Int64Range(-1e6, 1e6).Draw(t, "v")) / 1e6 * size
		}), 2, 2), 1, 30).Draw(t, "rows")
		money := rapid.Bool().Draw(t, "money")
		plain, local := "a,b\n", "a"+l.sep+"b\n"
		// A first row of which no mark can be mistaken.
		for _, r := range append([][]float64{{1234567.25, -0.5}}, rows...) {
			for j, v := range r {
				digits := decimals
				if v == 1234567.25 || v == -0.5 {
					digits = 2
				}
				v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'f', digits, 64), 64)
				if v == 0 {
					v = 0 // not the negative one
				}
				plain += strconv.FormatFloat(v, 'f', digits, 64) + []string{",", "\n"}[j]
				local += `"` + l.write(v, digits, money && j == 0) + `"` + []string{l.sep, "\n"}[j]
			}
		}
		o := ReadOptions{chunk: rapid.IntRange(1, 60).Draw(t, "chunk")}
		want, got := drawn(t, plain, o), drawn(t, local, o)
		if want.Rows != got.Rows || len(got.Columns) != 2 {
			t.Fatalf("%s: %d×%d\n%s", l.name, got.Rows, len(got.Columns), local)
		}
		for i := range want.Rows {
			for j := range 2 {
				if a, b := want.Value(i, j), got.Value(i, j); a != b {
					t.Fatalf("%s, row %d: %v, want %v\n%s", l.name, i+1, b, a, local)
				}
			}
		}
	})
}

// drawn reads a text as a stream.
func drawn(t *rapid.T, content string, o ReadOptions) *Table {
	table, err := ReadStream(context.Background(), strings.NewReader(content), "a.csv", o)
	if err != nil {
		t.Fatalf("%v\n%s", err, content)
	}
	return table
}

// TestSettingsOfNumbers reads the same text by other settings.
func TestSettingsOfNumbers(t *testing.T) {
	for _, c := range []struct {
		name, content string
		o             ReadOptions
		want          string
	}{
		{"thousands", "a;b\n1,234;2\n5,678;3\n", ReadOptions{Decimal: "."},
			"a number: 1234 | 5678\nb number: 2 | 3\n"},
		{"a comma", "a;b\n1,234;2\n5,678;3\n", ReadOptions{Decimal: ","},
			"a number: 1.234 | 5.678\nb number: 2 | 3\n"},
		{"a delimiter", "a:b\n1:2\n3:4\n", ReadOptions{Delimiter: ":"},
			"a number: 1 | 3\nb number: 2 | 4\n"},
		{"a tab by name", "a\tb,c\n1\t2\n3\t4\n", ReadOptions{Delimiter: "tab"},
			"a number: 1 | 3\nb,c number: 2 | 4\n"},
		{"an encoding", "\xaea;b\n1;2\n", ReadOptions{Encoding: "iso-8859-2"},
			"Ža number: 1\nb number: 2\n"},
		{"missing words", "a,b\n1,x\ntbd,y\n-999,x\n-999.0,tbd\n",
			ReadOptions{NA: []string{"tbd", "-999"}},
			"a number: 1 |  |  | \nb category: x | y | x | \n"},
		{"a code", "zip,x\n80331,1\n10115,2\n80331,3\n",
			ReadOptions{Types: map[string]Type{"zip": Category}},
			"zip category: 80331 | 10115 | 80331\nx number: 1 | 2 | 3\n"},
		{"a number", "n,x\n007,1\n008,2\n", ReadOptions{Types: map[string]Type{"n": Number}},
			"n number: 7 | 8\nx number: 1 | 2\n"},
		{"words", "a,b\n1,2\ntbd,3\n3,4\n", ReadOptions{Types: map[string]Type{"a": Text}},
			"a text: 1 | tbd | 3\nb number: 2 | 3 | 4\n"},
		{"true and false as words", "a,b\ntrue,2\nfalse,3\ntrue,4\n",
			ReadOptions{Types: map[string]Type{"a": Category}},
			"a category: true | false | true\nb number: 2 | 3 | 4\n"},
		{"the month first", "d,x\n01/02/2024,1\n03/04/2024,2\n", ReadOptions{DateOrder: "mdy"},
			"d time: 2024-01-02 | 2024-03-04\nx number: 1 | 2\n"},
		{"the year first", "d,x\n24/01/02,1\n24/03/04,2\n", ReadOptions{DateOrder: "ymd"},
			"d time: 2024-01-02 | 2024-03-04\nx number: 1 | 2\n"},
	} {
		c.o.Keep, c.o.Dates = true, DatesAuto
		if got := described(readString(t, c.content, "a.csv", c.o)); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
	for want, o := range map[string]ReadOptions{
		`columns cannot be separated by "ab"`: {Delimiter: "ab"},
		`columns cannot be separated by "x"`:  {Delimiter: "x"},
		`the decimal mark "'" is not known`:   {Decimal: "'"},
		`the encoding "klingon" is not known`: {Encoding: "klingon"},
		`the order of dates "myd" is not`:     {DateOrder: "myd"},
	} {
		_, err := ReadStream(t.Context(), strings.NewReader("a,b\n1,2\n"), "a.csv", o)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestADelimiterThatNoLineHas: what would separate columns is named, where something does.
func TestADelimiterThatNoLineHas(t *testing.T) {
	for content, want := range map[string]string{
		"a,b\n1,2\n3,4\n": "there is one column, as no line at the front has semicolons; " +
			"there are more if commas separate them",
		"sep=;\na,b\n1,2\n3,4\n": "",
		"a\tb\n1\t2\n3\t4\n": "there is one column, as no line at the front has semicolons; " +
			"there are more if tabs separate them",
		"a\n1\n2\n":                            "",
		"title\nan idea, it is\nyes, it was\n": "",
		"a;b,c\n1;2\n3;4\n":                    "the columns are separated by semicolons",
	} {
		o := ReadOptions{Delimiter: ";", Keep: true}
		if strings.HasPrefix(content, "sep=") {
			o.Delimiter = ""
		}
		table := readString(t, content, "a.csv", o)
		got := strings.Join(table.Notes, "; ")
		if want != "" && !strings.HasPrefix(got, want) ||
			want == "" && strings.Contains(got, "separate") {
			t.Errorf("%q: %q, want %q", content, got, want)
		}
	}
}

// TestPlainTexts reads as streams do: what is not plain is refused, or a text.
func TestPlainTexts(t *testing.T) {
	table := readString(t, "d,on,zip\n2024-12-31,ja,007\n2025-01-01,nein,8\n", "a.csv",
		ReadOptions{Plain: true, Keep: true})
	want := "d text: 2024-12-31 | 2025-01-01\non text: ja | nein\nzip number: 7 | 8\n"
	if got := described(table); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
