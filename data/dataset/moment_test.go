package dataset

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// TestMoments reads dates and times in each order; "" is none.
func TestMoments(t *testing.T) {
	const d = "2024-02-01"
	for s, want := range map[string][2]string{ // day first, month first
		"2024-02-01":                 {d, d},
		"2024-2-1":                   {d, d},
		"2024/02/01":                 {d, d},
		"2024.02.01":                 {d, d},
		"2024-02":                    {d, d},
		"2024/02":                    {d, d},
		"2024.02":                    {"", ""}, // a number
		"2024-13-01":                 {"", ""},
		"2023-02-29":                 {"", ""},
		"2024-02-29":                 {"2024-02-29", "2024-02-29"},
		"01.02.2024":                 {d, d},
		"1.2.2024":                   {d, d},
		"1. 2. 2024":                 {d, d},
		"1.2.24":                     {d, d},
		"1.2.3":                      {"", ""}, // a version
		"01/02/2024":                 {d, "2024-01-02"},
		"01-02-2024":                 {d, "2024-01-02"},
		"31/12/2024":                 {"2024-12-31", ""},
		"12/31/2024":                 {"", "2024-12-31"},
		"12/31/99":                   {"", "1999-12-31"},
		"01/02-2024":                 {"", ""},
		"3/4":                        {"", ""},
		"1-Feb-2024":                 {d, d},
		"1-FEB-24":                   {d, d},
		"1 Feb 2024":                 {d, d},
		"1. Februar 2024":            {d, d},
		"1 février 2024":             {d, d},
		"1 lutego 2024":              {d, d},
		"Feb 1, 2024":                {d, d},
		"February 1 2024":            {d, d},
		"Feb 2024":                   {d, d},
		"2024-Feb-01":                {d, d},
		"Feb 31, 2024":               {"", ""},
		"May":                        {"", ""},
		"Thu, 01 Feb 2024":           {d, d},
		"Thursday, February 1, 2024": {d, d},
		"Thu Feb  1 15:04:05 2024":   {d + "T15:04:05", d + "T15:04:05"},
		"2024-02-01T15:04:05":        {d + "T15:04:05", d + "T15:04:05"},
		"2024-02-01 15:04":           {d + "T15:04:00", d + "T15:04:00"},
		"2024-02-01T15:04:05.25Z":    {d + "T15:04:05.25", d + "T15:04:05.25"},
		"2024-02-01 15:04:05,5":      {d + "T15:04:05.5", d + "T15:04:05.5"},
		"2024-02-01T15:04:05+02:00":  {d + "T13:04:05", d + "T13:04:05"},
		"2024-02-01T15:04:05-0530":   {d + "T20:34:05", d + "T20:34:05"},
		"2024-02-01 23:00:00-05":     {"2024-02-02T04:00:00", "2024-02-02T04:00:00"},
		"2024-02-01 15:04 UTC":       {d + "T15:04:00", d + "T15:04:00"},
		"20240201T150405Z":           {d + "T15:04:05", d + "T15:04:05"},
		"20240201":                   {"", ""}, // a number
		"01.02.2024, 15:04 ":         {"", ""}, // cells have no blanks around
		"01.02.2024, 15:04":          {d + "T15:04:00", d + "T15:04:00"},
		"1/2/2024 3:04 PM":           {d + "T15:04:00", "2024-01-02T15:04:00"},
		"1/2/2024 12:04:05 a.m.":     {d + "T00:04:05", "2024-01-02T00:04:05"},
		"1/2/2024 13:04 PM":          {"", ""},
		"2024-02-01T24:00":           {"", ""},
		"2024-02-01T12:60":           {"", ""},
		"15:04":                      {"15:04:00", "15:04:00"},
		"5:04":                       {"05:04:00", "05:04:00"},
		"15:04:05.5":                 {"15:04:05.5", "15:04:05.5"},
		"3:04 PM":                    {"15:04:00", "15:04:00"},
		"3 pm":                       {"15:00:00", "15:00:00"},
		"25:04":                      {"", ""},
		"15:4":                       {"", ""},
		"tomorrow":                   {"", ""},
		"2024":                       {"", ""},
		"192.168.1.1":                {"", ""},
		"12.345.678":                 {"", ""},
	} {
		for k, order := range []dateOrder{dayFirst, monthFirst} {
			m, ok := parseMoment([]byte(s), order)
			got := ""
			if ok {
				got = moments{kind: m.kind}.text(m.seconds)
			}
			if got != want[k] {
				t.Errorf("%q, %s: got %q, want %q", s, order, got, want[k])
			}
		}
	}
	for s, want := range map[string]string{"24/02/01": d, "31/12/24": "2031-12-24", "24-2-1": "",
		"01.02.2024": d, "01/02/2024": "",
		"24.02.01": d} {
		got := ""
		if m, ok := parseMoment([]byte(s), yearFirst); ok {
			got = moments{kind: m.kind}.text(m.seconds)
		}
		if got != want {
			t.Errorf("%q, year first: got %q, want %q", s, got, want)
		}
	}
}

