package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/ours"
	"github.com/kindred-go/kindred/internal/words"
)

// Report is what [Check] finds.
type Report struct {
	Format int      // of the file; 0 if it cannot be known
	Steps  int      // that are sound, with all before them
	Count  Tally    // of the answers in effect among these
	About  bool     // which data it is about is sound
	Stated int64    // steps there were when the file was written; 0 if that is not known
	Damage []Damage // none: the file is sound
	Notes  []string // what else is to be known of it, in sentences

	found *found
}

// ErrNothing means that nothing of a file can be read.
var ErrNothing = errors.New("nothing in the file can be read")

// Check reads all of a project, and returns what of it is damaged. It changes nothing. The error is
// a [*fault.Storage] for a file that cannot be read or is open elsewhere, and a [*fault.Input] for
// one that is no project, or of a newer format.
func Check(ctx context.Context, path string) (*Report, error) {
	if err := regular(path); err != nil {
		return nil, err
	}
	r, err := look(ctx, path)
	class, known := fault.Of(err)
	switch {
	case err == nil, ctx.Err() != nil, errors.Is(err, errEmpty), errors.Is(err, errNewer),
		(&File{path: path}).other() != nil,
		known && class.Kind != fault.Damaged, !known && !byName(path):
		return r, err
	}
	// SQLite cannot read its first bytes. Those of a project are known, so they are put right in a
	// copy.
	folder, makeErr := os.MkdirTemp("", "kindred-check-")
	if makeErr != nil {
		return nil, makeErr
	}
	defer os.RemoveAll(folder)
	best := &Report{Damage: []Damage{{ErrNothing.Error(), "all of the project"}}}
	for version := len(migrations); version > 0; version-- {
		other := filepath.Join(folder, fmt.Sprintf("%d.kindred", version))
		if err := mended(path, other, version); err != nil {
			break
		}
		r, err := look(ctx, other)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || !r.found.some() || best.found != nil && (r.Steps < best.Steps ||
			r.Steps == best.Steps && len(r.Damage)+1 >= len(best.Damage)) {
			continue
		}
		best = r
		best.Damage = append([]Damage{{"the header of the file is not as it was written",
			"nothing that was read"}}, r.Damage...)
	}
	return best, nil
}

// look is Check for a file whose first bytes are sound.
func look(ctx context.Context, path string) (*Report, error) {
	p, err := view(path)
	if err != nil {
		return nil, err
	}
	defer p.db.Close()
	if err := p.recognise(ctx); err != nil {
		return nil, p.opening(err)
	}
	f, damage := p.find(ctx, p.db, p.version)
	if err := p.broken(ctx, damage); err != nil && !errors.Is(err, fault.Damaged) {
		return nil, err
	}
	r := &Report{Format: p.version, Steps: len(f.events), Stated: f.stated, found: f,
		Count: NewHistory(f.events).Tally()}
	_, r.About = f.settings[headerName]
	for _, d := range damage {
		r.Damage = append(r.Damage, d.Damage)
	}
	switch err := p.pages(ctx); {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && len(damage) == 0:
		// What SQLite found, without what to do about it.
		if s, ok := errors.AsType[*fault.Storage](err); ok && s.Err != nil {
			err = s.Err
		}
		r.Damage = []Damage{{fmt.Sprintf("pages of the database, or its index, are not as they "+
			"were written (%v)", words.Cause(err)), "no step, but new ones might be lost"}}
	}
	if p.version < digested {
		r.Notes = append(r.Notes, undigested)
	}
	return r, nil
}

// undigested is said of files without digests.
const undigested = "it has no digests, so damage to it cannot be noticed; kindred ask adds them " +
	"when it goes on with it"

// some reports whether anything was found.
func (f *found) some() bool { return len(f.events)+len(f.settings)+len(f.rows) > 0 }

// byName reports whether a file is a project by its name.
func byName(path string) bool { return filepath.Ext(path) == ".kindred" }

// The first bytes of a file of SQLite (https://sqlite.org/fileformat2.html#the_database_header), as
// they are in every project.
const (
	sqliteHeader = 100
	pageSize     = 4096
)

// mended copies a file, and its log, with the first bytes as they are in every project of a format.
// What is not the same in each is made so that SQLite reads all that there is.
func mended(from, to string, version int) error {
	if err := copyFile(from, to); err != nil {
		return err
	}
	if err := copyFile(from+"-wal", to+"-wal"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(to, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	var head [sqliteHeader]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return err
	}
	copy(head[:], ours.SQLite)
	binary.BigEndian.PutUint16(head[16:], pageSize)
	copy(head[18:], []byte{2, 2, 0, 64, 32, 32}) // a log ahead of writing, no bytes reserved
	binary.BigEndian.PutUint32(head[28:], uint32(info.Size()/pageSize))
	copy(head[92:96], head[24:28]) // so that the number of pages counts
	clear(head[32:40])             // no free pages
	binary.BigEndian.PutUint32(head[44:], 4)
	clear(head[52:56])
	binary.BigEndian.PutUint32(head[56:], 1) // UTF-8
	binary.BigEndian.PutUint32(head[60:], uint32(version))
	clear(head[64:68])
	binary.BigEndian.PutUint32(head[68:], applicationID)
	if _, err := f.WriteAt(head[:], 0); err != nil {
		return err
	}
	return f.Close()
}
