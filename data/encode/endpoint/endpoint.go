// Package endpoint turns texts into vectors by a server that speaks the embeddings API of OpenAI,
// as Ollama, llama.cpp, vLLM and text-embeddings-inference do: POST …/embeddings.
package endpoint

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unicode"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/digest"
	"github.com/kindred-go/kindred/internal/kept"
	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/words"
)

// KeyName is the variable of the environment that has the key of an endpoint. There is no other way
// to give one.
const KeyName = "KINDRED_ENCODER_KEY"

// Options are how an endpoint is used. Model must be set.
type Options struct {
	Model  string // as the server calls it
	Prompt string // before each text
	Key    string // sent to the server as a bearer token; "": none

	// Remote allows other machines than this one.
	Remote bool

	// Cache is a file that keeps vectors; "": nothing is kept.
	Cache string

	// Dimensions are those of a model that was made by the endpoint; 0: not known.
	Dimensions int

	// Notify, if not nil, is called with a sentence before texts are first sent, and when requests
	// that failed are to be sent again; never twice at once.
	Notify func(note string)
}

const (
	// batch is the number of texts of a request, and batchBytes bounds their bytes.
	batch      = 64
	batchBytes = 1 << 18
	// window is the number of texts between two looks into the cache.
	window = 4096
	// together is the number of requests at a time.
	together = 4
	// tries is the number of times that a request is sent.
	tries = 6
	// patience bounds the time that one request takes, and longest that between two tries.
	patience = 2 * time.Minute
	longest  = 5 * time.Minute
	// maxDimensions bounds the vectors.
	maxDimensions = 1 << 16
)

// Encoder is an endpoint with a model. It is safe for many goroutines.
type Encoder struct {
	address string // as it was given
	to      *url.URL
	o       Options
	client  *http.Client
	now     func() time.Time
	wait    func(ctx context.Context, d time.Duration) error

	once sync.Once
	sent atomic.Int64 // texts
	held atomic.Int64 // texts whose vectors were in the cache
	few  atomic.Int64 // texts of a request at most, once the server refused more; 0: batch
	dims atomic.Int64 // 0: not known yet

	mu    sync.Mutex
	until time.Time // the server asked for no request before
}

// Is reports whether the name of an encoder is the address of an endpoint.
func Is(name string) bool {
	lower := strings.ToLower(name)
	return strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://")
}

// New returns the encoder at an address such as http://127.0.0.1:11434/v1. Nothing is sent yet. An
// address that is none, or of another machine unless that is allowed, is a [fault.Setting].
func New(address string, o Options) (*Encoder, error) {
	to, err := url.Parse(address)
	switch {
	case err != nil || to.Host == "" || to.Opaque != "":
		return nil, fault.Settingf("--encoder: %s is no address; give one as "+
			"http://127.0.0.1:11434/v1", words.Short(bare(address)))
	case to.User != nil || to.RawQuery != "" || to.Fragment != "":
		return nil, fault.Settingf("--encoder: the address of an endpoint has no password, query or "+
			"fragment; set the key in the environment, %s", KeyName)
	case o.Model == "":
		return nil, fault.Setting("--encoder: an endpoint needs the name of a model; add " +
			"--encoder-model")
	}
	local := isLocal(to.Hostname())
	switch {
	case !local && !o.Remote:
		return nil, fault.Settingf("--encoder: the texts would be sent to another machine, %s; add "+
			"--allow-remote where that is meant (of kindred serve: --allow-remote-encoder)", to.Host)
	case !local && o.Key != "" && to.Scheme != "https":
		return nil, fault.Settingf("--encoder: the key in %s would be sent to %s without "+
			"encryption; use https", KeyName, to.Host)
	case strings.ContainsFunc(o.Key, unicode.IsControl):
		return nil, fault.Settingf("--encoder: the key in %s has characters that no key can have, "+
			"such as the end of a line", KeyName)
	}
	to.Path = strings.TrimSuffix(strings.TrimRight(to.Path, "/"), "/embeddings")
	e := &Encoder{address: strings.TrimRight(address, "/"), o: o, now: time.Now, wait: wait}
	e.dims.Store(int64(o.Dimensions))
	e.to = to.JoinPath("embeddings")
	dialer := &net.Dialer{Timeout: 30 * time.Second}
	transport := &http.Transport{DialContext: dialer.DialContext,
		TLSHandshakeTimeout: 30 * time.Second, ForceAttemptHTTP2: true,
		MaxIdleConnsPerHost: together, IdleConnTimeout: time.Minute}
	if local {
		// Whatever the name is resolved to: nothing leaves this machine.
		dialer.Control = func(_, address string, _ syscall.RawConn) error {
			host, _, err := net.SplitHostPort(address)
			if err == nil && !net.ParseIP(host).IsLoopback() {
				err = fmt.Errorf("%w, %s, by the name %s", errElsewhere, host, to.Hostname())
			}
			return err
		}
	} else {
		transport.Proxy = http.ProxyFromEnvironment
	}
	e.client = &http.Client{Transport: transport, Timeout: patience,
		CheckRedirect: func(r *http.Request, _ []*http.Request) error {
			return fmt.Errorf("%w to %s", errRedirect, r.URL.Host)
		}}
	return e, nil
}