// TestMomentsAgreeWithTime formats times by package time in many layouts, and reads them back.
func TestMomentsAgreeWithTime(t *testing.T) {
	layouts := []string{time.RFC3339Nano, time.RFC3339, time.RFC1123Z, time.RFC1123, time.ANSIC,
		time.DateTime, "2006-01-02 15:04:05.999999-07", "02.01.2006 15:04:05", "2.1.2006 15:04",
		"02/01/2006 03:04:05 PM", "2 January 2006 15:04:05", "Jan 2, 2006 3:04PM", "20060102T150405Z0700",
		"2006/01/02 15:04:05 -0700", "02-Jan-2006 15:04:05", time.DateOnly, "2006-1-2T15:04Z07:00"}
	rapid.Check(t, func(t *rapid.T) {
		layout := rapid.SampledFrom(layouts).Draw(t, "layout")
		zone := time.FixedZone("GMT", 0)
		if strings.Contains(layout, "07") {
			zone = time.FixedZone("", 1800*rapid.IntRange(-24, 28).Draw(t, "zone"))
			if strings.HasSuffix(layout, "-07") {
				zone = time.FixedZone("", 3600*rapid.IntRange(-12, 14).Draw(t, "hours"))
			}
		}
		at := time.UnixMicro(rapid.Int64Range(-2e15, 4e15).Draw(t, "at")).In(zone)
		text := at.Format(layout)
		want, err := time.Parse(layout, text)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := parseMoment([]byte(text), dayFirst)
		if !ok || math.Abs(got.seconds-float64(want.UnixMicro())/1e6) > 1e-6 {
			t.Fatalf("%s: %q is %v %v, want %v", layout, text, got, ok, want)
		}
	})
}

func TestDurations(t *testing.T) {
	for s, want := range map[string]float64{
		"PT1H30M": 5400, "PT0.5S": 0.5, "P1D": 86400, "P1DT2H": 93600, "P2W": 1209600, "-PT5M": -300,
		"90 min": 90 * 60, "90min": 90 * 60, "1.5 h": 5400, "1,5 Std": 5400, "1h 30m": 5400,
		"1h30m": 5400, "1 day": 86400, "1 day, 2:03:04": 93784, "2 days 00:00:01.5": 172801.5,
		"0 days": 0, "3 Tage": 259200, "2 weeks and 1 day": 1296000, "250 ms": 0.25, "10 s": 10,
		"1 hour 5 minutes 2 seconds": 3902, "5 m 3 s": 303, "1:30:00": 5400, "1:30": 5400,
		"26:00:00": 93600, "-0:30:00": -1800, "1:02:03.5": 3723.5,
	} {
		if got, form := parseDuration([]byte(s)); form == 0 || got != want {
			t.Errorf("%q: got %v %v, want %v", s, got, form, want)
		}
	}
	for _, s := range []string{"", "P", "PT", "P1Y", "P1M", "PT1M1H", "5 m", "90", "1:60:00",
		"1:2", "30 min 1 h", "h", "5 kg", "1:30:00 min", "one hour", "min 5"} {
		if got, form := parseDuration([]byte(s)); form != 0 {
			t.Errorf("%q is %v seconds", s, got)
		}
	}
}

