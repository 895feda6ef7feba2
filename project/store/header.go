package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// headerName is the setting that the header is kept under.
const headerName = "header"

// mostSetting is the most bytes of JSON that a setting takes.
const mostSetting = 1 << 20

// Header is what a project is about.
type Header struct {
	Data string `json:"data"` // as the person named it
	// from the project's folder; "" for what is no file
	Path        string            `json:"path"`
	Fingerprint string            `json:"fingerprint"`   // of the data's bytes
	Rows        int               `json:"rows"`          // rows read
	IDs         string            `json:"ids,omitempty"` // Numbers or Column; "": not known
	Method      string            `json:"method"`        // the asking method
	Settings    map[string]string `json:"settings"`      // flags that decide what is asked, by name
	// Given: of parameters of methods, Settings has those alone that were given. The first edition
	// kept all of them, with zeros where they were not.
	Given bool `json:"given,omitempty"`
	// Reading is the version of the defaults by which the data are read, see input.ReadingNow
	Reading int `json:"reading,omitempty"`
	// Settled is the last event that does not count in [History.Groups], as the number of groups was
	// set since.
	Settled int64     `json:"settled,omitempty"`
	Created time.Time `json:"created"`
}

// What ids of rows are.
const (
	Numbers = "numbers" // the rows are numbered from 1
	Column  = "column"  // a column of the data has them
)

// Header reads what the project is about; ok is false for a project just made.
func (p *File) Header(ctx context.Context) (h Header, ok bool, err error) {
	ok, err = p.Setting(ctx, headerName, &h)
	return h, ok, err
}

// SetHeader writes what the project is about. It is on disk when it returns.
func (p *File) SetHeader(ctx context.Context, h Header) error {
	return p.set(ctx, headerName, h)
}

// Setting reads a small named value, kept as JSON, into what value points to; ok is false when
// there is none.
func (p *File) Setting(ctx context.Context, name string, value any) (ok bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	p.mu.Lock()
	text, ok := p.settings[name]
	p.mu.Unlock()
	if !ok {
		return false, nil
	}
	if err := json.Unmarshal([]byte(text), value); err != nil {
		return false, p.damaged(fmt.Sprintf("the setting %q cannot be read", name), err)
	}
	return true, nil
}

// SetSetting keeps a value under a name, as JSON of at most 1 MiB. It is on disk when it returns.
// The header is not for it.
func (p *File) SetSetting(ctx context.Context, name string, value any) error {
	if name == headerName {
		return fmt.Errorf("project: the setting %q is the header, which SetHeader writes", name)
	}
	return p.set(ctx, name, value)
}

func (p *File) set(ctx context.Context, name string, value any) error {
	write, err := setting(name, value)
	if err != nil {
		return err
	}
	return p.do(ctx, write)
}

// setting returns what writes a setting.
func setting(name string, value any) (func(ctx context.Context, b *batch) error, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("project: setting %s: %w", name, err)
	}
	if len(text) > mostSetting {
		return nil, fmt.Errorf("project: setting %s has %d bytes, and %d are the most", name,
			len(text), mostSetting)
	}
	return func(ctx context.Context, b *batch) error {
		return b.set(ctx, name, string(text))
	}, nil
}

// do writes something besides events, and returns when it is on disk.
func (p *File) do(ctx context.Context, write func(ctx context.Context, b *batch) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r := &request{done: make(chan struct{}), write: write}
	p.mu.Lock()
	err := p.enqueue(r)
	p.mu.Unlock()
	if err != nil {
		return err
	}
	return r.wait()
}