// bare leaves out of an address what may be secret.
func bare(address string) string {
	if _, after, ok := strings.Cut(address, "@"); ok {
		return "…@" + after
	}
	return address
}

// isLocal reports whether a host is this machine.
func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Identity returns the address, the model, the prompt and their digest. The dimensions are known
// once a text was encoded, and 0 before.
func (e *Encoder) Identity() encode.Identity {
	return encode.Identity{Name: e.address, Model: e.o.Model, Prompt: e.o.Prompt,
		Digest:     digest.Of(e.space("")).String(),
		Dimensions: int(e.dims.Load())}
}

// space returns the bytes by which the vector of a text is known.
func (e *Encoder) space(text string) []byte {
	var b []byte
	for _, part := range []string{e.to.String(), e.o.Model, e.o.Prompt, text} {
		b = digest.AppendText(b, part)
	}
	return b
}

// Notes returns sentences for a user about the texts that were encoded so far.
func (e *Encoder) Notes() []string {
	note := fmt.Sprintf("the encoder is %s at %s", e.o.Model, e.to.Host)
	if e.o.Prompt != "" {
		note += fmt.Sprintf(", with %q before each text", e.o.Prompt)
	}
	note += fmt.Sprintf(": %s sent", words.Count(int(e.sent.Load()), "text"))
	if n := e.held.Load(); n > 0 {
		note += fmt.Sprintf(", %d known from earlier", n)
	}
	return []string{note}
}

// Encode returns the vectors of texts, as an [encode.Encoder] does. Different texts are sent once,
// and not at all where the cache has their vectors. A server that cannot be reached, or replies
// with anything but the vectors of the texts, is a [*fault.Input].
func (e *Encoder) Encode(ctx context.Context, texts []string, o encode.Options) (x dataset.Matrix,
	err error) {
	var c *kept.File
	if e.o.Cache != "" {
		if c, err = kept.Open(ctx, e.o.Cache); err != nil {
			return x, err
		}
		defer func() { err = errors.Join(err, c.Close()) }()
	}
	different, of := encode.Distinct(texts)
	found := make([][]float32, len(different))
	for lo := 0; lo < len(different); lo += window {
		hi := min(len(different), lo+window)
		tell := func(share float64) {
			if o.Progress != nil {
				o.Progress("encoding texts by "+e.o.Model,
					(float64(lo)+share*float64(hi-lo))/float64(len(different)))
			}
		}
		if err := e.window(ctx, c, different[lo:hi], found[lo:hi], tell); err != nil {
			return dataset.Matrix{}, err
		}
	}
	dims := int(e.dims.Load())
	if err := memory.Check(4*float64(len(texts))*float64(dims), "the vectors of the texts",
		"take fewer texts"); err != nil {
		return dataset.Matrix{}, err
	}
	out := make([]float32, len(texts)*dims)
	for i, at := range of {
		encode.Unit(out[i*dims:(i+1)*dims], found[at])
	}
	return dataset.Matrix{Rows: len(texts), Cols: dims, F32: out}, nil
}

