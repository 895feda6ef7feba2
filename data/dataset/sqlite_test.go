package dataset

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kindred-go/kindred/fault"
)

// database makes a SQLite file by statements, and returns its path.
func database(t testing.TB, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	return path
}

var people = []string{
	"CREATE TABLE people (id TEXT, age INTEGER, height REAL, member BOOLEAN, born DATE, " +
		"code VARCHAR(8), picture BLOB)",
	"INSERT INTO people VALUES ('a', 31, 1.75, 1, '1993-02-01', '007', x'00'), " +
		"('b', NULL, 1.5, 0, '1990-12-24', '008', NULL), ('c', 54, 1.625, 1, NULL, '009', x'0102')",
}

func TestATableOfADatabaseIsRead(t *testing.T) {
	path := database(t, people...)
	table, err := Read(t.Context(), path, ReadOptions{Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	if table.Format != FormatSQLite || table.Rows != 3 || table.ID(2) != "c" {
		t.Fatalf("%s of %d rows, the last is %s", table.Format, table.Rows, table.ID(2))
	}
	for name, want := range map[string]Type{"age": Number, "height": Number} {
		if got := table.Columns[table.Column(name)].Type; got != want {
			t.Errorf("%s is a %s", name, got)
		}
	}
	if got := table.Cell(0, table.Column("code")); got != "007" {
		t.Errorf("a code is %q", got)
	}
	if got := table.Cell(0, table.Column("born")); got != "1993-02-01" {
		t.Errorf("a day is %q", got)
	}
	if c := table.Columns[table.Column("age")]; c.Missing != 1 || c.Max != 54 {
		t.Errorf("age: %+v", c)
	}
	if why := table.Hidden(table.Column("picture")); why != "holds bytes" {
		t.Errorf("a blob %s", why)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := readBytes(t.Context(), content, "", ReadOptions{Keep: true})
	if err != nil || stream.Fingerprint != table.Fingerprint {
		t.Errorf("as a stream: %v", err)
	}
	asked, err := Read(t.Context(), path,
		ReadOptions{Query: "SELECT age * 2 AS twice, height FROM people WHERE age > 40"})
	if err != nil || asked.Rows != 1 || asked.Value(0, 0) != 108 {
		t.Errorf("a query: %v", err)
	} else if asked.Fingerprint == table.Fingerprint {
		t.Error("a query has the fingerprint of the table")
	}
}

func TestADatabaseIsOnlyRead(t *testing.T) {
	path := database(t, append(people, "CREATE VIEW old AS SELECT * FROM people")...)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.db")
	for want, o := range map[string]ReadOptions{
		"has 2 tables: people, old":  {},
		"has no table":               {Table: "peple"},
		"both say what to read":      {Table: "old", Query: "SELECT 1"},
		"does not begin with SELECT": {Query: "DELETE FROM people"},
		"the query fails":            {Query: "SELECT nothing FROM people"},
		"the query fails: ":          {Query: "SELECT 1; ATTACH '" + other + "' AS o"},
	} {
		_, err := Read(t.Context(), path, o)
		if !fault.IsInput(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
	for _, query := range []string{"SELECT 1; VACUUM INTO '" + other + "'",
		"SELECT 1; ATTACH 'file:" + other + "?vfs=unix' AS o; CREATE TABLE o.t (x)",
		"WITH a AS (SELECT 1) INSERT INTO people (age) SELECT * FROM a",
		"SELECT load_extension('" + other + "')", "SELECT 1; DELETE FROM people"} {
		if _, err := Read(t.Context(), path, ReadOptions{Query: query}); err == nil {
			t.Errorf("%s is answered", query)
		}
	}
	if _, err := os.Stat(other); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("another file: %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the database is changed (%v)", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	endless := "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x FROM r"
	if _, err := Read(ctx, path, ReadOptions{Query: endless}); !errors.Is(err,
		context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		t.Errorf("a query without end: %v", err)
	}
	if _, err := Read(t.Context(), path, ReadOptions{Query: endless,
		InflateLimit: 1 << 16}); !fault.IsInput(err) {
		t.Errorf("a query without end: %v", err)
	}
}

func TestAProjectIsNoData(t *testing.T) {
	path := database(t, append(people, "PRAGMA application_id = 0x6b696e64")...)
	_, err := Read(t.Context(), path, ReadOptions{})
	if !fault.IsInput(err) || !strings.Contains(err.Error(), "is a project of kindred") {
		t.Error(err)
	}
}

func FuzzSQLite(f *testing.F) {
	content, err := os.ReadFile(database(f, people...))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(16, byte(1), len(content), 100, byte(3))
	f.Add(4100, byte(255), len(content), 8000, byte(1))
	f.Fuzz(func(t *testing.T, at int, flip byte, length, also int, other byte) {
		readAny(t, "a.db", damage(damage(content, at, flip, length), also, other, length),
			ReadOptions{Keep: true})
	})
}

// TestTextsOfADatabaseAreNumbersWhenAsked reads numbers in a column that is declared as texts.
func TestTextsOfADatabaseAreNumbersWhenAsked(t *testing.T) {
	path := database(t, "CREATE TABLE a (x TEXT, took TEXT, y REAL)",
		"INSERT INTO a VALUES ('1.5', '90 min', 1), ('2.5', '2 h', 2), ('', '1 h', 3)")
	for want, types := range map[string]map[string]Type{
		"x number: 1.5 | 2.5 | \ntook text: 90 min | 2 h | 1 h\ny number: 1 | 2 | 3\n": {
			"x": Number},
		"x text: 1.5 | 2.5 | \ntook number: 5400 | 7200 | 3600\ny number: 1 | 2 | 3\n": {
			"took": Number},
		"x text: 1.5 | 2.5 | \ntook text: 90 min | 2 h | 1 h\ny number: 1 | 2 | 3\n": nil,
	} {
		table, err := Read(t.Context(), path, ReadOptions{Keep: true, Types: types})
		if err != nil {
			t.Fatal(err)
		}
		if got := described(table); got != want {
			t.Errorf("%v:\n got %q\nwant %q", types, got, want)
		}
	}
}
