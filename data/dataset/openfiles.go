package dataset

import (
	"os"
	"slices"
	"sync"

	"github.com/kindred-go/kindred/fault"
)

// mostOpen is how many files of a table are open at a time, but for those that are being read just
// then.
const mostOpen = 64

// openFiles holds files open, and closes those that were not read for longest when others are.
type openFiles struct {
	lock sync.Mutex
	open []*reopened // the one read last comes last
}

// reopened is a file that is opened again when it was closed. Any number of goroutines may read it.
type reopened struct {
	Part
	openFiles *openFiles
	info      os.FileInfo // when it was opened first
	file      *os.File
	users     int
}

// put opens a file for the first time.
func (s *openFiles) put(p Part) (*reopened, error) {
	f := &reopened{Part: p, openFiles: s}
	if _, err := f.take(); err != nil {
		return nil, err
	}
	f.giveBack()
	return f, nil
}

// close closes all files.
func (s *openFiles) close() {
	for _, f := range s.open {
		f.file.Close()
	}
	s.open = nil
}

// ReadAt reads as [os.File.ReadAt] does.
func (f *reopened) ReadAt(p []byte, at int64) (int, error) {
	file, err := f.take()
	if err != nil {
		return 0, err
	}
	defer f.giveBack()
	return file.ReadAt(p, at)
}

func (f *reopened) take() (*os.File, error) {
	s := f.openFiles
	s.lock.Lock()
	defer s.lock.Unlock()
	if f.file != nil {
		i := slices.Index(s.open, f)
		s.open = append(slices.Delete(s.open, i, i+1), f)
		f.users++
		return f.file, nil
	}
	for i := 0; i < len(s.open) && len(s.open) >= mostOpen; {
		old := s.open[i]
		if old.users > 0 {
			i++
			continue
		}
		old.file.Close()
		old.file = nil
		s.open = slices.Delete(s.open, i, i+1)
	}
	file, err := f.Open()
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && f.info != nil && (!os.SameFile(info, f.info) || info.Size() != f.info.Size() ||
		!info.ModTime().Equal(f.info.ModTime())) {
		err = &fault.Input{File: f.Name, Problem: "was changed while the table was read",
			Fix: "keep the files as they are until it is"}
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	f.file, f.info = file, info
	f.users++
	s.open = append(s.open, f)
	return file, nil
}

func (f *reopened) giveBack() {
	f.openFiles.lock.Lock()
	defer f.openFiles.lock.Unlock()
	f.users--
}
