package dataset

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/pgserver"
)

// shop is a database with a table of every type that is read in a way of its own.
var shop = []string{
	"CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')",
	"CREATE DOMAIN cents AS integer CHECK (VALUE >= 0)",
	`CREATE TABLE people (id uuid PRIMARY KEY, small smallint, age integer, big bigint, height real,
		weight double precision, income numeric(12,2), spent cents, member boolean, mood mood,
		code varchar(8), city char(10), born date, seen timestamptz, made timestamp, wakes time,
		stay interval, notes json, picture bytea, home inet, place real[], tags text[])`,
	`INSERT INTO people VALUES
		('00000000-0000-0000-0000-000000000003', 3, 54, 9007199254740991, 1.625, 60.5, 1000.25, 3,
		true, 'ok', '009', 'Rome', NULL, '2024-05-17 10:30:00+02', '2024-05-17 10:30:00.5',
		'06:30', '1 day 02:03:04.5', '{"a": 1}', '\x0102', '10.0.0.1', '{1,2.5}', '{a,b}'),
		('00000000-0000-0000-0000-000000000001', 1, 31, -5, 1.75, 70, 12.5, 1, true, 'sad', '007',
		'Oslo', '1993-02-01', '2024-05-18 00:00:00+00', '2024-05-18 00:00:00', '07:00',
		'-00:00:01.5', '[]', NULL, '10.0.0.2', '{3,4}', NULL),
		('00000000-0000-0000-0000-000000000002', NULL, NULL, NULL, 'NaN', NULL, 'NaN', NULL, false,
		'happy', '008', 'Rome', '1990-12-24', NULL, NULL, NULL, '1 year 2 mons', NULL, NULL, NULL,
		NULL, NULL)`,
}

func TestATableOfAServerIsRead(t *testing.T) {
	s := pgserver.Start(t)
	s.Run(t, "postgres", "CREATE DATABASE shop", "CREATE DATABASE nothing",
		"CREATE ROLE ann LOGIN PASSWORD 'ann-s3cret'", "CREATE DATABASE vectors")
	s.Run(t, "shop", append(shop, "GRANT SELECT ON people TO ann")...)
	t.Run("types", func(t *testing.T) { typesOfAServer(t, s) })
	t.Run("order", func(t *testing.T) { orderOfAServer(t, s) })
	t.Run("vectors", func(t *testing.T) { vectorsOfAServer(t, s) })
	t.Run("only read", func(t *testing.T) { onlyRead(t, s) })
	t.Run("values", func(t *testing.T) { strangeValues(t, s) })
	t.Run("password", func(t *testing.T) { passwords(t, s) })
	t.Run("tables", func(t *testing.T) { tablesOfAServer(t, s) })
	t.Run("cancel", func(t *testing.T) { cancelled(t, s) })
	t.Run("many", func(t *testing.T) { manyRows(t, s) })
}

