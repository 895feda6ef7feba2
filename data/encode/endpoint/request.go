package endpoint

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/internal/words"
)

// maxReply bounds a reply in bytes, of which there are up to four at a time, and maxMessage the part
// of one that is shown. 64 vectors of 8192 numbers have 12 MiB.
const (
	maxReply   = 16 << 20
	maxMessage = 200
)

var (
	errRedirect  = errors.New("the server redirects")
	errElsewhere = errors.New("the texts would be sent to another machine")
)

// refusal is a reply with another status than 200.
type refusal struct {
	status  int
	message string
	after   time.Duration // as the server asked; below 0: it did not
}

func (r *refusal) Error() string {
	text := fmt.Sprintf("%d %s", r.status, strings.ToLower(http.StatusText(r.status)))
	if r.message != "" {
		text += ": " + r.message
	}
	return text
}

// isTooMuch reports whether fewer texts might do for a request: the server refused it, or its reply is
// too long.
func isTooMuch(err error) bool {
	if w, ok := errors.AsType[*wrongReply](err); ok {
		return w.long
	}
	r, ok := errors.AsType[*refusal](err)
	return ok && (r.status == http.StatusBadRequest || r.status == http.StatusUnprocessableEntity ||
		r.status == http.StatusRequestEntityTooLarge)
}

// passing reports whether an error may pass by itself.
func passing(err error) bool {
	if r, ok := errors.AsType[*refusal](err); ok {
		switch r.status {
		case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests,
			http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable,
			http.StatusGatewayTimeout:
			return true
		}
		return false
	}
	_, wrong := errors.AsType[*wrongReply](err)
	return !wrong && !errors.Is(err, errRedirect) && !lasting(err)
}

// lasting reports whether a server cannot be reached however often that is tried.
func lasting(err error) bool {
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	_, plain := errors.AsType[tls.RecordHeaderError](err)
	return untrusted || plain || errors.Is(err, errElsewhere) ||
		errors.Is(err, http.ErrSchemeMismatch)
}

// wrongReply is a reply of status 200 that has not the vectors of the texts.
type wrongReply struct {
	problem string
	long    bool // more than is read
}

func (w *wrongReply) Error() string { return w.problem }

// request sends texts, again where that failed and may do better, and returns their vectors.
func (e *Encoder) request(ctx context.Context, input []string) ([][]float32, error) {
	for try := 1; ; try++ {
		if err := e.pause(ctx); err != nil {
			return nil, err
		}
		vectors, err := e.post(ctx, input)
		switch {
		case err == nil:
			return vectors, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case len(input) > 1 && isTooMuch(err):
			return nil, err
		}
		refused := errors.Is(err, syscall.ECONNREFUSED) && e.sent.Load() == 0
		if !passing(err) || refused || isUnknown(err) || try == tries {
			return nil, e.explain(err, try)
		}
		pause := time.Second << (try - 1)
		if r, ok := errors.AsType[*refusal](err); ok && r.after >= 0 {
			if r.after > longest {
				return nil, e.explain(err, try)
			}
			pause = max(r.after, 10*time.Millisecond)
		}
		e.hold(pause, fmt.Sprintf("%s: %s; try %d of %d", e.to.Host, words.Cut(reason(err), maxMessage),
			try+1, tries))
	}
}

// reason returns in a line why a request failed.
func reason(err error) string {
	if _, ok := errors.AsType[*refusal](err); ok {
		return err.Error()
	}
	return safe.Line(words.Cause(err))
}

// isUnknown reports whether a host is not known.
func isUnknown(err error) bool {
	dns, ok := errors.AsType[*net.DNSError](err)
	return ok && dns.IsNotFound
}

// hold lets no request begin for some time, and notes why, unless requests wait already.
func (e *Encoder) hold(d time.Duration, why string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.now()
	waiting, until := e.until.After(now), now.Add(d)
	if until.After(e.until) {
		e.until = until
	}
	if !waiting && e.o.Notify != nil {
		e.o.Notify(fmt.Sprintf("%s in %v", why, d.Round(10*time.Millisecond)))
	}
}

// pause waits for as long as no request may begin.
func (e *Encoder) pause(ctx context.Context) error {
	for {
		e.mu.Lock()
		left := e.until.Sub(e.now())
		e.mu.Unlock()
		if left <= 0 {
			return ctx.Err()
		}
		if err := e.wait(ctx, left); err != nil {
			return err
		}
	}
}

// post sends one request.
func (e *Encoder) post(ctx context.Context, input []string) ([][]float32, error) {
	body, err := json.Marshal(map[string]any{"model": e.o.Model, "input": input,
		"encoding_format": "float"})
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.to.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	if e.o.Key != "" {
		r.Header.Set("Authorization", "Bearer "+e.o.Key)
	}
	reply, err := e.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	data, err := io.ReadAll(io.LimitReader(reply.Body, maxReply+1))
	if reply.StatusCode != http.StatusOK {
		return nil, &refusal{reply.StatusCode, e.message(data), after(reply.Header, e.now())}
	}
	if err != nil {
		return nil, err
	}
	if len(data) > maxReply {
		return nil, &wrongReply{fmt.Sprintf("a reply of more than %d MiB", maxReply>>20), true}
	}
	return e.parse(data, len(input))
}

