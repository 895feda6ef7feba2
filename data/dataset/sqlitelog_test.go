package dataset

import (
	"database/sql"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
)

// logged makes a database with a log and returns its path, and the connection that keeps the log.
func logged(t testing.TB, statements ...string) (string, *sql.DB) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.db")
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode(wal)&_pragma=wal_autocheckpoint(0)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	run(t, db, statements...)
	return path, db
}

func run(t testing.TB, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// contents returns what the files of a folder hold.
func contents(t testing.TB, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		found[e.Name()] = hex.EncodeToString(b)
	}
	return found
}

// numbers returns the values of the first column.
func numbers(t testing.TB, path string) (values []float64, fingerprint string) {
	t.Helper()
	table, err := Read(t.Context(), path, ReadOptions{Query: "SELECT x, y FROM a ORDER BY x"})
	if err != nil {
		t.Fatal(err)
	}
	for row := range table.Rows {
		values = append(values, table.Value(row, 0))
	}
	return values, table.Fingerprint
}

// long makes rows that fill many pages.
const long = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) " +
	"INSERT INTO a SELECT i + (SELECT count(*) FROM a), hex(randomblob(40)) FROM n"

func TestTheLogOfADatabaseIsRead(t *testing.T) {
	path, db := logged(t, "CREATE TABLE a (x INTEGER, y TEXT)", "PRAGMA wal_checkpoint(TRUNCATE)",
		long, "UPDATE a SET x = -7 WHERE x = 1000", long)
	folder := filepath.Dir(path)
	before := contents(t, folder)
	values, fingerprint := numbers(t, path)
	if len(values) != 4000 || values[0] != -7 || values[3999] != 4000 {
		t.Fatalf("%d rows, from %v to %v", len(values), values[0], values[len(values)-1])
	}
	after := contents(t, folder)
	for name, want := range before {
		if after[name] != want {
			t.Errorf("%s is changed", name)
		}
	}
	if len(after) != len(before) {
		t.Errorf("the folder has %d files, and had %d", len(after), len(before))
	}
	table, err := Read(t.Context(), path, ReadOptions{})
	if err != nil || !strings.Contains(strings.Join(table.Notes, "; "), "its log a.db-wal") {
		t.Errorf("%v: %q", err, table.Notes)
	}
	// The log is copied into the file, which has the same rows then, and the same fingerprint.
	run(t, db, "PRAGMA wal_checkpoint(TRUNCATE)")
	if values, now := numbers(t, path); len(values) != 4000 || now != fingerprint {
		t.Errorf("after the log was copied: %d rows, %s, was %s", len(values), now, fingerprint)
	}
	// A log that begins anew has the rest of the older one behind it.
	run(t, db, long, "PRAGMA wal_checkpoint(RESTART)", "DELETE FROM a WHERE x > 3")
	if values, _ := numbers(t, path); len(values) != 4 {
		t.Errorf("after the log began anew: %d rows", len(values))
	}
	// A file that becomes smaller ends where the log says.
	run(t, db, "VACUUM")
	if values, _ := numbers(t, path); len(values) != 4 {
		t.Errorf("after it became smaller: %d rows", len(values))
	}
}

func TestALogThatIsNotWholeIsReadAsFarAsItIs(t *testing.T) {
	path, _ := logged(t, "CREATE TABLE a (x INTEGER, y TEXT)", "INSERT INTO a VALUES (1, 'a')",
		"INSERT INTO a VALUES (2, 'b')", "INSERT INTO a VALUES (3, 'c')")
	whole, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	db, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	try := filepath.Join(t.TempDir(), "b.db")
	rows := func(log []byte) int {
		if os.WriteFile(try, db, 0o600) != nil || os.WriteFile(try+"-wal", log, 0o600) != nil {
			t.Fatal("cannot write")
		}
		table, err := Read(t.Context(), try, ReadOptions{Table: "a"})
		if err != nil {
			if !fault.IsInput(err) {
				t.Error(err)
			}
			return -1
		}
		return table.Rows
	}
	if n := rows(whole); n != 3 {
		t.Fatalf("%d rows", n)
	}
	if n := rows(whole[:len(whole)-1]); n != 2 {
		t.Errorf("cut short: %d rows", n)
	}
	flipped := append([]byte(nil), whole...)
	flipped[len(flipped)-1] ^= 1
	if n := rows(flipped); n != 2 {
		t.Errorf("damaged at the end: %d rows", n)
	}
	flipped = append([]byte(nil), whole...)
	flipped[20] ^= 1 // a salt, and so the header
	if n, none := rows(flipped), rows(nil); n != none {
		t.Errorf("a damaged header: %d rows, without a log %d", n, none)
	}
	// SQLite itself reads as much.
	for _, log := range [][]byte{whole[:len(whole)-1], whole[:len(whole)/2]} {
		got := rows(log)
		conn, err := sql.Open("sqlite", try)
		if err != nil {
			t.Fatal(err)
		}
		want := -1
		conn.QueryRow("SELECT count(*) FROM a").Scan(&want) // there may be no such table yet
		conn.Close()
		if want == 0 { // which is no table to read
			want = -1
		}
		if got != want {
			t.Errorf("%d rows, SQLite has %d", got, want)
		}
	}
}

func TestALogThatCannotBeReadIsReported(t *testing.T) {
	path, _ := logged(t, "CREATE TABLE a (x INTEGER, y TEXT)", "INSERT INTO a VALUES (1, 'a')")
	_, err := Read(t.Context(), path, ReadOptions{Open: func(string) (*os.File, error) {
		return nil, os.ErrPermission
	}})
	if !fault.IsInput(err) || !strings.Contains(err.Error(), "a.db-wal cannot be read") {
		t.Error(err)
	}
	// A folder in its place is none.
	other := database(t, people...)
	if err := os.Mkdir(other+"-wal", 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(t.Context(), other, ReadOptions{}); !fault.IsInput(err) {
		t.Error(err)
	}
}

func TestADatabaseIsNotReadWithinATransaction(t *testing.T) {
	path := database(t, people...)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	run(t, db, "PRAGMA cache_size = 1", "CREATE TABLE a (x INTEGER, y TEXT)", "BEGIN", long)
	_, err = Read(t.Context(), path, ReadOptions{Table: "people"})
	if !fault.IsInput(err) || !strings.Contains(err.Error(), "a transaction in it is not over") {
		t.Error(err)
	}
	run(t, db, "ROLLBACK")
	if _, err := Read(t.Context(), path, ReadOptions{Table: "people"}); err != nil {
		t.Error(err)
	}
}

func FuzzLogOfSQLite(f *testing.F) {
	path, _ := logged(f, "CREATE TABLE a (x INTEGER, y TEXT)", "INSERT INTO a VALUES (1, 'a')")
	log, err := os.ReadFile(path + "-wal")
	if err != nil {
		f.Fatal(err)
	}
	db, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	folder := f.TempDir()
	f.Add(8, byte(1), len(log), 36, byte(3))
	f.Add(100, byte(255), len(log), 60, byte(1))
	f.Fuzz(func(t *testing.T, at int, flip byte, length, also int, other byte) {
		file, err := os.CreateTemp(folder, "*.db")
		if err != nil {
			t.Fatal(err)
		}
		file.Write(db)
		file.Close()
		defer os.Remove(file.Name())
		defer os.Remove(file.Name() + "-wal")
		damaged := damage(damage(log, at, flip, length), also, other, length)
		if err := os.WriteFile(file.Name()+"-wal", damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(t.Context(), file.Name(), ReadOptions{Keep: true}); err != nil &&
			!fault.IsInput(err) {
			t.Error(err)
		}
	})
}
