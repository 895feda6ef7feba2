package worker

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/project/input"
)

// question is a question as the client sees it: rows are numbered from 0.
type question struct {
	A      int    `json:"a"`
	B      int    `json:"b"`
	Number int    `json:"number"` // from 1
	Why    string `json:"why"`
}

// replies are the answers of the client.
var replies = map[string]ask.Reply{"same": ask.Same, "different": ask.Different,
	"unknown": ask.DontKnow, "stop": ask.Quit}

// askRows fits a method that asks, and the client answers.
func askRows(ctx context.Context, r *request) (any, []*array, error) {
	t, err := r.task(ctx, (*input.Recipe).Asking)
	if err != nil {
		return nil, nil, err
	}
	oracle := ask.Func(func(ctx context.Context, q link.Question) (ask.Reply, error) {
		why := ask.Why(q, func(row int) string { return fmt.Sprintf("row %d", t.data.At(row)) })
		err := r.reply(map[string]any{"question": question{t.data.At(q.A), t.data.At(q.B), q.Number,
			why}}, nil)
		if err != nil {
			return 0, err
		}
		select {
		case text := <-r.answers:
			reply, ok := replies[text]
			if !ok {
				return 0, fault.Settingf("the answer is %q: give same, different, unknown or stop",
					text)
			}
			return reply, nil
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	})
	out, err := t.method.Answered(ctx, t.problem, oracle, t.Budget)
	if err != nil {
		return nil, nil, t.named(err)
	}
	return r.result(ctx, t, out)
}
