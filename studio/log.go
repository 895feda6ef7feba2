package studio

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"

	"github.com/kindred-go/kindred/fault"
)

// requestHeader names a request in its answer; the log has the same name.
const requestHeader = "X-Request-Id"

// newRequest returns a name for a request.
func newRequest() string {
	var b [6]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

type requestKey struct{}

// requestOf returns the name of the request that ctx belongs to; "" where there is none.
func requestOf(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}

// cause returns why something failed as the log has it. Of a fault in the data it is the location
// alone, as the sentence may quote a cell.
func cause(err error) slog.Attr {
	var in *fault.Input
	if !errors.As(err, &in) {
		return slog.String("error", err.Error())
	}
	at := []any{slog.String("file", in.File)}
	if in.Line > 0 {
		at = append(at, slog.Int("line", in.Line))
	}
	if in.Row > 0 {
		at = append(at, slog.Int("row", in.Row))
	}
	if in.Column != "" {
		at = append(at, slog.String("column", in.Column))
	}
	return slog.Group("fault", at...)
}

// named returns a problem that names the request if the log has more about it.
func named(p *Problem, request string) *Problem {
	if p.Detail == failedDetail && request != "" {
		p.Detail += " under request " + request
	}
	return p
}
