package shard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"time"
)

// SpoolVariable is the environment variable for how many MiB of remote files a worker keeps
// on its disk (in the folder for temporary files); unset, DefaultSpoolMiB. A single larger file
// goes beyond.
const SpoolVariable = "KINDRED_SPOOL_MIB"

// DefaultSpoolMiB is how many MiB of remote files a worker keeps on its disk unless SpoolVariable
// is set.
const DefaultSpoolMiB = 16 << 10

// spools are the remote files that this process has on its disk. They outlive a split, as the
// others of a file, and the rounds to come, read it again.
var spools = newSpooler(spoolLimit())

func spoolLimit() int64 {
	if n, err := strconv.ParseInt(os.Getenv(SpoolVariable), 10, 44); err == nil && n > 0 {
		return n << 20
	}
	return DefaultSpoolMiB << 20
}

// spooler keeps copies of remote files up to a limit of bytes. Those that nobody has open go first;
// when all are open, the next waits for one of them, unless it is alone.
type spooler struct {
	limit int64
	lock  sync.Mutex
	files map[string]*spooled // by path
	bytes int64               // promised to files, as large as they will be
	freed chan struct{}       // is closed, and made anew, when a file is let go
	clock int64
}

func newSpooler(limit int64) *spooler {
	return &spooler{limit: limit, files: map[string]*spooled{}, freed: make(chan struct{})}
}

// spooled is a copy that grows as places behind its end are asked for.
type spooled struct {
	name    string
	size    int64
	changed time.Time
	users   int
	used    int64 // the spooler's clock when it was let go
	gone    bool  // not to be opened again: the file has changed since, or may do so unseen

	lock   sync.Mutex
	local  *os.File
	have   int64
	stream io.ReadCloser
	cancel context.CancelFunc
}

