package shard

import (
	"context"
	"os"
	"time"

	"golang.org/x/sync/errgroup"
)

// Stamp is what one state of a file differs by from another.
type Stamp struct {
	File    string
	Size    int64
	Changed time.Time // zero where the file system does not know
}

// Stamps returns those of the files that splits lie in, in their order.
func Stamps(ctx context.Context, splits []Split) ([]Stamp, error) {
	var out []Stamp
	for _, s := range splits {
		if len(out) == 0 || out[len(out)-1].File != s.File {
			out = append(out, Stamp{File: s.File})
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(16)
	for i := range out {
		group.Go(func() (err error) {
			s := &out[i]
			system, at, err := filesOf(s.File)
			if err != nil {
				return err
			}
			if r, ok := system.(remote); ok {
				s.Size, s.Changed, err = r.stamp(ctx, at)
				return err
			}
			info, err := os.Stat(at)
			if err != nil {
				return missingFile(at, err)
			}
			s.Size, s.Changed = info.Size(), info.ModTime()
			return nil
		})
	}
	return out, group.Wait()
}