// window finds the vectors of texts, in the cache or from the server.
func (e *Encoder) window(ctx context.Context, c *kept.File, texts []string, found [][]float32,
	tell func(share float64)) error {
	keys := make([]digest.Sum, len(texts))
	for i, text := range texts {
		keys[i] = digest.Of(e.space(encode.Front(text)))
	}
	if err := c.Get(ctx, keys, found); err != nil {
		return err
	}
	var missing []int
	for i, x := range found {
		if x != nil && e.fits(x) != nil { // of another length: the model has changed
			found[i], x = nil, nil
		}
		if x == nil {
			missing = append(missing, i)
		}
	}
	e.held.Add(int64(len(texts) - len(missing)))
	if len(missing) == 0 {
		tell(1)
		return nil
	}
	e.once.Do(func() {
		if e.o.Notify != nil {
			e.mu.Lock()
			defer e.mu.Unlock()
			e.o.Notify(fmt.Sprintf("texts are sent to %s (model %s)", e.to.Host, e.o.Model))
		}
	})
	var lock sync.Mutex
	done := len(texts) - len(missing)
	ends := e.batches(texts, missing)
	return parallel.Try(ctx, len(ends), 1, together, func(b, _, _ int) error {
		lo := 0
		if b > 0 {
			lo = ends[b-1]
		}
		some := missing[lo:ends[b]]
		if err := e.ask(ctx, texts, some, found); err != nil {
			return err
		}
		lock.Lock()
		defer lock.Unlock()
		if err := c.Put(ctx, keys, some, found); err != nil {
			return err
		}
		done += len(some)
		tell(float64(done) / float64(len(texts)))
		return nil
	})
}

// batches returns the ends of batches of the missing texts.
func (e *Encoder) batches(texts []string, missing []int) (ends []int) {
	count, bytes := 0, 0
	for i, at := range missing {
		size := len(e.o.Prompt) + len(encode.Front(texts[at]))
		if count > 0 && (count == batch || bytes+size > batchBytes) {
			ends = append(ends, i)
			count, bytes = 0, 0
		}
		count++
		bytes += size
	}
	return append(ends, len(missing))
}

// fits returns an error unless a vector has the length of all others, and notes that of the first.
func (e *Encoder) fits(x []float32) error {
	if len(x) == 0 || len(x) > maxDimensions {
		return fmt.Errorf("a vector of %s", words.Count(len(x), "number"))
	}
	if !e.dims.CompareAndSwap(0, int64(len(x))) && e.dims.Load() != int64(len(x)) {
		return fmt.Errorf("a vector of %s, where another has %d", words.Count(len(x), "number"),
			e.dims.Load())
	}
	return nil
}

// ask sends texts and sets their vectors. Where the server refuses so many, it sends fewer.
func (e *Encoder) ask(ctx context.Context, texts []string, some []int, found [][]float32) error {
	for len(some) > 0 {
		n := len(some)
		if few := int(e.few.Load()); few > 0 {
			n = min(n, few)
		}
		input := make([]string, n)
		for i, at := range some[:n] {
			input[i] = e.o.Prompt + encode.Front(texts[at])
		}
		vectors, err := e.request(ctx, input)
		if n > 1 && isTooMuch(err) {
			e.few.Store(int64(n / 2))
			continue
		}
		if err != nil {
			return err
		}
		for i, at := range some[:n] {
			found[at] = vectors[i]
		}
		e.sent.Add(int64(n))
		some = some[n:]
	}
	return nil
}
