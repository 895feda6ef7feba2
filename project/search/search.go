// Package search finds objects by the words of their texts and fields.
package search

import (
	"context"
	"database/sql"
	"fmt"

	_ "modernc.org/sqlite" // has FTS5

	"github.com/kindred-go/kindred/internal/memory"
)

// Document is what can be found of an object.
type Document struct {
	ID     string
	Text   string
	Fields string
}

// Index finds documents by their words. Any number of goroutines may use it; they take turns.
type Index struct {
	db *sql.DB
}

// batch is how many documents are read between two looks at the clock.
const batch = 500

// perByte is how much memory a byte of a document takes, in the index and while it is made: 5.3 of
// 10⁵ short texts, of which 3.5 stay, and 1.3 of longer ones.
const perByte = 6

// New reads n documents into an index, which is held in memory. progress, unless nil, is called
// with the share that is done. More documents than memory holds are a [*fault.Input].
func New(ctx context.Context, n int, document func(i int) Document,
	progress func(share float64)) (*Index, error) {
	if progress == nil {
		progress = func(float64) {}
	}
	if err := fits(n, document); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	// Another connection would have a database of its own.
	db.SetMaxOpenConns(1)
	db.SetConnMaxIdleTime(0)
	db.SetConnMaxLifetime(0)
	x := &Index{db}
	if err := x.fill(ctx, n, document, progress); err != nil {
		db.Close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("search: %w", err)
	}
	return x, nil
}

// fits refuses documents that do not fit into memory, by a sample of them.
func fits(n int, document func(i int) Document) error {
	size, seen := 0, 0
	for i := 0; i < n; i += max(1, n/1000) {
		d := document(i)
		size += len(d.ID) + len(d.Text) + len(d.Fields)
		seen++
	}
	if seen == 0 {
		return nil
	}
	return memory.Check(perByte*float64(size)/float64(seen)*float64(n), "an index of the texts",
		"search by meaning, or make a project of a part of the data")
}

// fill makes the index. The text itself is not kept. Words of one to two letters are not looked for
// at the beginning of longer ones, so that prefixes of three letters are the shortest.
func (x *Index) fill(ctx context.Context, n int, document func(i int) Document,
	progress func(share float64)) error {
	for _, q := range []string{"PRAGMA journal_mode = off", "PRAGMA synchronous = off",
		`CREATE VIRTUAL TABLE documents USING fts5(id, text, fields, content = '', prefix = '3 4',
			tokenize = "unicode61 remove_diacritics 2")`} {
		if _, err := x.db.ExecContext(ctx, q); err != nil {
			return err
		}
	}
	tx, err := x.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	insert, err := tx.PrepareContext(ctx,
		"INSERT INTO documents (rowid, id, text, fields) VALUES (?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	for i := range n {
		if i%batch == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			progress(float64(i) / float64(n))
		}
		d := document(i)
		if _, err := insert.Exec(i, apart(d.ID), apart(d.Text), apart(d.Fields)); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	progress(1)
	return nil
}

// mostRanked is how many documents are ranked. To rank more takes longer than a person waits, and
// what so many documents have in common does not rank them well.
const mostRanked = 10_000

// Find returns all documents that a query finds: by rank (BM25), and of equal rank in their order;
// more than ten thousand in their order. Nothing is found by the zero query.
func (x *Index) Find(ctx context.Context, q Query) ([]int32, error) {
	if q.IsZero() {
		return nil, nil
	}
	const matching = "SELECT rowid FROM documents WHERE documents MATCH ?"
	found, err := x.rows(ctx, matching, q)
	if err != nil || len(found) < 2 || len(found) > mostRanked {
		return found, err
	}
	return x.rows(ctx, matching+" ORDER BY rank, rowid", q)
}

func (x *Index) rows(ctx context.Context, statement string, q Query) (found []int32, err error) {
	defer func() {
		if err != nil && ctx.Err() != nil {
			err = ctx.Err()
		} else if err != nil {
			err = fmt.Errorf("search: %w", err)
		}
	}()
	rows, err := x.db.QueryContext(ctx, statement, q.match)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var row int32
		if err := rows.Scan(&row); err != nil {
			return nil, err
		}
		found = append(found, row)
	}
	return found, rows.Err()
}

// Close frees the index.
func (x *Index) Close() error { return x.db.Close() }
