package crash

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"
)

// sector is what a disk writes whole or not at all.
const sector = 512

// Loss is what a power cut does to what was not synced.
type Loss int

// Losses, and Lying: a disk that ignores syncs, which loses all that was done since the beginning.
const (
	Kept    Loss = iota // all is there, as after a kill
	Dropped             // nothing is there
	Mixed               // each write, sector and size may be there, in any order; names in theirs
	Lying
)

// Disk is what a system holds of a folder: what programs see, and what is sure to outlive a cut.
// Data of files, and names in folders, are durable once the file, or the folder, was synced.
type Disk struct {
	root *inode
	open map[int]*inode
	at   map[int]int64 // where writes without a place go
}

// inode is a file or a folder.
type inode struct {
	folder  bool
	data    []byte // as programs see it
	durable []byte
	pending []change // to data since
	asked   int      // pending when a sync began

	names        map[string]*inode // as programs see them
	durableNames map[string]*inode
	pendingNames []naming
	askedNames   int

	was      []byte            // at the beginning
	wasNames map[string]*inode // nil: it was not there
}

// change is a write, or a truncation where data is nil.
type change struct {
	at   int64
	data []byte
}

func (c change) apply(to []byte) []byte {
	if c.data == nil {
		return resized(to, c.at)
	}
	if end := c.at + int64(len(c.data)); end > int64(len(to)) {
		to = resized(to, end)
	}
	copy(to[c.at:], c.data)
	return to
}

func resized(b []byte, size int64) []byte {
	if size <= int64(len(b)) {
		return b[:size:size]
	}
	return append(b, make([]byte, size-int64(len(b)))...)
}

// naming is a name that a folder got, or lost where to is nil, and a second one that it lost by the
// same step.
type naming struct {
	name string
	to   *inode
	lost string
}

func (n naming) apply(to map[string]*inode) {
	if n.lost != "" {
		delete(to, n.lost)
	}
	if n.to == nil {
		delete(to, n.name)
	} else {
		to[n.name] = n.to
	}
}

// NewDisk returns a disk that durably holds what is in a folder now.
func NewDisk(folder string) (*Disk, error) {
	d := &Disk{root: newFolder(), open: make(map[int]*inode), at: make(map[int]int64)}
	d.root.wasNames = make(map[string]*inode)
	err := filepath.WalkDir(folder, func(name string, e fs.DirEntry, err error) error {
		if err != nil || name == folder {
			return err
		}
		relative, err := filepath.Rel(folder, name)
		if err != nil {
			return err
		}
		n := newFolder()
		n.wasNames = make(map[string]*inode)
		if !e.IsDir() {
			n = &inode{}
			if n.data, err = os.ReadFile(name); err != nil {
				return err
			}
			n.durable, n.was = bytes.Clone(n.data), bytes.Clone(n.data)
		}
		parent, base := d.parent(relative)
		parent.names[base], parent.durableNames[base], parent.wasNames[base] = n, n, n
		return nil
	})
	return d, err
}

func newFolder() *inode {
	return &inode{folder: true, names: make(map[string]*inode),
		durableNames: make(map[string]*inode)}
}

// find returns what is at a path, nil for nothing.
func (d *Disk) find(name string) *inode {
	if name == "." {
		return d.root
	}
	parent, base := d.parent(name)
	if parent == nil {
		return nil
	}
	return parent.names[base]
}

func (d *Disk) parent(name string) (folder *inode, base string) {
	return d.find(path.Dir(name)), path.Base(name)
}

// Apply lets a command do an operation.
func (d *Disk) Apply(o Op) error {
	n := d.open[o.FD]
	switch o.Kind {
	case Say:
		return nil
	case Write, Truncate, Begin, Sync, Close:
		if n == nil {
			return fmt.Errorf("%v: nothing is open", o)
		}
	}
	switch o.Kind {
	case Open:
		n = d.find(o.Path)
		parent, base := d.parent(o.Path)
		if n == nil {
			if parent == nil || !o.New {
				return fmt.Errorf("%v: nothing is there", o)
			}
			n = &inode{}
			parent.rename(naming{name: base, to: n})
		}
		if o.Empty && len(n.data) > 0 {
			n.change(change{})
		}
		d.open[o.FD], d.at[o.FD] = n, 0
	case Close:
		delete(d.open, o.FD)
	case Write:
		at := o.At
		if at < 0 {
			at = d.at[o.FD]
			d.at[o.FD] += int64(len(o.Data))
		}
		if len(o.Data) > 0 {
			n.change(change{at, o.Data})
		}
	case Truncate:
		n.change(change{at: o.At})
	case Begin:
		n.asked, n.askedNames = len(n.pending), len(n.pendingNames)
	case Sync:
		n.sync()
	case Make:
		parent, base := d.parent(o.Path)
		if parent == nil {
			return fmt.Errorf("%v: it is nowhere", o)
		}
		parent.rename(naming{name: base, to: newFolder()})
	case Remove:
		parent, base := d.parent(o.Path)
		parent.rename(naming{name: base})
	case Rename:
		from, old := d.parent(o.Path)
		to, name := d.parent(o.To)
		moved := from.names[old]
		if moved == nil {
			return fmt.Errorf("%v: nothing is there", o)
		}
		if from == to {
			from.rename(naming{name, moved, old})
			break
		}
		to.rename(naming{name: name, to: moved})
		from.rename(naming{name: old})
	default:
		return fmt.Errorf("%v is unknown", o)
	}
	return nil
}

