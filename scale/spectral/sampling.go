package spectral

import (
	"context"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/internal/sample"
	"github.com/kindred-go/kindred/scale/survey"
)

// sample draws about cfg.Sample rows, in order; all of them where there are no more.
func (p passes) sample(ctx context.Context, sv *survey.Survey, cfg Config) (dataset.Matrix, error) {
	found, err := sample.Find(ctx, p.r, "neighbours-sample", p.src, sv,
		sample.Wanted{Below: sample.Below(int64(cfg.Sample), sv.Kept(p.src)),
			Least: min(cfg.Landmarks, 32), Seed: cfg.Seed})
	if err != nil {
		return dataset.Matrix{}, err
	}
	x := sample.Matrix(found.Drawn, len(p.src.Columns))
	if x.Rows == 0 {
		return x, fault.Inputf("give files that hold some", "there are no rows")
	}
	return x, nil
}