// after returns the time that a server asks to wait; -1: it asks for none.
func after(h http.Header, now time.Time) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds >= 0 && seconds < 1e8 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return -1
}

// message returns what a server has to say of a refusal, as a line, without the key.
func (e *Encoder) message(data []byte) string {
	var reply struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	text := string(data)
	if json.Unmarshal(data, &reply) == nil {
		var inner struct {
			Message string `json:"message"`
		}
		switch {
		case json.Unmarshal(reply.Error, &inner) == nil && inner.Message != "":
			text = inner.Message
		case json.Unmarshal(reply.Error, &text) == nil:
		case reply.Message != "":
			text = reply.Message
		}
	}
	if e.o.Key != "" {
		text = strings.ReplaceAll(text, e.o.Key, "…")
	}
	return words.Cut(strings.TrimSpace(safe.Line(text)), maxMessage)
}

// vector is a list of finite numbers.
type vector []float32

// UnmarshalJSON refuses anything but numbers within float32.
func (v *vector) UnmarshalJSON(data []byte) error {
	inner, ok := bytes.CutPrefix(data, []byte("["))
	if !ok || len(inner) == 0 {
		return errors.New("no list of numbers")
	}
	inner = inner[:len(inner)-1]
	if len(bytes.TrimSpace(inner)) == 0 {
		return nil
	}
	*v = make(vector, 0, bytes.Count(inner, []byte(","))+1)
	for item := range bytes.SplitSeq(inner, []byte(",")) {
		item = bytes.TrimSpace(item)
		if c := item[0]; c != '-' && (c < '0' || c > '9') { // JSON alone begins so
			return fmt.Errorf("%.20q among numbers", item)
		}
		x, err := strconv.ParseFloat(string(item), 32)
		if err != nil {
			return fmt.Errorf("%.20q is no number of float32", item)
		}
		*v = append(*v, float32(x))
	}
	return nil
}

// parse returns the vectors of a reply in the order of the texts.
func (e *Encoder) parse(data []byte, n int) ([][]float32, error) {
	var reply struct {
		Data []struct {
			Index  *int   `json:"index"`
			Vector vector `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(data, &reply); err != nil {
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok &&
			syntax.Offset >= int64(len(data)) {
			return nil, fmt.Errorf("the reply ends early: %w", io.ErrUnexpectedEOF)
		}
		return nil, &wrongReply{problem: fmt.Sprintf(
			"the reply is not one of the embeddings API: %v", err)}
	}
	if len(reply.Data) != n {
		return nil, &wrongReply{problem: fmt.Sprintf("%s for %s",
			words.Count(len(reply.Data), "vector"), words.Count(n, "text"))}
	}
	out := make([][]float32, n)
	for i, d := range reply.Data {
		at := i
		if d.Index != nil {
			at = *d.Index
		}
		if at < 0 || at >= n || out[at] != nil {
			return nil, &wrongReply{problem: fmt.Sprintf("the vectors of %s have the index %d "+
				"twice, or beyond them", words.Count(n, "text"), at)}
		}
		if err := e.fits(d.Vector); err != nil {
			return nil, &wrongReply{problem: err.Error()}
		}
		out[at] = d.Vector
	}
	return out, nil
}

// explain turns what went wrong into an error for a person.
func (e *Encoder) explain(err error, tried int) error {
	in := &fault.Input{File: e.address, Err: err}
	switch r, ok := errors.AsType[*refusal](err); {
	case ok && (r.status == http.StatusUnauthorized || r.status == http.StatusForbidden):
		in.Problem = "the endpoint refuses access: " + r.Error()
		in.Fix = "set the key in the environment, " + KeyName
	case ok && r.status == http.StatusNotFound:
		in.Problem = "the endpoint knows no such address or model: " + r.Error()
		in.Fix = "check --encoder, which often ends in /v1, and --encoder-model"
	case ok && r.after > longest:
		in.Problem = fmt.Sprintf("the endpoint asks to wait for %v: %v", r.after, r)
		in.Fix = "run the command again then: vectors that were received are kept"
	case ok && passing(err):
		in.Problem = fmt.Sprintf("the endpoint failed %s: %v", words.Count(tried, "time"), r)
		in.Fix = "run the command again later: vectors that were received are kept"
	case ok:
		in.Problem = "the endpoint refuses a text: " + r.Error()
		in.Fix = "see what it says; a text may be too long for the model"
	case errors.Is(err, errRedirect):
		in.Problem = words.Cause(err)
		in.Fix = "give the address that it redirects to, if that is meant"
	case lasting(err):
		in.Problem = "the endpoint cannot be reached: " + words.Cause(err)
		in.Fix = "check the address; it begins with https:// where the server has a certificate " +
			"that this machine trusts"
	case !passing(err):
		in.Problem = "the endpoint does not return vectors of the texts: " + err.Error()
		in.Fix = "check --encoder and --encoder-model"
		if e.held.Load() > 0 {
			in.Fix += "; if the server has another model by that name now, remove the vectors that " +
				"are kept in " + words.Short(e.o.Cache)
		}
	default:
		in.Problem = "the endpoint cannot be reached: " + words.Cause(err)
		in.Fix = "see that the server runs, and check the address"
	}
	return in
}