// TestOneNoteOnNumbersThatAreNoDates reads a column that the first thousand rows show to be dates.
func TestOneNoteOnNumbersThatAreNoDates(t *testing.T) {
	var b strings.Builder
	b.WriteString("date,x\n")
	for i := range 1200 {
		fmt.Fprintf(&b, "2024%02d%02d,%d\n", i%12+1, i%28+1, i)
	}
	const dates, others = "read as dates: date", "which holds dates and other texts"
	for content, want := range map[string][2]bool{b.String(): {true, false},
		b.String() + "99999999,1\n": {false, true}} {
		notes := strings.Join(readString(t, content, "a.csv", ReadOptions{Keep: true}).Notes, "\n")
		if strings.Contains(notes, dates) != want[0] || strings.Contains(notes, others) != want[1] {
			t.Errorf("%s", notes)
		}
	}
}

// TestErrorsOfExcelAreNotedWhereverTheyAre reads some beyond the rows that types follow from.
func TestErrorsOfExcelAreNotedWhereverTheyAre(t *testing.T) {
	content := "a,b\n" + strings.Repeat("1,red\n2,blue\n", 1000) + "#WERT!,#NV\n3,#REF!\n"
	table := readString(t, content, "a.csv", ReadOptions{})
	for _, want := range []string{"column a: #WERT! counts as missing",
		"column b: #NV, #REF! counts as missing"} {
		if !slices.Contains(table.Notes, want) {
			t.Errorf("%q is not among %q", want, table.Notes)
		}
	}
	if table.Columns[0].Missing != 1 || table.Columns[1].Missing != 2 {
		t.Errorf("%+v", table.Columns)
	}
}

// TestDatesThatTurnOutOtherwise reads columns whose first thousand rows show dates alone.
func TestDatesThatTurnOutOtherwise(t *testing.T) {
	content := "d,x\n" + strings.Repeat("2024-01-31,1\n", 1200) + "soon,2\n"
	table := readString(t, content, "a.csv", ReadOptions{Keep: true})
	c := table.Columns[0]
	if c.Type != Text || c.Role != Unused || table.Cell(1200, 0) != "soon" ||
		c.Why != "holds dates and other texts, the first in row 1201" {
		t.Errorf("%+v", c)
	}
	_, err := ReadStream(t.Context(), strings.NewReader(content), "a.csv",
		ReadOptions{Features: []string{"d"}})
	wantFault(t, err, `a.csv, line 1202, column d: "soon" is no date, as the other values are`)
	content = "d,x\n" + strings.Repeat("12/31/2024,1\n", 1200) + "31/12/2024,2\n"
	_, err = ReadStream(t.Context(), strings.NewReader(content), "a.csv",
		ReadOptions{Dates: DatesAuto})
	wantFault(t, err, `a.csv, line 1202, column d: "31/12/2024" is no date written `+
		`month/day/year, as the first rows are; write it as they are, or name the order of all `+
		`(--date-order dmy)`)
	_, err = ReadStream(t.Context(), strings.NewReader("d,x\n01/02/2024,1\n02/02/2024,2\n"), "a.csv",
		ReadOptions{Features: []string{"d"}})
	wantFault(t, err, "a.csv, column d: cannot be the feature: it holds dates that may be "+
		"day/month or month/day: --date-order dmy or mdy says which")
}

// TestDatesByDefault shows dates with their range, and compares them only when they are named.
func TestDatesByDefault(t *testing.T) {
	content := "d,x\n31.12.2024,1\n,2\n1.1.2025,3\n"
	table := readString(t, content, "a.csv", ReadOptions{Keep: true})
	c := table.Columns[0]
	if c.Type != Time || c.Role != Unused || c.Missing != 1 || c.FirstMissing != 2 ||
		c.Show(c.Min) != "2024-12-31" || c.Show(c.Max) != "2025-01-01" ||
		c.Why != "holds dates: --dates auto compares them" || table.Cell(2, 0) != "1.1.2025" {
		t.Errorf("%+v, shown as %q", c, table.Cell(2, 0))
	}
	table = readString(t, content, "a.csv", ReadOptions{Features: []string{"d"}, Keep: true})
	c = table.Columns[0]
	if c.Role != Feature || c.Show(c.Min) != "2024-12-31" || c.Missing != 1 ||
		table.Cell(2, 0) != "1.1.2025" || table.Value(2, 0)-table.Value(0, 0) != 86400 {
		t.Errorf("%+v, shown as %q", c, table.Cell(2, 0))
	}
	table = readString(t, content, "a.csv", ReadOptions{Features: []string{"d"}})
	if table.Cell(2, 0) != "2025-01-01" || table.Cell(1, 0) != "" {
		t.Errorf("not kept, it is shown as %q and %q", table.Cell(2, 0), table.Cell(1, 0))
	}
}

