package cobra2017

import (
	"context"

	"github.com/kindred-go/kindred/reproduce/frame"
)

func tables(p frame.Plan, runs *frame.Runs) ([]frame.Table, []frame.Claim) { return nil, nil }

func pictures(ctx context.Context, p frame.Plan, runs *frame.Runs) ([]frame.Picture, error) {
	return nil, nil
}
