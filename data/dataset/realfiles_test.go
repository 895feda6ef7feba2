package dataset

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// in returns a text in an encoding of eight bits.
func in(tb testing.TB, code *charmap.Charmap, text string) string {
	tb.Helper()
	out, err := code.NewEncoder().String(text)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// wide returns a text in UTF-16.
func wide(tb testing.TB, order unicode.Endianness, mark unicode.BOMPolicy, text string) string {
	tb.Helper()
	out, err := unicode.UTF16(order, mark).NewEncoder().String(text)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// described returns a line for each column: its name, role and type, and its values, those of
// numbers and times as they lie in the matrix.
func described(t *Table) string {
	var b strings.Builder
	for j := range t.Columns {
		c := &t.Columns[j]
		b.WriteString(c.Name + " " + c.Type.String())
		if c.Role == ID {
			b.WriteString(" id")
		}
		b.WriteString(":")
		for i := range t.Rows {
			b.WriteString(" ")
			if i > 0 {
				b.WriteString("| ")
			}
			cell := t.Cell(i, j)
			if c.Role == Feature && c.Type != Category && cell != "" {
				v := t.Value(i, j)
				if c.Type == Time {
					cell = c.Show(v)
				} else {
					cell = strconv.FormatFloat(v, 'g', -1, 64)
				}
			}
			b.WriteString(cell)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestRealFiles opens files as people have them, without a flag, as a file in tiny pieces and as a
// stream: each has the columns, the types and the values that it means, or fails with the sentence
// that helps.
func TestRealFiles(t *testing.T) {
	latin := func(s string) string { return in(t, charmap.ISO8859_1, s) }
	western := func(s string) string { return in(t, charmap.Windows1252, s) }
	for _, c := range []struct {
		name, file, content string
		want                string // as described, or the fault from the place on
		note                string // one of the notes, or what it begins with
	}{
		// United States and the plain form.
		{"plain", "a.csv", "x,y\n1,2.5\n-3,4e2\n",
			"x number: 1 | -3\ny number: 2.5 | 400\n", ""},
		{"US sales", "a.csv", "region,amount,share\nEast,\"$1,234.50\",12%\n" +
			"West,($20.00),7.5%\nEast,$0.99,80%\n",
			"region category: East | West | East\namount number: 1234.5 | -20 | 0.99\n" +
				"share number: 0.12 | 0.075 | 0.8\n", "amounts in $, read as numbers: amount"},
		{"US dates", "a.csv", "when,x\n12/31/2024,1\n01/05/2025,2\n",
			"when time: 2024-12-31 | 2025-01-05\nx number: 1 | 2\n",
			"dates read as month/day/year: when"},
		{"US times", "a.csv", "at,x\n1/5/2024 2:30 PM,1\n1/25/2024 12:05 AM,2\n",
			"at time: 2024-01-05T14:30:00 | 2024-01-25T00:05:00\nx number: 1 | 2\n", ""},
		{"US thousands alone", "a.csv", "town,people\nA,\"12,345\"\nB,987\nA,\"1,200\"\n",
			"town category: A | B | A\npeople number: 12345 | 987 | 1200\n",
			"column people: 12,345 was read as 12345 (--decimal , reads it the other way)"},
		{"US ledger", "a.txt", "item\tdebit\ndesk\t1,250.00-\nlamp\t19.99\n",
			"item text: desk | lamp\ndebit number: -1250 | 19.99\n",
			"the columns are separated by tabs"},

		// Germany.
		{"German Excel", "a.csv", "\ufeffName;Umsatz;Anteil;Datum\r\n" +
			"Müller;1.234,50;12,5 %;31.12.2024\r\nMaier;-7,00;0 %;01.02.2025\r\n",
			"Name text: Müller | Maier\nUmsatz number: 1234.5 | -7\nAnteil number: 0.125 | 0\n" +
				"Datum time: 2024-12-31 | 2025-02-01\n", "read with a decimal comma: Umsatz"},
		{"German Excel in Latin-1", "a.csv", latin("Größe;Fläche\r\n1,5;2\r\n2,25;3\r\n"),
			"Größe number: 1.5 | 2.25\nFläche number: 2 | 3\n",
			"the text was read as Windows-1252"},
		{"German prices", "a.csv", western("Ware;Preis\nBrot;2,49 €\nKäse;1.099,- €\n"),
			"Ware text: Brot | Käse\nPreis number: 2.49 | 1099\n", "amounts in €"},
		{"German thousands alone", "a.csv", "Ort;Einwohner\nA;12.345\nB;987\nA;1.200\n",
			"Ort category: A | B | A\nEinwohner number: 12345 | 987 | 1200\n",
			"column Einwohner: 12.345 was read as 12345 (--decimal . reads it the other way)"},
		{"German words", "a.csv", "aktiv;Kunde;x\nja;A;1\nnein;B;2\nja;B;3\n",
			"aktiv boolean: 1 | 0 | 1\nKunde category: A | B | B\nx number: 1 | 2 | 3\n", ""},
		{"German months", "a.csv", "Tag;x\n3. Oktober 2024;1\n1. März 2025;2\n",
			"Tag time: 2024-10-03 | 2025-03-01\nx number: 1 | 2\n", ""},
		{"German short dates", "a.csv", "Tag;x\n3.10.24;1\n31.12.99;2\n",
			"Tag time: 2024-10-03 | 1999-12-31\nx number: 1 | 2\n", ""},
		{"German codes", "a.csv", "PLZ;x\n01067;1\n80331;2\n01067;3\n",
			"PLZ category: 01067 | 80331 | 01067\nx number: 1 | 2 | 3\n", ""},
		{"German preamble", "a.csv", "Umsatzbericht 2024\nStand: 31.12.2024\n\n" +
			"Ort;Menge;Preis\nA;1;2,5\nB;2;3,5\nA;3;4,5\n",
			"Ort category: A | B | A\nMenge number: 1 | 2 | 3\nPreis number: 2.5 | 3.5 | 4.5\n",
			"2 lines before the header passed over"},
		{"German padded preamble", "a.csv", "Umsatzbericht 2024;;\nOrt;Menge;Preis\nA;1;2,5\n" +
			"B;2;3,5\nA;3;4,5\n",
			"Ort category: A | B | A\nMenge number: 1 | 2 | 3\nPreis number: 2.5 | 3.5 | 4.5\n",
			"1 line before the header passed over"},
		{"commas decide among points", "a.csv", "a;b\n1,5;1.234\n2,5;12.000\n",
			"a number: 1.5 | 2.5\nb number: 1234 | 12000\n", ""},
		{"points beside commas", "a.csv", "a;b\n1,5;0.25\n2,5;12.5\n",
			"a number: 1.5 | 2.5\nb number: 0.25 | 12.5\n", ""},
		{"sensor with points and semicolons", "a.csv", "a;b\n1.234;10\n5.678;20\n",
			"a number: 1.234 | 5.678\nb number: 10 | 20\n",
			"the columns are separated by semicolons"},

		// France.
		{"French", "a.csv", "ville;prix;actif\nLyon;1\u202f234,50 €;oui\nNice;12,00 €;non\n" +
			"Lyon;3,5 €;oui\n",
			"ville category: Lyon | Nice | Lyon\nprix number: 1234.5 | 12 | 3.5\n" +
				"actif boolean: 1 | 0 | 1\n", "amounts in €"},
		{"French with fixed blanks", "a.csv", latin("an;prix\nA;1\u00a0234,5\nÉ;12,5\n"),
			"an text: A | É\nprix number: 1234.5 | 12.5\n", "the text was read as Windows-1252"},
		{"French dates", "a.csv", "jour;x\n31/12/2024;1,5\n01/02/2025;2\n",
			"jour time: 2024-12-31 | 2025-02-01\nx number: 1.5 | 2\n",
			"dates read as day/month/year: jour"},
		{"French dates by the comma", "a.csv", "jour;x\n01/12/2024;1,5\n01/02/2025;2\n",
			"jour time: 2024-12-01 | 2025-02-01\nx number: 1.5 | 2\n",
			"dates read as day/month/year: jour"},
		{"French months", "a.csv", "jour;x\n1 févr. 2024;1\n14 juillet 2024;2\n",
			"jour time: 2024-02-01 | 2024-07-14\nx number: 1 | 2\n", ""},
		{"French in UTF-16", "a.csv", wide(t, unicode.LittleEndian, unicode.UseBOM,
			"é;x\r\na;1,5\r\nb;2,5\r\n"), "é text: a | b\nx number: 1.5 | 2.5\n",
			"the text was read as UTF-16"},

		// Poland and Sweden.
		{"Polish", "a.csv", "miasto;kwota;tak\nŁódź;1 234,50 zł;tak\nGdańsk;7,00 zł;nie\n",
			"miasto text: Łódź | Gdańsk\nkwota number: 1234.5 | 7\ntak boolean: 1 | 0\n",
			"amounts in zł"},
		{"Polish in Windows-1250", "a.csv", in(t, charmap.Windows1250, "miasto;kwota\n"+
			"Białystok;1,5\nWąchock;2,5\nBiała;3,5\n"),
			"miasto text: Białystok | Wąchock | Biała\nkwota number: 1.5 | 2.5 | 3.5\n",
			"the text was read as Windows-1250, as its letters show"},
		{"Polish in ISO 8859-2", "a.csv", in(t, charmap.ISO8859_2, "miasto;kwota\n"+
			"Białystok;1,5\nWąchock;2,5\nKraśnik;3,5\n"),
			"miasto text: Białystok | Wąchock | Kraśnik\nkwota number: 1.5 | 2.5 | 3.5\n",
			"the text was read as ISO 8859-2, as its letters show"},
		{"Czech in Windows-1250", "a.csv", in(t, charmap.Windows1250, "město;x\nPříbram;1,5\n"+
			"Děčín;2,5\nJáchymov;3,5\nPřerov;4,5\n"),
			"město text: Příbram | Děčín | Jáchymov | Přerov\nx number: 1.5 | 2.5 | 3.5 | 4.5\n",
			"the text was read as Windows-1250, as its letters show"},
		{"Czech in ISO 8859-2", "a.csv", in(t, charmap.ISO8859_2, "město;x\nPříšov;1,5\n"+
			"Děčín;2,5\nJáchymov;3,5\nPřerov;4,5\n"),
			"město text: Příšov | Děčín | Jáchymov | Přerov\nx number: 1.5 | 2.5 | 3.5 | 4.5\n",
			"the text was read as ISO 8859-2, as its letters show"},
		{"Hungarian in Windows-1250", "a.csv", in(t, charmap.Windows1250, "város;x\nGyőr;1,5\n"+
			"Fertőd;2,5\nKőszeg;3,5\nFűzfő;4,5\n"),
			"város text: Győr | Fertőd | Kőszeg | Fűzfő\nx number: 1.5 | 2.5 | 3.5 | 4.5\n",
			"the text was read as Windows-1250, as its letters show"},
		{"Danish and French names", "a.csv", western("navn;x\nSøren Jørgensen;1,5\n" +
			"Hélène Lefèvre;2,5\nBjørn Benoît;3,5\nFrançois Août 10 m³/h;4,5\n"),
			"navn text: Søren Jørgensen | Hélène Lefèvre | Bjørn Benoît | " +
				"François Août 10 m³/h\nx number: 1.5 | 2.5 | 3.5 | 4.5\n",
			"the text was read as Windows-1252"},
		{"price levels", "a.csv", western("ort;preis\nA;€€€\nB;€€\nC;€–€€€\nA;€€\n"),
			"ort category: A | B | C | A\npreis category: €€€ | €€ | €–€€€ | €€\n",
			"the text was read as Windows-1252"},
		{"Swedish", "a.csv", "ort;pris;såld\nMalmö;1 250 kr;ja\nLund;99,50 kr;nej\n",
			"ort text: Malmö | Lund\npris number: 1250 | 99.5\nsåld boolean: 1 | 0\n",
			"amounts in kr"},
		{"Swedish with a true minus", "a.csv", "dag\ttemp\n2024-01-01\t−3,5\n2024-01-02\t2,0\n",
			"dag time: 2024-01-01 | 2024-01-02\ntemp number: -3.5 | 2\n",
			"read with a decimal comma: temp"},

		// Brazil.
		{"Brazilian", "a.csv", "cidade;valor;ativo;data\nRio;R$ 1.234,56;sim;05/11/2024\n" +
			"Natal;R$ 10,00;não;25/11/2024\n",
			"cidade text: Rio | Natal\nvalor number: 1234.56 | 10\nativo boolean: 1 | 0\n" +
				"data time: 2024-11-05 | 2024-11-25\n", "amounts in R$"},
		{"Brazilian quoted", "a.csv", "a,b\n\"1,5\",\"2.000,25\"\n\"0,5\",\"3,0\"\n",
			"a number: 1.5 | 0.5\nb number: 2000.25 | 3\n", "read with a decimal comma: a, b"},

		// India and Switzerland.
		{"Indian", "a.csv", "city,price\nPune,\"₹ 12,34,567.50\"\nAgra,\"₹ 1,200.00\"\n",
			"city text: Pune | Agra\nprice number: 1.2345675e+06 | 1200\n", "amounts in ₹"},
		{"Indian dates", "a.csv", "when,x\n13-08-2024,1\n02-09-2024,2\n",
			"when time: 2024-08-13 | 2024-09-02\nx number: 1 | 2\n", ""},
		{"Swiss", "a.csv", "Ort;Betrag\nBern;CHF 1'234.50\nChur;CHF 12'345'678.00\n",
			"Ort text: Bern | Chur\nBetrag number: 1234.5 | 1.2345678e+07\n", "amounts in CHF"},
		{"Swiss typeset", "a.csv", "Ort;Betrag\nBern;1’234.50\nChur;12.25\n",
			"Ort text: Bern | Chur\nBetrag number: 1234.5 | 12.25\n", ""},

		// Spreadsheets.
		{"Excel with sep=", "a.csv", "sep=;\r\na;b\r\n1;x\r\n2;y\r\n1;x\r\n",
			"a number: 1 | 2 | 1\nb category: x | y | x\n",
			"the columns are separated by semicolons"},
		{"Excel Unicode text", "a.txt", wide(t, unicode.LittleEndian, unicode.UseBOM,
			"a\tb\r\n1\t\"x, y\"\r\n2\tz\r\n"), "a number: 1 | 2\nb text: x, y | z\n",
			"the text was read as UTF-16"},
		{"UTF-16 without a mark", "a.csv", wide(t, unicode.BigEndian, unicode.IgnoreBOM,
			"a,b\n1,2\n3,4\n"), "a number: 1 | 3\nb number: 2 | 4\n",
			"the text was read as UTF-16"},
		{"Excel errors", "a.csv", "a,b\n1,2\n#DIV/0!,3\n2,#N/A\n5,#VALUE!\n",
			"a number: 1 |  | 2 | 5\nb number: 2 | 3 |  | \n",
			"column a: #DIV/0! counts as missing"},
		{"Excel short months", "a.csv", "when,x\n31-Dec-24,1\n01-Jan-25,2\n",
			"when time: 2024-12-31 | 2025-01-01\nx number: 1 | 2\n", ""},
		{"LibreOffice", "a.csv", "\"Name\",\"Notiz\",\"Wert\"\n\"A\",\"erste\nzweite Zeile\",1.5\n" +
			"\"B\",\"sagt \"\"nein\"\"\",2\n",
			"Name text: A | B\nNotiz text: erste\nzweite Zeile | sagt \"nein\"\n" +
				"Wert number: 1.5 | 2\n", ""},
		{"accounts with dashes", "a.csv", "item,cost\nA,\"1,200.00\"\nB,-\nA,5.00\n",
			"item category: A | B | A\ncost number: 1200 |  | 5\n",
			"column cost: - counts as missing"},
		{"dashes among words", "a.csv", "grade,x\n-,1\nA,2\n-,3\nB,4\nA,5\n",
			"grade category: - | A | - | B | A\nx number: 1 | 2 | 3 | 4 | 5\n", ""},
		{"a pivot table", "a.csv", "Sum of sales,,\nregion,2023,2024\nEast,1,2\nWest,3,4\n",
			"region text: East | West\n2023 number: 1 | 3\n2024 number: 2 | 4\n",
			"1 line before the header passed over"},

		// pandas, R, Julia, SAS.
		{"pandas", "a.csv", ",x,when\n0,1.5,2024-01-01 00:00:00\n1,,2024-01-02 12:30:00\n",
			"column1 number id: 0 | 1\nx number: 1.5 | \n" +
				"when time: 2024-01-01T00:00:00 | 2024-01-02T12:30:00\n",
			"column column1 is the id"},
		{"pandas types", "a.csv", ",ok,took,cat\n0,True,0 days 01:30:00,a\n" +
			"1,False,1 days 00:00:01.5,\n2,True,,a\n",
			"column1 number id: 0 | 1 | 2\nok boolean: 1 | 0 | 1\ntook number: 5400 | 86401.5 | \n" +
				"cat category: a |  | a\n", "durations, read as seconds: took"},
		{"pandas zones", "a.csv", "t,x\n2024-03-31 01:30:00+01:00,1\n2024-03-31 03:30:00+02:00,2\n",
			"t time: 2024-03-31T01:30:00+01:00 | 2024-03-31T02:30:00+01:00\nx number: 1 | 2\n", ""},
		{"R write.csv", "a.csv", "\"\",\"x\",\"g\"\n\"1\",5.1,\"a\"\n\"2\",NA,\"b\"\n\"3\",4,\"a\"\n",
			"column1 number id: 1 | 2 | 3\nx number: 5.1 |  | 4\ng category: a | b | a\n", ""},
		{"R write.table with commas", "a.csv", "\"x\",\"g\"\n\"r1\",5.1,\"a\"\n\"r2\",NA,\"b\"\n" +
			"\"r3\",4,\"a\"\n",
			"column1 text id: r1 | r2 | r3\nx number: 5.1 |  | 4\ng category: a | b | a\n",
			"the header lacks a name for the first column"},
		{"R write.table", "a.txt", "\"mpg\" \"cyl\"\n\"Mazda RX4\" 21 6\n\"Datsun 710\" 22.8 4\n",
			"column1 text id: Mazda RX4 | Datsun 710\nmpg number: 21 | 22.8\ncyl number: 6 | 4\n",
			"the columns are separated by blanks"},
		{"R write.csv2", "a.csv", "\"\";\"x\"\n\"1\";5,1\n\"2\";NA\n\"3\";4,25\n",
			"column1 number id: 1 | 2 | 3\nx number: 5.1 |  | 4.25\n", ""},
		{"SAS dates and points", "a.csv", "d,x\n01JAN2024,1\n15FEB2024,.\n03MAR2024,3\n",
			"d time: 2024-01-01 | 2024-02-15 | 2024-03-03\nx number: 1 |  | 3\n",
			"column x: . counts as missing"},

		// Databases and logs.
		{"psql", "a.txt", " id | name | price \n----+------+-------\n  1 | desk | 10.50\n" +
			"  2 | lamp |      \n(2 rows)\n\n",
			"id number id: 1 | 2\nname text: desk | lamp\nprice number: 10.5 | \n",
			"the columns are separated by bars"},
		{"PostgreSQL COPY", "a.tsv", "id\tx\tok\n1\t\\N\tt\n2\t2.5\tf\n",
			"id number id: 1 | 2\nx number:  | 2.5\nok boolean: 1 | 0\n", ""},
		{"PostgreSQL times", "a.csv", "at,took\n2024-01-01 10:00:00.123456+00,1 day 02:00:00\n" +
			"2024-01-02 11:00:00+00,00:00:05\n",
			"at time: 2024-01-01T10:00:00.123456Z | 2024-01-02T11:00:00Z\n" +
				"took number: 93600 | 5\n", "durations, read as seconds: took"},
		{"MySQL drawn", "a.txt", "+----+------+\n| id | name |\n+----+------+\n|  1 | desk |\n",
			"line 1: is a table drawn with lines; write it as CSV or with tabs (mysql --batch, " +
				"psql --csv), or take the lines out", ""},
		{"Markdown", "a.md", "| a | b |\n|---|---|\n| 1 | 2 |\n",
			"line 1: is a table drawn with lines", ""},
		{"MySQL batch", "a.tsv", "id\tx\n1\tNULL\n2\t5\n", "id number id: 1 | 2\nx number:  | 5\n",
			""},
		{"bars", "a.csv", "name|note|x\nann|hello, world|1\nbob|bye, now|2\n",
			"name text: ann | bob\nnote text: hello, world | bye, now\nx number: 1 | 2\n",
			"the columns are separated by bars"},
		{"a log", "a.csv", "# station 12, roof\n# unit: °C\ntime,temp\n2024-01-01T00:00:00Z,1.5\n" +
			"# restarted\n2024-01-01T01:00:00Z,1.7\n",
			"time time: 2024-01-01T00:00:00Z | 2024-01-01T01:00:00Z\ntemp number: 1.5 | 1.7\n",
			"2 lines that begin with # passed over"},
		{"a header that begins with #", "a.tsv", "#chrom\tpos\nchr1\t100\nchr2\t200\n",
			"#chrom text: chr1 | chr2\npos number: 100 | 200\n", ""},
		{"Unix time by name", "a.csv", "unix_time,x\n1704067200,1\n1704153600,2\n",
			"unix_time time: 2024-01-01T00:00:00Z | 2024-01-02T00:00:00Z\nx number: 1 | 2\n",
			"Unix times, read as dates, as the name says: unix_time"},
		{"Unix milliseconds by name", "a.csv", "timestamp,x\n1704067200500,1\n1704153600000,2\n",
			"timestamp time: 2024-01-01T00:00:00.5Z | 2024-01-02T00:00:00Z\nx number: 1 | 2\n", ""},
		{"large numbers without the name", "a.csv", "n,x\n1704067200,1\n1704153600,2\n",
			"n number: 1.7040672e+09 | 1.7041536e+09\nx number: 1 | 2\n", ""},
		{"compact dates by name", "a.csv", "date,x\n20240131,1\n20240229,2\n",
			"date time: 2024-01-31 | 2024-02-29\nx number: 1 | 2\n", ""},
		{"times of day", "a.csv", "opens,x\n08:30,1\n17:45:30,2\n",
			"opens time: 08:30:00 | 17:45:30\nx number: 1 | 2\n", ""},
		{"durations", "a.csv", "lap,iso,spoken\n25:10:00,PT1H30M,90 min\n0:59:30,P1D,1h 30m\n",
			"lap number: 90600 | 3570\niso number: 5400 | 86400\nspoken number: 5400 | 5400\n",
			"durations, read as seconds: lap, iso, spoken"},
		{"mail dates", "a.csv", "sent,x\n\"Wed, 02 Oct 2024 13:00:00 GMT\",1\n" +
			"\"Fri, 04 Oct 2024 15:30:00 +0200\",2\n",
			"sent time: 2024-10-02T13:00:00Z | 2024-10-04T13:30:00Z\nx number: 1 | 2\n", ""},
		{"on and off", "a.csv", "power,level\non,1\noff,0\non,1\n",
			"power boolean: 1 | 0 | 1\nlevel number: 1 | 0 | 1\n", ""},
		{"yes, no and unknown", "a.csv", "loan,x\nyes,1\nno,2\nunknown,3\nno,4\n",
			"loan category: yes | no | unknown | no\nx number: 1 | 2 | 3 | 4\n", ""},
		{"JSON lines", "a.jsonl", `{"when":"2024-12-31","price":"1.234,50 €","zip":"01067"}` + "\n" +
			`{"when":"2025-01-01","price":"2,00 €","zip":"10115"}` + "\n",
			"when time: 2024-12-31 | 2025-01-01\nprice number: 1234.5 | 2\nzip text: 01067 | 10115\n",
			"amounts in €"},

		// Texts, one a line.
		{"sentences", "a.txt", "The room was clean, bright, and quiet.\n" +
			"We waited an hour for breakfast!\n\nStaff said \"no\" to all that we asked.\n" +
			"Great place, and we will come again.\n",
			"x1 text: The room was clean, bright, and quiet. | We waited an hour for breakfast! | " +
				"Staff said \"no\" to all that we asked. | Great place, and we will come again.\n",
			"the first line is a sentence like the others, so it was taken as data and the " +
				"column is named x1"},
		{"sentences without commas", "a.csv", "the room was clean\nwe waited for an hour\n" +
			"nobody came to help us\n",
			"x1 text: the room was clean | we waited for an hour | nobody came to help us\n", ""},
		{"sentences below a header", "a.txt", "review\nThe room was clean, bright, and quiet.\n" +
			"We waited an hour, or more!\nGreat place to be, all in all.\n",
			"review text: The room was clean, bright, and quiet. | We waited an hour, or more! | " +
				"Great place to be, all in all.\n", ""},
		{"words, one a line", "a.txt", "fruit\napple\npear\napple\n",
			"fruit category: apple | pear | apple\n", ""},

		// Broken ones.
		{"dates of either order", "a.csv", "when,x\n01/02/2024,1\n03/04/2024,2\n",
			"when text: 01/02/2024 | 03/04/2024\nx number: 1 | 2\n", "not a feature: when, which " +
				"holds dates that may be day/month or month/day: --date-order dmy or mdy says which"},
		{"dates that no order fits", "a.csv", "when,x\n31/12/2024,1\n12/31/2024,2\n",
			"when text: 31/12/2024 | 12/31/2024\nx number: 1 | 2\n", ""},
		{"both marks", "a.csv", "x;y\n1,5;2\n2.5;3\n3.5;4\n",
			`line 2, column x: "1,5" is no number with a decimal point, as the first rows have ` +
				`it; write it as they are, or name the decimal mark of all (--decimal ,)`, ""},
		{"two currencies", "a.csv", "a,p\n1,$5\n2,€6\n3,$7\n",
			`line 3, column p: "€6" is in another currency than the first rows, which are in $; ` +
				`give a column for each currency, or convert them first`, ""},
		{"a word among numbers", "a.csv", "x,y\n1,2\n2,tbd\n3,4\n",
			`line 3, column y: "tbd" is not a number; fix the value, name it if it means a ` +
				`missing one (--na tbd), read the column as text (--types y=text), or leave it out`,
			""},
		{"a line of totals", "a.csv", "Nr;Umsatz\n1;2,5\n2;3\nSumme:;5,5\n",
			`line 4, column Nr: "Summe:" is not a number; take the line out of the file if it ` +
				`holds totals of the others, name it if it means a missing one (--na Summe:), ` +
				`read the column as text (--types Nr=text), or leave it out`, ""},
		{"a separator too many in each row", "a.csv", "a,b\n1,2,\n3,4,\n",
			"line 2: has 3 fields where the header has 2; put fields that contain the separator", ""},
		{"an unquoted comma", "a.csv", "name,age\nDoe, John,31\nRoe, Jane,28\n",
			"line 2: has 3 fields where the header has 2; put fields that contain the separator", ""},
		{"Cyrillic in eight bits", "a.csv", in(t, charmap.Windows1251, "имя,x\nАня,1\nЯна,2\n"),
			"line 1: has a byte that is not UTF-8; save the file as UTF-8, or name its encoding " +
				"(--encoding; it may be windows-1252, windows-1250, iso-8859-2,", ""},
		{"Cyrillic without a letter that shows it", "a.csv",
			in(t, charmap.Windows1251, "город,x\nМосква,1\nТомск,2\n"),
			"line 1: has a byte that is not UTF-8; save the file as UTF-8, or name its encoding",
			""},
		{"UTF-8 with a broken letter", "a.csv", "é,x\nà,1\nü\xe9,2\nö,3\n",
			"line 3: has a byte that is not UTF-8", ""},
		{"LIBSVM", "a.svm", "1 3:0.5 7:1\n-1 1:-0.25 2:1e-3 \n+1 qid:3 4:2 # why\n",
			"is a sparse matrix of LIBSVM (svmlight), which is not read; write it as an array", ""},
		{"PHYLIP", "a.dist", "   3\nAlpha 0 1 2\nBeta 1 0 3\nGamma 2 3 0\n",
			"is a PHYLIP matrix of dissimilarities, not a table; read it as one " +
				"(--dissimilarity)", ""},
		{"PHYLIP below the diagonal", "a.txt", "3\nAlpha\nBeta 1.5\nGamma 2 3\n",
			"is a PHYLIP matrix of dissimilarities", ""},
		{"times of day among numbers", "a.txt", "7 12:30\n8 13:45\n9 14:00\n",
			"x1 number: 7 | 8 | 9\nx2 time: 12:30:00 | 13:45:00 | 14:00:00\n", ""},
		{"a cut quote", "a.csv", "a;b\n1;\"x\n2;y\n", "line 2: a quote opens here and is never", ""},
		{"only a preamble", "a.csv", "# nothing here\n", "has a header but no rows", ""},
		{"nothing but a mark", "a.csv", "\ufeff", "is empty; give a file with a header line", ""},
		{"nothing but a separator", "a.csv", "sep=;", "is empty; give a file with a header line", ""},
		{"UTF-16 cut in a letter", "a.csv", "\xff\xfea\x00,\x00b\x00\n\x001\x00,\x002\x00\n\x003",
			"line 3: has 1 field where the header has 2; add what is missing", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, chunk := range []int{0, 5} {
				o := ReadOptions{Keep: true, Dates: DatesAuto, chunk: chunk, Threads: 2}
				path := writeFile(t, c.file, []byte(c.content))
				check(t, path, c.want, c.note)(Read(context.Background(), path, o))
				check(t, c.file, c.want, c.note)(ReadStream(context.Background(),
					bytes.NewReader([]byte(c.content)), c.file, o))
			}
		})
	}
}

// check compares a table that was read, or the fault, with what is wanted.
func check(t *testing.T, name, want, note string) func(*Table, error) {
	return func(table *Table, err error) {
		t.Helper()
		if err != nil || !strings.HasSuffix(want, "\n") {
			if err == nil {
				t.Fatalf("no fault, but\n%s", described(table))
			}
			got := strings.TrimPrefix(strings.TrimLeft(strings.TrimPrefix(err.Error(), name),
				",: "), " ")
			if !strings.HasPrefix(got, want) {
				t.Fatalf("\n got %q\nwant %q", got, want)
			}
			return
		}
		if diff := cmp.Diff(want, described(table)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		for _, n := range table.Notes {
			if strings.HasPrefix(n, note) {
				return
			}
		}
		if note != "" {
			t.Errorf("%s: no note %q in %q", name, note, table.Notes)
		}
	}
}