func typesOfAServer(t *testing.T, s *pgserver.Server) {
	address := s.Address(pgserver.Owner, pgserver.Password, "shop")
	table, err := ReadDatabase(t.Context(), address, ReadOptions{Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := s.Address(pgserver.Owner, "", "shop"); table.Name != want {
		t.Errorf("it is called %s, not %s", table.Name, want)
	}
	if table.Format != FormatPostgreSQL || table.Rows != 3 ||
		table.ID(0) != "00000000-0000-0000-0000-000000000001" {
		t.Fatalf("%s of %d rows, the first is %s", table.Format, table.Rows, table.ID(0))
	}
	const never = "never"
	for name, want := range map[string]string{
		"small": "number: 1|?|3", "age": "number: 31|?|54", "big": "number: -5|?|9.007199254740991e+15",
		"height": "number: 1.75|?|1.625", "weight": "number: 70|?|60.5",
		"income": "number: 12.5|?|1000.25", "spent": "number: 1|?|3",
		"member": "boolean: true|false|true", "mood": "category: sad|happy|ok",
		"code": "text: 007|008|009", "city": "category: Oslo|Rome|Rome",
		"born":  "time: 1993-02-01|1990-12-24|?",
		"seen":  "time: 2024-05-18T00:00:00Z|?|2024-05-17T08:30:00Z",
		"made":  "time: 2024-05-18T00:00:00|?|2024-05-17T10:30:00.5",
		"wakes": "time: 07:00:00|?|06:30:00", "stay": "number: -1.5|3.67416e+07|93784.5",
		"notes": "text: []|?|{\"a\": 1}", "home": "text: 10.0.0.2|?|10.0.0.1",
		"picture": never, "place": never, "tags": never,
	} {
		col := table.Column(name)
		var cells []string
		for row := range table.Rows {
			cell := table.Cell(row, col)
			if cell == "" {
				cell = "?"
			}
			cells = append(cells, cell)
		}
		got := fmt.Sprint(table.Columns[col].Type, ": ", strings.Join(cells, "|"))
		if table.Hidden(col) != "" {
			got = never
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if c := table.Columns[table.Column("notes")]; c.Role != Unused {
		t.Errorf("JSON is a %s", c.Role)
	}
	again, err := ReadDatabase(t.Context(), address, ReadOptions{Table: "PEOPLE"})
	if err != nil {
		t.Fatal(err)
	}
	first, err := ReadDatabase(t.Context(), s.Local("shop"), ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if first.Fingerprint != table.Fingerprint || again.Fingerprint == table.Fingerprint {
		t.Error("the fingerprint is not that of the content and the question")
	}
	asked, err := ReadDatabase(t.Context(), address, ReadOptions{
		Query: "SELECT age * 2 AS twice, mood FROM people WHERE age > 40"})
	if err != nil || asked.Rows != 1 || asked.Value(0, 0) != 108 {
		t.Errorf("a query: %v", err)
	}
	text, err := ReadDatabase(t.Context(), address,
		ReadOptions{Keep: true, Types: map[string]Type{"mood": Text, "code": Number}})
	if err != nil || text.Columns[text.Column("mood")].Type != Text ||
		text.Columns[text.Column("code")].Type != Number {
		t.Errorf("types that are set: %v", err)
	}
}

func orderOfAServer(t *testing.T, s *pgserver.Server) {
	s.Run(t, "shop", "CREATE SCHEMA old", "CREATE TABLE old.pairs (b int, a int, v int, "+
		"PRIMARY KEY (a, b))", "INSERT INTO old.pairs VALUES (2, 1, 3), (1, 2, 4), (1, 1, 5)",
		"UPDATE old.pairs SET v = v + 1 WHERE v = 5")
	defer s.Run(t, "shop", "DROP SCHEMA old CASCADE")
	for _, name := range []string{"old.pairs", "OLD.Pairs"} {
		table, err := ReadDatabase(t.Context(), s.Local("shop"), ReadOptions{Table: name})
		if err != nil {
			t.Fatal(err)
		}
		col := table.Column("v")
		var got []float64
		for row := range table.Rows {
			got = append(got, table.Value(row, col))
		}
		if !slices.Equal(got, []float64{6, 3, 4}) {
			t.Errorf("%s: the rows are %v", name, got)
		}
	}
	keyless, err := ReadDatabase(t.Context(), s.Local("shop"), ReadOptions{Query: "VALUES (1), (2)"})
	if err != nil || keyless.Rows != 2 {
		t.Errorf("values: %v", err)
	}
}

func vectorsOfAServer(t *testing.T, s *pgserver.Server) {
	// As the extension has it: a type of this name, whose text is a list in brackets.
	s.Run(t, "vectors", "CREATE DOMAIN unused AS text",
		"CREATE TYPE vector", "CREATE FUNCTION vector_in(cstring) RETURNS vector AS 'textin' "+
			"LANGUAGE internal IMMUTABLE STRICT", "CREATE FUNCTION vector_out(vector) RETURNS "+
			"cstring AS 'textout' LANGUAGE internal IMMUTABLE STRICT",
		"CREATE TYPE vector (INPUT = vector_in, OUTPUT = vector_out, LIKE = text)",
		"CREATE TABLE notes (id int PRIMARY KEY, v vector, a double precision[], n int)",
		"INSERT INTO notes VALUES (1, '[1,0.5]', '{1,2,3}', 7), (2, '[2,-1e-3]', '[0:2]={4,5,6}', 8)")
	read := func(vectors string, features ...string) (*Table, error) {
		return ReadDatabase(t.Context(), s.Local("vectors"), ReadOptions{Vectors: vectors,
			Features: features, Table: "notes"})
	}
	table, err := read("v")
	if err != nil {
		t.Fatal(err)
	}
	if x := table.values; table.MatrixCols() != 2 || x.At(0, 1) != 0.5 || x.At(1, 1) != -1e-3 {
		t.Errorf("%d columns: %v", table.MatrixCols(), x)
	}
	if table, err = read("a", "n"); err != nil {
		t.Fatal(err)
	}
	if x := table.values; table.MatrixCols() != 4 || x.At(1, 2) != 6 && x.At(1, 3) != 6 {
		t.Errorf("%d columns: %v", table.MatrixCols(), x)
	}
	if table, err = ReadDatabase(t.Context(), s.Local("vectors"),
		ReadOptions{Lists: true, Keep: true}); err != nil {
		t.Fatal(err)
	}
	if got := table.Cell(0, table.Column("a")); got != "[1, 2, 3]" {
		t.Errorf("a list is %q", got)
	}
	s.Run(t, "vectors", "INSERT INTO notes VALUES (3, NULL, NULL, 9)")
	if table, err = read("v"); err != nil {
		t.Fatal(err)
	}
	if x := table.values; !math.IsNaN(x.At(2, 0)) {
		t.Errorf("a vector that is missing is %v", x.At(2, 0))
	}
	for row, want := range map[string]string{
		"(4, '[1]', '{1,2,3}', 1)":             "row 4, column v: has 1 number, and the lists before",
		"(4, '[1,x]', '{1,2,3}', 1)":           "row 4, column v: \"x\" in the list is not a number",
		"(4, '[1,2]', '{1,NULL,3}', 1)":        "row 4, column a: a number of the list is missing",
		"(4, '[1,2]', '{{1,2,3},{1,2,3}}', 1)": "row 4, column a: the list has lists in it",
	} {
		s.Run(t, "vectors", "INSERT INTO notes VALUES "+row)
		_, err := read("v")
		if !fault.IsInput(err) || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "table notes") {
			t.Errorf("%s: %v", row, err)
		}
		s.Run(t, "vectors", "DELETE FROM notes WHERE id = 4")
	}
	if _, err := read("n"); !fault.IsInput(err) || !strings.Contains(err.Error(),
		"the columns of vectors are v, a") {
		t.Errorf("numbers as vectors: %v", err)
	}
}

func onlyRead(t *testing.T, s *pgserver.Server) {
	s.Run(t, "shop", "CREATE TABLE IF NOT EXISTS kept (x int)", "INSERT INTO kept VALUES (1)",
		"CREATE FUNCTION change() RETURNS int LANGUAGE sql AS 'DELETE FROM kept RETURNING x'",
		"CREATE SEQUENCE counter")
	defer s.Run(t, "shop", "DROP FUNCTION change", "DROP TABLE kept", "DROP SEQUENCE counter")
	for query, want := range map[string]string{
		"SELECT 1; DELETE FROM kept":                       "multiple commands",
		"SELECT 1; COMMIT; DELETE FROM kept":               "multiple commands",
		"DELETE FROM kept RETURNING x":                     "does not begin with SELECT",
		"WITH a AS (DELETE FROM kept RETURNING x) TABLE a": "read-only transaction",
		"SELECT change()":                                  "read-only transaction",
		"SELECT x INTO other FROM kept":                    "has no columns",
		"SELECT nextval('counter')":                        "read-only transaction",
		"SELECT set_config('transaction_read_only', 'off', t) FROM (VALUES (true)) v(t)": "",
		"SELECT nothing FROM kept": "at character 8",
		"SELECT * FROM kpt":        "relation \"kpt\" does not exist",
	} {
		_, err := ReadDatabase(t.Context(), s.Local("shop"), ReadOptions{Query: query})
		if !fault.IsInput(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", query, err, want)
		}
	}
	table, err := ReadDatabase(t.Context(), s.Local("shop"),
		ReadOptions{Query: "SELECT count(*) AS n FROM kept"})
	if err != nil || table.Value(0, 0) != 1 {
		t.Errorf("the table is changed: %v", err)
	}
}

func strangeValues(t *testing.T, s *pgserver.Server) {
	for query, want := range map[string]string{
		"SELECT 'Infinity'::float8 AS x UNION ALL SELECT 1": "column x: ",
		"SELECT '1e400'::numeric AS x UNION ALL SELECT 1":   "column x: ",
		"SELECT 1 AS x WHERE false":                         "",
		"SELECT":                                            "has no columns",
	} {
		_, err := ReadDatabase(t.Context(), s.Local("shop"), ReadOptions{Query: query,
			Keep: true})
		if !fault.IsInput(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", query, err, want)
		}
	}
	const twins = "SELECT 1 AS x, 2 AS x UNION ALL SELECT 3, 5"
	if _, err := ReadDatabase(t.Context(), s.Local("shop"),
		ReadOptions{Query: twins, Plain: true}); !fault.IsInput(err) {
		t.Errorf("two columns of one name: %v", err)
	}
	table, err := ReadDatabase(t.Context(), s.Local("shop"), ReadOptions{Query: twins})
	if err != nil || table.Columns[1].Name != "x_2" || table.Value(1, 1) != 5 {
		t.Errorf("two columns of one name: %v", err)
	}
	table, err = ReadDatabase(t.Context(), s.Local("shop"), ReadOptions{Keep: true,
		Query: "SELECT 'infinity'::date AS d, '0044-03-15 BC'::date AS bc, 12.5::money AS m, " +
			"'08:30+02'::timetz AS tz, '(1,2)'::point AS p, '1 day -01:00'::interval AS i, " +
			"'-infinity'::timestamptz AS ts, 'á'::text AS \"Ünicode\"", NA: []string{"infinity",
			"-infinity"}, Types: map[string]Type{"bc": Text}})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"d": "", "bc": "0044-03-15 BC", "i": "82800",
		"p": "(1,2)", "ts": "", "Ünicode": "á", "m": "12.5"} {
		if got := table.Cell(0, table.Column(name)); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	// dates that are none are shown, and refused where they are to be compared
	for _, query := range []string{"SELECT 'infinity'::date AS d UNION SELECT now()",
		"SELECT '0044-03-15 BC'::date AS d"} {
		o := ReadOptions{Query: query, Keep: true}
		if _, err := ReadDatabase(t.Context(), s.Local("shop"), o); err != nil {
			t.Errorf("%s: %v", query, err)
		}
		o.Dates, o.Features = DatesDays, []string{"d"}
		_, err := ReadDatabase(t.Context(), s.Local("shop"), o)
		if !fault.IsInput(err) || !strings.Contains(err.Error(), "column d: ") {
			t.Errorf("%s: %v", query, err)
		}
	}
	_, err = ReadDatabase(t.Context(), s.Local("shop"), ReadOptions{InflateLimit: 1 << 16,
		Query: "SELECT generate_series(1, 1000000) AS x"})
	if !fault.IsInput(err) || !strings.Contains(err.Error(), "more than 65536 bytes") {
		t.Errorf("a limit: %v", err)
	}
}

func passwords(t *testing.T, s *pgserver.Server) {
	t.Setenv("HOME", t.TempDir())
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer closed.Close() // which nobody answers at
	port := closed.Addr().(*net.TCPAddr).Port
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	none := free.Addr().(*net.TCPAddr).Port
	free.Close()
	at := fmt.Sprintf("127.0.0.1:%d", s.Port)
	for address, want := range map[string]string{
		s.Address("ann", "wr0ng-one", "shop"): "at " + at + " refuses user ann: ",
		s.Address("ann", "", "shop"):          "put the password into PGPASSWORD or ~/.pgpass",
		s.Address("bob", "wr0ng-one", "shop"): "refuses user bob",
		s.Address("ann", "ann-s3cret", "shp"): "at " + at + " has no database \"shp\"",
		fmt.Sprintf("postgres://ann:wr0ng-one@127.0.0.1:%d/shop?sslmode=disable", none): "no server " +
			"listens at 127.0.0.1",
		fmt.Sprintf("postgres://ann:wr0ng-one@127.0.0.1:%d/shop?connect_timeout=1", port): "does " +
			"not answer within 1 s",
		"postgres://ann:wr0ng-one@no-such-host.invalid/shop":       "there is no host",
		"postgres://ann:wr0ng-one@/shop?host=/nowhere":             "the socket in /nowhere",
		"postgres://ann:wr0ng-one#x@h/shop":                        "is no address",
		"postgres://ann:wr0ng-one@h:x/shop":                        "is no address",
		"postgres://ann:wr0ng-one@h/shop?sslmode=what":             "is no address of a database: ",
		s.Address("ann", "wr0ng-one", "shop") + "?sslmode=require": "cannot be reached",
	} {
		_, err := ReadDatabase(t.Context(), address, ReadOptions{})
		if !fault.IsInput(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", address, err, want)
			continue
		}
		for e := err; e != nil; e = errors.Unwrap(e) {
			if text := fmt.Sprintf("%v %+v", e, e); strings.Contains(text, "wr0ng-one") ||
				strings.Contains(text, "ann-s3cret") {
				t.Errorf("the password is shown: %s", text)
			}
		}
	}
	t.Setenv("PGPASSWORD", "ann-s3cret")
	table, err := ReadDatabase(t.Context(), s.Address("ann", "", "shop"), ReadOptions{})
	if err != nil || table.Rows != 3 {
		t.Errorf("a password of the environment: %v", err)
	}
}

func tablesOfAServer(t *testing.T, s *pgserver.Server) {
	read := func(user, password, database, table string) error {
		_, err := ReadDatabase(t.Context(), s.Address(user, password, database),
			ReadOptions{Table: table})
		return err
	}
	refused := func(err error, want string) {
		t.Helper()
		if !fault.IsInput(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	refused(read(pgserver.Owner, pgserver.Password, "nothing", ""), "has no tables")
	s.Run(t, "shop", "CREATE TABLE \"Orders\" (x int)", "CREATE TABLE parts (x int) "+
		"PARTITION BY RANGE (x)", "CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) "+
		"TO (9)", "INSERT INTO parts VALUES (1)", "CREATE VIEW grown AS SELECT * FROM people",
		"GRANT SELECT ON \"Orders\" TO ann", "CREATE TABLE orders (x int)")
	defer s.Run(t, "shop", "DROP VIEW grown", "DROP TABLE parts, orders, \"Orders\"")
	owner := func(table string) error {
		return read(pgserver.Owner, pgserver.Password, "shop", table)
	}
	refused(owner(""), "has 5 tables: Orders, grown, orders, parts, people; choose one with --table")
	refused(owner("peple"), `has no table "peple"; did you mean "people"? the tables are Orders`)
	refused(owner("ORDERS"), "give one of Orders, orders as it is written")
	refused(read("ann", "ann-s3cret", "shop", ""), "has 2 tables: Orders, people")
	refused(read("ann", "ann-s3cret", "shop", "parts"), "user ann may not read table parts")
	refused(owner("orders"), "no rows")
	for _, name := range []string{"parts", "grown", "public.people"} {
		if err := owner(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func cancelled(t *testing.T, s *pgserver.Server) {
	atWork := func() bool {
		t.Helper()
		table, err := ReadDatabase(t.Context(), s.Local("shop"), ReadOptions{Query: "SELECT " +
			"count(*) AS n FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' AND " +
			"pid <> pg_backend_pid() AND state = 'active'"})
		if err != nil {
			t.Fatal(err)
		}
		return table.Value(0, 0) > 0
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := ReadDatabase(ctx, s.Local("shop"), ReadOptions{Query: "SELECT pg_sleep(600)"})
		ended <- err
	}()
	for !atWork() {
		time.Sleep(20 * time.Millisecond)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	// and the server works no longer on it
	for end := time.Now().Add(2 * time.Minute); atWork(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the query goes on")
		}
	}
	done, stop := context.WithCancel(t.Context())
	stop()
	if _, err := ReadDatabase(done, s.Local("shop"), ReadOptions{}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("%v", err)
	}
}

func manyRows(t *testing.T, s *pgserver.Server) {
	table, err := ReadDatabase(t.Context(), s.Local("shop"), ReadOptions{Query: "SELECT i AS n, " +
		"i / 8.0 AS eighths, CASE WHEN i % 3 = 0 THEN NULL ELSE i % 5 END AS five FROM " +
		"generate_series(1, 50000) i ORDER BY i"})
	if err != nil {
		t.Fatal(err)
	}
	if table.Rows != 50000 || table.Columns[2].Missing != 16666 {
		t.Fatalf("%d rows, %+v", table.Rows, table.Columns)
	}
	x := table.values
	for row := range table.Rows {
		if got, want := x.At(row, x.Cols-2), float64(row+1)/8; got != want {
			t.Fatalf("row %d is %v, want %v", row, got, want)
		}
	}
}

func TestIntervalsAreSeconds(t *testing.T) {
	for text, want := range map[string]float64{"PT0S": 0, "P1DT2H3M4.5S": 93784.5, "PT-1.5S": -1.5,
		"P1Y2M": secondsOfYear + 2*secondsOfMonth, "P-1Y-2M3DT-4H-5M-6S": -secondsOfYear -
			2*secondsOfMonth + 3*secondsOfDay - 4*3600 - 5*60 - 6, "P2W": 14 * secondsOfDay} {
		if got, ok := intervalSeconds(text); !ok || got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	for _, text := range []string{"", "P", "1H", "PT1", "PT1X", "P1H", "infinity", "PTT1S", "PxD"} {
		if got, ok := intervalSeconds(text); ok && text != "P" {
			t.Errorf("%q is %v", text, got)
		}
	}
}

func TestCellsOfAServer(t *testing.T) {
	for _, c := range []struct {
		kind       pgKind
		text, want string
	}{
		{pgNumber, "-Infinity", "-Inf"}, {pgNumber, "12.50", "12.50"}, {pgBoolean, "t", "true"},
		{pgBoolean, "f", "false"}, {pgMoment, "2024-05-17 08:30:00+00", "2024-05-17T08:30:00Z"},
		{pgMoment, "2024-05-17", "2024-05-17"}, {pgMoment, "08:30:00", "08:30:00"},
		{pgText, "  padded ", "padded"}, {pgArray, "{1,-2e3}", "[1, -2e3]"},
		{pgArray, "{}", "[]"}, {pgArray, "[0:1]={1,2}", "[1, 2]"},
		{pgVector, "[1,2]", "[1,2]"}, {pgSparse, "{1:0.5,3:2}/4", "[0.5, 0, 2, 0]"},
		{pgSparse, "{}/2", "[0, 0]"}, {pgBytes, "\\x00", "b"},
	} {
		if got, problem := c.kind.appendCell(nil, []byte(c.text)); string(got) != c.want ||
			problem != "" {
			t.Errorf("%s: %q (%s), want %q", c.text, got, problem, c.want)
		}
	}
	for text, kind := range map[string]pgKind{"{1,NULL}": pgArray, "{{1}}": pgArray, "1": pgArray,
		"[": pgArray, "{3:1}/2": pgSparse, "{1:1}": pgSparse, "{1:1}/9999999999": pgSparse,
		"/": pgSparse, "\xff": pgText, "soon": pgInterval, "": pgArray} {
		if got, problem := kind.appendCell(nil, []byte(text)); problem == "" {
			t.Errorf("%q is %q", text, got)
		}
	}
}
