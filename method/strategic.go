package method

import "context"

func (c *Configured) declareStrategy() {}

func (c *Configured) beginStrategic(ctx context.Context, p Problem) (*Session, error) {
	return nil, ctx.Err()
}