var closely = cmpopts.EquateApprox(0, 1e-12)

// TestDatesAsFeatures prepares four days, of which the second is a quarter of the way from the
// first to the last, by hand.
func TestDatesAsFeatures(t *testing.T) {
	content := "d\n2024-01-01\n2024-01-04\n2024-01-10\n2024-01-13\n" // Mon, Thu, Wed, Sat
	weekday := func(k float64) []float64 {
		return []float64{math.Sin(2 * math.Pi * k / 7), math.Cos(2 * math.Pi * k / 7)}
	}
	root := math.Sqrt2 // of days and one part
	for _, c := range []struct {
		dates Dates
		names []string
		row   []float64 // the third one
	}{
		{DatesDays, []string{"d.days"}, []float64{0.75}},
		{DatesAuto, []string{"d.days", "d.weekday.sin", "d.weekday.cos"},
			[]float64{0.75 / root, (weekday(2)[0] + 1) / 2 / root, (weekday(2)[1] + 1) / 2 / root}},
		{DatesNone, []string{"d.days", "d.weekday.sin", "d.weekday.cos"}, // as it is named
			[]float64{0.75 / root, (weekday(2)[0] + 1) / 2 / root, (weekday(2)[1] + 1) / 2 / root}},
	} {
		table := readString(t, content, "a.csv",
			ReadOptions{Features: []string{"d"}, Dates: c.dates})
		p, err := table.Prepare(t.Context(), Preparation{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.names, p.Names); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(c.row, p.X.AppendRow(nil, 2), closely); diff != "" {
			t.Errorf("%s: %s", c.dates, diff)
		}
		if err := p.Encoding.Check(); err != nil {
			t.Error(err)
		}
		if got := p.Encoding.Original(0, p.X.At(2, 0)); math.Abs(got-9) > 1e-12 {
			t.Errorf("the third day is day %v", got)
		}
	}
	// No day is in another month, so parts are those of the week, the month and the year.
	table := readString(t, content, "a.csv", ReadOptions{Dates: DatesParts})
	p, err := table.Prepare(t.Context(), Preparation{Scale: ScaleNone})
	if err != nil {
		t.Fatal(err)
	}
	month, year := 2*math.Pi*9/31, 2*math.Pi*9/366
	want := []float64{weekday(2)[0], weekday(2)[1], math.Sin(month), math.Cos(month),
		math.Sin(year), math.Cos(year)}
	if diff := cmp.Diff(want, p.X.AppendRow(nil, 2), closely); diff != "" {
		t.Error(diff)
	}
	if n := p.Notes[0]; n != "column d is compared by the day of the week, the day of the month, "+
		"the day of the year, which together weigh as one column" {
		t.Error(n)
	}
}

// TestDatesWeighAsOneColumn compares a column of dates with one of numbers: the variance of the
// first is that of the second under z-score, and no two rows are farther apart than 1 under
// min–max.
func TestDatesWeighAsOneColumn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.SliceOfN(rapid.Int64Range(0, 2e9), 2, 40).Draw(t, "at")
		content := "d\n"
		for _, s := range at {
			content += time.Unix(s, 0).UTC().Format(time.RFC3339) + "\n"
		}
		dates := rapid.SampledFrom([]Dates{DatesAuto, DatesDays, DatesParts}).Draw(t, "dates")
		if slices.Max(at) == slices.Min(at) {
			return
		}
		table := drawn(t, content, ReadOptions{Dates: dates})
		x := func(scale Scale) Matrix {
			p, err := table.Prepare(context.Background(), Preparation{Scale: scale})
			if err != nil {
				t.Fatal(err)
			}
			return p.X
		}
		m := x(ScaleMinMax)
		for i := range m.Rows {
			for j := range i {
				sum := 0.0
				for k := range m.Cols {
					sum += (m.At(i, k) - m.At(j, k)) * (m.At(i, k) - m.At(j, k))
				}
				if sum > 1+1e-9 {
					t.Fatalf("rows %d and %d are %v apart", i, j, sum)
				}
			}
		}
		m, variance := x(ScaleZScore), 0.0
		for k := range m.Cols {
			for i := range m.Rows {
				variance += m.At(i, k) * m.At(i, k) / float64(m.Rows)
			}
		}
		if math.Abs(variance-1) > 1e-6 {
			t.Fatalf("the variance is %v", variance)
		}
	})
}

