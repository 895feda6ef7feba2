package survey

import (
	"context"

	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
)

// files returns the fingerprint, in hexadecimal, of the files of splits: their names, sizes, the
// times of their last change where those are known, and how they are cut. It shows in a moment
// whether files were changed since.
func files(ctx context.Context, splits []shard.Split) (string, error) {
	stamps, err := shard.Stamps(ctx, splits)
	if err != nil {
		return "", err
	}
	type place struct {
		File            string
		Row, Start, End int64
	}
	var places []place
	for _, s := range splits {
		places = append(places, place{s.File, s.Row, s.Start, s.End})
	}
	for i := range stamps {
		stamps[i].Changed = stamps[i].Changed.UTC() // the zone of the machine is no part of it
	}
	return fold.Digest([]any{stamps, places})
}

// fingerprint covers all that the survey holds of the data.
func (s *Survey) fingerprint() (string, error) {
	rows := make([]int64, len(s.Splits))
	for i := range s.Splits {
		rows[i] = s.Splits[i].Rows
	}
	return fold.Digest([]any{s.Files, rows, s.Columns, s.Classes, s.Tally.Unreadable})
}
