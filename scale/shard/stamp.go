package shard

import (
	"context"
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
			file := out[i].File
			system, at, err := filesOf(file)
			if err != nil {
				return err
			}
			out[i], err = system.stamp(ctx, at)
			out[i].File = file
			return err
		})
	}
	return out, group.Wait()
}