// open returns the file as it is now.
func (s *spooler) open(ctx context.Context, name string) (input, error) {
	stamp, err := remote{}.stamp(ctx, name)
	if err != nil {
		return nil, err
	}
	for {
		f, wait, err := s.take(name, stamp.Size, stamp.Changed)
		if err != nil {
			return nil, err
		}
		if f != nil {
			return &spooledInput{ctx: ctx, from: s, file: f}, nil
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// take returns a copy, or what to wait for until it fits.
func (s *spooler) take(name string, size int64, changed time.Time) (*spooled, <-chan struct{},
	error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if f := s.files[name]; f != nil {
		if f.size == size && f.changed.Equal(changed) {
			f.users++
			return f, nil, nil
		}
		f.gone = true
		delete(s.files, name)
		if f.users == 0 {
			s.drop(f)
		}
	}
	for s.bytes+size > s.limit {
		var oldest *spooled
		for _, f := range s.files {
			if f.users == 0 && (oldest == nil || f.used < oldest.used) {
				oldest = f
			}
		}
		if oldest == nil {
			break
		}
		delete(s.files, oldest.name)
		s.drop(oldest)
	}
	if s.bytes > 0 && s.bytes+size > s.limit {
		return nil, s.freed, nil
	}
	local, err := temporary()
	if err != nil {
		return nil, nil, err
	}
	f := &spooled{name: name, size: size, changed: changed, users: 1, local: local,
		gone: changed.IsZero() || time.Since(changed) < settled}
	if !f.gone {
		s.files[name] = f
	}
	s.bytes += size
	return f, nil, nil
}

// release lets a file go.
func (s *spooler) release(f *spooled) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if f.users--; f.users > 0 {
		return
	}
	s.clock++
	f.used = s.clock
	if f.gone {
		s.drop(f)
	}
	close(s.freed)
	s.freed = make(chan struct{})
}

// drop deletes a copy that nobody has open.
func (s *spooler) drop(f *spooled) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.hangUp()
	discard(f.local)
	s.bytes -= f.size
}

// readAt copies as much of the remote file as it takes.
func (f *spooled) readAt(ctx context.Context, p []byte, at int64) (int, error) {
	if err := f.reach(ctx, min(at+int64(len(p)), f.size)); err != nil {
		return 0, err
	}
	return f.local.ReadAt(p[:max(0, min(int64(len(p)), f.size-at))], at)
}

// settled is how long a file must be unchanged before a copy of it is kept for others: stores have
// its time in seconds, by their own clock, and one written anew may have the size it had.
const settled = time.Minute

// tries is how often a broken connection is made again.
const tries = 3

func (f *spooled) reach(ctx context.Context, to int64) error {
	f.lock.Lock()
	defer f.lock.Unlock()
	for try := 0; f.have < to; {
		err := f.copy(ctx, to)
		if err == nil {
			continue
		}
		f.hangUp()
		if ctx.Err() == nil && errors.Is(err, context.Canceled) {
			err = fmt.Errorf("nothing came in %v: %w", patience, err)
		}
		if try++; try == tries || ctx.Err() != nil {
			return remoteFault(ctx, "reading", f.name, err)
		}
	}
	if f.have == f.size {
		f.hangUp()
	}
	return nil
}

// copy goes on with the connection there is, or makes one.
func (f *spooled) copy(ctx context.Context, to int64) error {
	skip := int64(0)
	if f.stream == nil {
		// The connection serves whoever reads next as well, so it does not end with ctx.
		lasting, cancel := context.WithCancel(context.WithoutCancel(ctx))
		fs, err := connect(lasting, f.name)
		if err != nil {
			cancel()
			return err
		}
		_, end := f.watch(ctx, cancel)
		f.stream, err = fs.OpenRead(lasting, f.name)
		end()
		if err != nil {
			cancel()
			fs.Close()
			f.stream = nil
			return err
		}
		f.cancel = func() { cancel(); fs.Close() }
		skip = f.have
	}
	timer, end := f.watch(ctx, f.cancel)
	defer end()
	from := &alive{f.stream, timer}
	if _, err := io.CopyN(io.Discard, from, skip); err != nil {
		return err
	}
	const piece = 4 << 20
	n, err := io.CopyN(io.NewOffsetWriter(f.local, f.have), from,
		min(max(to-f.have, piece), f.size-f.have))
	f.have += n
	if err == io.EOF {
		return errors.New("the file is shorter than its size")
	}
	return err
}

// watch breaks a connection that the reader has given up, or whose timer runs out. The function it
// returns ends the watch.
func (f *spooled) watch(ctx context.Context, hangUp func()) (timer *time.Timer, end func()) {
	timer = time.AfterFunc(patience, hangUp)
	stop := context.AfterFunc(ctx, hangUp)
	return timer, func() { timer.Stop(); stop() }
}

// alive winds a timer up whenever something comes.
type alive struct {
	from  io.Reader
	timer *time.Timer
}

func (a *alive) Read(p []byte) (int, error) {
	n, err := a.from.Read(p)
	if n > 0 {
		a.timer.Reset(patience)
	}
	return n, err
}

func (f *spooled) hangUp() {
	if f.stream != nil {
		f.stream.Close()
		f.cancel()
		f.stream = nil
	}
}

// spooledInput is one opening of a copy.
type spooledInput struct {
	ctx  context.Context
	from *spooler
	file *spooled
	once sync.Once
}

func (i *spooledInput) Name() string { return i.file.name }
func (i *spooledInput) Size() int64  { return i.file.size }

func (i *spooledInput) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 {
		return 0, fmt.Errorf("reading %s: there is no byte %d", i.file.name, at)
	}
	n, err := i.file.readAt(i.ctx, p, at)
	if err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}

func (i *spooledInput) Close() error {
	i.once.Do(func() { i.from.release(i.file) })
	return nil
}

// temporary makes a file that is gone when it is closed, or when the process ends, where the system
// allows it.
func temporary() (*os.File, error) {
	f, err := os.CreateTemp("", "kindred-*")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name()) // what is open can be removed everywhere but on Windows
	return f, nil
}

func discard(f *os.File) {
	f.Close()
	os.Remove(f.Name())
}