// TestDatesApply keeps a recipe as JSON and cooks it with another table, one value missing.
func TestDatesApply(t *testing.T) {
	old := readString(t, "d,x\n2024-01-01 00:00:00+02:00,1\n2024-12-31 12:00:00+02:00,2\n,3\n",
		"a.csv", ReadOptions{Dates: DatesAuto})
	p, err := old.Prepare(t.Context(), Preparation{Missing: MissingMean})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(p.Encoding)
	if err != nil {
		t.Fatal(err)
	}
	var e Encoding
	if err := json.Unmarshal(text, &e); err != nil {
		t.Fatal(err)
	}
	if err := e.Check(); err != nil {
		t.Fatal(err)
	}
	rows := readString(t, "x,d\n1,31.12.2023 22:00:00 UTC\n2,31.12.2024 10:00:00 UTC\n3,\n", "b.csv",
		ReadOptions{Features: e.Sources(), Types: e.Types()})
	x, _, err := e.Apply(t.Context(), rows)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(p.X.F64, x.F64, closely); diff != "" {
		t.Errorf("%s\n%s", text, diff)
	}
	if c := e.Columns[0].Time; c.Zone != 7200 || !cmp.Equal(c.Parts, []string{"time", "weekday",
		"monthday"}) || !c.Days {
		t.Errorf("%+v", c)
	}
	for name, spoil := range map[string]func(*EncodedColumn){
		"no time":      func(c *EncodedColumn) { c.Time = nil },
		"no columns":   func(c *EncodedColumn) { c.Time = &EncodedTime{} },
		"a part twice": func(c *EncodedColumn) { c.Time.Parts = []string{"time", "time", "time"} },
		"a strange part": func(c *EncodedColumn) {
			c.Time.Parts = []string{"time", "weekday", "century"}
		},
		"a number with a time": func(c *EncodedColumn) { c.Type = Number },
	} {
		var e Encoding
		if err := json.Unmarshal(text, &e); err != nil {
			t.Fatal(err)
		}
		spoil(&e.Columns[0])
		if e.Check() == nil {
			t.Errorf("%s: it is taken", name)
		}
	}
}

// TestTimesOfDayAreCyclic has five minutes before midnight as close to midnight as five after.
func TestTimesOfDayAreCyclic(t *testing.T) {
	table := readString(t, "at\n23:55\n00:00\n00:05\n12:00\n", "a.csv", ReadOptions{Dates: DatesAuto})
	p, err := table.Prepare(t.Context(), Preparation{})
	if err != nil {
		t.Fatal(err)
	}
	apart := func(a, b int) float64 {
		return math.Hypot(p.X.At(a, 0)-p.X.At(b, 0), p.X.At(a, 1)-p.X.At(b, 1))
	}
	if p.X.Cols != 2 || math.Abs(apart(0, 1)-apart(1, 2)) > 1e-12 || math.Abs(apart(1, 3)-1) > 1e-12 {
		t.Errorf("%v: %v %v %v", p.Names, apart(0, 1), apart(1, 2), apart(1, 3))
	}
}

