package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/kindred-go/kindred/internal/filelock"
)

// lockState keeps other runs off the state until the end of this one.
func (s *streaming) lockState() error {
	if s.state == "" {
		return nil
	}
	release, err := filelock.Beside(s.state)
	if err != nil {
		return held(s.state, err)
	}
	s.locks = append(s.locks, release)
	return nil
}

// lockOut keeps other runs off the file of labels, where it is there and a file.
func (s *streaming) lockOut() error {
	if info, err := os.Stat(s.out); s.out == "" || err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.OpenFile(s.out, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := filelock.Lock(f); err != nil {
		f.Close()
		return held(s.out, err)
	}
	s.locks = append(s.locks, func() { f.Close() })
	return nil
}

// held says who has a file.
func held(path string, err error) error {
	if errors.Is(err, filelock.ErrTaken) {
		return fmt.Errorf("%s: another kindred stream writes to it: wait until that has ended, "+
			"or name another file", path)
	}
	return err
}
