package dataset

import (
	"context"
	"database/sql"
	"time"

	"modernc.org/sqlite"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/memory"
)

// The numbers of SQLite's limits on the bytes of a value or row (SQLITE_LIMIT_LENGTH), and on
// attached databases (SQLITE_LIMIT_ATTACHED).
const (
	limitLength   = 0
	limitAttached = 7
)

// leastQuery is the memory that any query may take, in bytes; others may take four times the size
// of the database.
const leastQuery = 512 << 20

// limitSQLite bounds what statements of a connection may do: views and generated columns of a small
// file can make values of any size.
func limitSQLite(conn *sql.Conn) error {
	for limit, most := range map[int]int{limitLength: maxRecord, limitAttached: 0} {
		if _, err := sqlite.Limit(conn, limit, most); err != nil {
			return err
		}
	}
	return nil
}

// watchSQLite returns a context that ends, with a [*fault.Input] as its cause, when SQLite takes
// more memory than a query of a database of so many bytes may: it sorts and joins in memory that
// the runtime knows nothing of, and a view may never end. What other databases take meanwhile
// counts, too. The caller calls stop.
func watchSQLite(ctx context.Context, name string, size int64) (watched context.Context,
	stop func()) {
	most := max(leastQuery, 4*size)
	if free := memory.Available(); free > 0 {
		most = min(most, free/2)
	}
	watched, cancel := context.WithCancelCause(ctx)
	before := memory.Outside()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-watched.Done():
				return
			case <-tick.C:
			}
			if memory.Outside()-before > most {
				cancel(&fault.Input{File: name, Problem: "the query takes more than " +
					memory.Size(float64(most)) + " of memory",
					Fix: "sort, group and join less of it, or export the rows as CSV"})
				return
			}
		}
	}()
	return watched, func() { cancel(nil); <-ended }
}
