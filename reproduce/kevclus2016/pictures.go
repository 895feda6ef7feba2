package kevclus2016

import (
	"context"

	"github.com/kindred-go/kindred/reproduce/frame"
)

func pictures(ctx context.Context, p frame.Plan, runs *frame.Runs) ([]frame.Picture, error) {
	return nil, nil
}