// TestLettersAreNoDurations reads sizes and codes that end in the letter of a unit.
func TestLettersAreNoDurations(t *testing.T) {
	for content, want := range map[string]string{
		"a,x\n2D,1\n3D,2\n":           "a text: 2D | 3D\nx number: 1 | 2\n",
		"a,x\n40W,1\n60W,2\n":         "a text: 40W | 60W\nx number: 1 | 2\n",
		"a,x\n5 D,1\n7 s,2\n":         "a text: 5 D | 7 s\nx number: 1 | 2\n",
		"a,x\n1h 30m,1\n2h,2\n":       "a number: 5400 | 7200\nx number: 1 | 2\n",
		"a,x\n2 days,1\n12 hours,2\n": "a number: 172800 | 43200\nx number: 1 | 2\n",
	} {
		if got := described(readString(t, content, "a.csv", ReadOptions{Keep: true})); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestWhatIsNoDate reads texts that have something of dates and times of day.
func TestWhatIsNoDate(t *testing.T) {
	for _, s := range []string{"13 PM", "0 AM", "0:30 PM", "12xJan 2024", "12:Jan 2024",
		"12_Jan 2024"} {
		for _, order := range []dateOrder{dayFirst, monthFirst, yearFirst} {
			if _, ok := parseMoment([]byte(s), order); ok {
				t.Errorf("%q is a moment", s)
			}
		}
	}
	for content, want := range map[string]string{
		"version,x\n1.2.13,1\n1.10.14,2\n": "version text: 1.2.13 | 1.10.14\nx number: 1 | 2\n",
		"Datum,x\n1.2.13,1\n1.10.14,2\n":   "Datum time: 2013-02-01 | 2014-10-01\nx number: 1 | 2\n",
		"when,x\n01.02.13,1\n01.10.14,2\n": "when time: 2013-02-01 | 2014-10-01\nx number: 1 | 2\n",
		"span,x\n1970-75,1\n1970-01,2\n":   "span text: 1970-75 | 1970-01\nx number: 1 | 2\n",
		"month,x\n1970-12,1\n1970-01,2\n":  "month time: 1970-12-01 | 1970-01-01\nx number: 1 | 2\n",
		"shift,x\n13 PM,1\n2 PM,2\n":       "shift text: 13 PM | 2 PM\nx number: 1 | 2\n",
	} {
		o := ReadOptions{Keep: true, Dates: DatesAuto}
		if got := described(readString(t, content, "a.csv", o)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for content, want := range map[string]string{
		"month,x\n1970-12,1\n1970-01,2\n":  "read as months, which begin on the first day: month",
		"when,x\n01.02.13,1\n01.10.14,2\n": "years of two digits read as 1969 to 2068: when",
	} {
		if notes := readString(t, content, "a.csv", ReadOptions{}).Notes; !slices.Contains(notes, want) {
			t.Errorf("no note %q in %q", want, notes)
		}
	}
}

// TestWhatIsNoDateAmongDates names the value that makes a column of dates a text or a category.
func TestWhatIsNoDateAmongDates(t *testing.T) {
	for name, content := range map[string]string{
		"a.csv": "Datum,x\n01.12.2024,1\n,2\n31.13.2024,3\n02.12.2024,4\n03.12.2024,5\n",
		"a.jsonl": "{\"Datum\":\"01.12.2024\",\"x\":1}\n{\"x\":2}\n" +
			"{\"Datum\":\"31.13.2024\",\"x\":3}\n{\"Datum\":\"02.12.2024\",\"x\":4}\n",
	} {
		table := readString(t, content, name, ReadOptions{Keep: true})
		want := `holds dates, but "31.13.2024" in row 3 is no date: fix it, or leave it empty`
		if c := table.Columns[0]; c.Type != Text || c.Role != Unused || c.Why != want {
			t.Errorf("%s: a %s, %s: %q", name, c.Type, c.Role, c.Why)
		}
	}
	repeated := readString(t, "d,x\n"+strings.Repeat("2024-12-31,1\n2025-01-31,2\n", 20)+
		"2025-02-31,3\n", "a.csv", ReadOptions{})
	if want := `column d is a category, as "2025-02-31" in row 41 is no date`; !slices.Contains(
		repeated.Notes, want) {
		t.Errorf("no note %q in %q", want, repeated.Notes)
	}
	named := readString(t, "d,x\n2024-12-31,1\n2025-01-31,2\n2025-02-31,3\n", "a.csv",
		ReadOptions{ID: "d"})
	if named.ID(2) != "2025-02-31" {
		t.Errorf("as an id it is %q", named.ID(2))
	}
}
