package dataset

import (
	"slices"
	"strings"
	"testing"
)

// TestZonesByName reads times in zones that have a name; "" is none.
func TestZonesByName(t *testing.T) {
	for s, want := range map[string]string{
		"2024-01-01 12:00 CET":                                       "2024-01-01T11:00:00",
		"2024-07-01 12:00 MESZ":                                      "2024-07-01T10:00:00",
		"2024-01-01 12:00 EST":                                       "2024-01-01T17:00:00",
		"01.01.2024 12:00:30 PDT":                                    "2024-01-01T19:00:30",
		"2024-01-01 12:00 Europe/Berlin":                             "2024-01-01T11:00:00",
		"2024-07-01T12:00:00 Europe/Berlin":                          "2024-07-01T10:00:00",
		"2024-07-01T12:00:00+02:00[Europe/Berlin]":                   "2024-07-01T10:00:00",
		"2024-07-01T12:00:00[America/New_York]":                      "2024-07-01T16:00:00",
		"2024-07-01 12:00:00 America/Argentina/Salta":                "2024-07-01T15:00:00",
		"2024-01-01 12:00:00 +0100 CET":                              "2024-01-01T11:00:00",
		"Mon Jan 01 2024 12:00:00 GMT+0100 (Mitteleuropäische Zeit)": "2024-01-01T11:00:00",
		"Mon Jan  1 12:00:00 CET 2024":                               "2024-01-01T11:00:00",
		"2024-01-01 12:00 IST":                                       "",
		"2024-01-01 12:00 (cancelled)":                               "",
		"2024-01-01 12:00 (CET)":                                     "",
		"2024-01-01 12:00 CET EST":                                   "",
		"2024-01-01 12:00 Europe/Nowhere":                            "",
		"2024-01-01 12:00 ../etc":                                    "",
		"2024-01-01 Europe/Berlin":                                   "",
		"2024-01-01 12:00 UTC Europe/Berlin x":                       "",
		"31DEC2024":                                                  "2024-12-31",
		"01JAN24":                                                    "2024-01-01",
		"01JAN2024:12:30:05":                                         "2024-01-01T12:30:05",
		"01JAN2024:12:30 EST":                                        "2024-01-01T17:30:00",
		"1-Jan-24":                                                   "2024-01-01",
		"1 de enero de 2024":                                         "2024-01-01",
		"31 de março de 2024":                                        "2024-03-31",
		"1 mrt 2024":                                                 "2024-03-01",
		"01XYZ2024":                                                  "",
		"01JAN":                                                      "",
		"2de 2024":                                                   "",
	} {
		m, ok := parseMoment([]byte(s), dayFirst)
		got := ""
		if ok {
			got = moments{kind: m.kind}.text(m.seconds)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", s, got, want)
		}
	}
}

// TestUnknownZonesAreNamed: a column in a zone of several meanings is not compared, and says why; a
// value in one among other dates is a fault.
func TestUnknownZonesAreNamed(t *testing.T) {
	text := "t;x\n2024-01-01 12:00 IST;1\n2024-01-02 12:00 IST;2\n2024-01-03 11:00 IST;3\n"
	table := readString(t, text, "a.csv", ReadOptions{})
	if why := strings.Join(table.Notes, "\n"); table.Columns[0].Type != Text ||
		!strings.Contains(why, "holds dates in the zone IST, which is not known") {
		t.Error(table.Columns[0], why)
	}
	rows := slices.Repeat([]string{"2024-01-01 12:00 CET;1\n"}, 1500)
	_, err := ReadStream(t.Context(), strings.NewReader("t;x\n"+strings.Join(rows, "")+
		"2024-01-01 12:00 BST;1\n"), "a.csv", ReadOptions{Features: []string{"t"}})
	if err == nil || !strings.Contains(err.Error(), `is in the zone BST, which`) {
		t.Error(err)
	}
}

// TestErrorsOfSpreadsheets counts errors of Excel in any language as missing, among numbers and
// among words.
func TestErrorsOfSpreadsheets(t *testing.T) {
	var text strings.Builder
	text.WriteString("x;w;tag\n")
	errors := []string{"#NV", "#WERT!", "#BEZUG!", "#DIV/0!", "#ZAHL!", "#NOM?", "#VALEUR!",
		"#N/D", "#¡VALOR!", "#¿NOMBRE?", "#RIF!", "#VALOR!", "#NÚM!", "#N/B", "#WAARDE!", "#DEEL/0!",
		"#N/A", "#REF!", "#ЗНАЧ!"}
	for i, word := range errors {
		text.WriteString("1,5;red;#WOW!\n" + word + ";blue;green\n2;" + word + ";green\n" +
			itoa(i) + ";red;green\n")
	}
	table := readString(t, text.String(), "a.csv", ReadOptions{})
	notes := strings.Join(table.Notes, "\n")
	for _, c := range table.Columns[:2] {
		if c.Missing != len(errors) {
			t.Errorf("%s: %d missing of %d", c.Name, c.Missing, len(errors))
		}
		if !strings.Contains(notes, "column "+c.Name+": #") {
			t.Errorf("no note of %s: %s", c.Name, notes)
		}
	}
	if table.Columns[0].Type != Number || table.Columns[1].Type != Category ||
		table.Columns[2].Missing != 0 {
		t.Error(table.Columns)
	}
}