func (n *inode) change(c change) {
	n.data = c.apply(n.data)
	n.pending = append(n.pending, c)
}

func (n *inode) rename(to naming) {
	to.apply(n.names)
	n.pendingNames = append(n.pendingNames, to)
}

// sync makes durable what was there when it began.
func (n *inode) sync() {
	asked, names := min(n.asked, len(n.pending)), min(n.askedNames, len(n.pendingNames))
	for _, c := range n.pending[:asked] {
		n.durable = c.apply(n.durable)
	}
	for _, to := range n.pendingNames[:names] {
		to.apply(n.durableNames)
	}
	n.pending, n.pendingNames = n.pending[asked:], n.pendingNames[names:]
	n.asked, n.askedNames = 0, 0
}

// Files are the files of a folder by their paths, with slashes; a path that ends with a slash is of
// a folder.
type Files map[string][]byte

// After returns what a disk may hold when the power fails now. Different rng return different ones
// where the loss is Mixed.
func (d *Disk) After(loss Loss, rng *rand.Rand) Files {
	files := make(Files)
	d.root.after(".", loss, rng, files)
	return files
}

func (n *inode) after(at string, loss Loss, rng *rand.Rand, files Files) {
	if !n.folder {
		files[at] = n.content(loss, rng)
		return
	}
	if at != "." {
		files[at+"/"] = nil
	}
	names := n.namesAfter(loss, rng)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		names[name].after(path.Join(at, name), loss, rng, files)
	}
}

func (n *inode) namesAfter(loss Loss, rng *rand.Rand) map[string]*inode {
	switch loss {
	case Kept:
		return n.names
	case Dropped:
		return n.durableNames
	case Lying:
		return n.wasNames
	}
	names := maps.Clone(n.durableNames)
	for _, to := range n.pendingNames[:rng.IntN(len(n.pendingNames)+1)] {
		to.apply(names)
	}
	return names
}

func (n *inode) content(loss Loss, rng *rand.Rand) []byte {
	switch loss {
	case Kept:
		return n.data
	case Dropped:
		return n.durable
	case Lying:
		return n.was
	}
	b := bytes.Clone(n.durable)
	for _, c := range n.pending {
		switch what := rng.IntN(3); {
		case what == 0: // all of it is there
			b = c.apply(b)
		case c.data == nil:
		default:
			end := c.at + int64(len(c.data))
			if end > int64(len(b)) && rng.IntN(2) == 0 { // the size is there without the data
				b = resized(b, end)
			}
			if what == 1 {
				b = torn(b, c, rng)
			}
		}
	}
	return b
}

// torn writes some of the sectors of a change.
func torn(b []byte, c change, rng *rand.Rand) []byte {
	for at := c.at; at < c.at+int64(len(c.data)); {
		end := min((at/sector+1)*sector, c.at+int64(len(c.data)))
		if rng.IntN(2) == 0 {
			b = change{at, c.data[at-c.at : end-c.at]}.apply(b)
		}
		at = end
	}
	return b
}

// Write puts the files into a folder, which must be there.
func (f Files) Write(folder string) error {
	for _, name := range slices.Sorted(maps.Keys(f)) {
		at := filepath.Join(folder, filepath.FromSlash(name))
		if name[len(name)-1] == '/' {
			if err := os.MkdirAll(at, 0o700); err != nil {
				return err
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(at, f[name], 0o600); err != nil {
			return err
		}
	}
	return nil
}

// Cuts calls check for cuts of the power after each operation, and before the first: with all that
// was done kept, with nothing of what was not synced, and so many mixtures. acknowledged is how
// many operations came before. It returns how many cuts there were.
func Cuts(d *Disk, ops []Op, mixtures int, seed uint64,
	check func(acknowledged int, loss Loss, files Files) error) (int, error) {
	n := 0
	for i := 0; ; i++ {
		for j := range 2 + mixtures {
			loss := min(Loss(j), Mixed)
			rng := rand.New(rand.NewPCG(seed, uint64(n)))
			n++
			if err := check(i, loss, d.After(loss, rng)); err != nil {
				return n, fmt.Errorf("cut %d, before operation %d, loss %d: %w", n, i, loss, err)
			}
		}
		if i == len(ops) {
			return n, nil
		}
		if err := d.Apply(ops[i]); err != nil {
			return n, fmt.Errorf("operation %d: %w", i, err)
		}
	}
}

// Scratch returns a new folder for the files of one cut, in memory where that can be had, and what
// removes it.
func Scratch(t testing.TB) (folder string, remove func()) {
	t.Helper()
	in := ""
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		in = "/dev/shm" // syncs cost nothing there
	}
	folder, err := os.MkdirTemp(in, "kindred-cut-")
	if err != nil {
		t.Fatal(err)
	}
	return folder, func() { os.RemoveAll(folder) }
}

// Digest returns a text that differs between different files.
func (f Files) Digest() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(f)) {
		fmt.Fprintf(h, "%q %d\n", name, len(f[name]))
		h.Write(f[name])
	}
	return string(h.Sum(nil))
}
