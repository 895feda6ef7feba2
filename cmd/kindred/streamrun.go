package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/sample"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/filelock"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/stream"
	"github.com/kindred-go/kindred/stream/broker"
	"github.com/kindred-go/kindred/stream/lines"
	"github.com/kindred-go/kindred/stream/metrics"
)

// rowSource is a source of rows with a warm-up and notes.
type rowSource interface {
	stream.Source
	WarmUp(ctx context.Context, w lines.WarmUp) (*lines.First, error)
	Notes() []string
}

var _, _ rowSource = (*lines.Source)(nil), (*broker.Source)(nil)

// streaming is a run of kindred stream.
type streaming struct {
	*streamFlags
	app  *app
	name string // of the rows, for messages
	settings
	reached *reached
	source  rowSource
	sink    stream.Sink
	scores  *scoring
	cfg     stream.Config
	report  *reporter
	locks   []func() // release what other runs are kept off
}

// slowFirst is how long the first rows may take before the wait is reported.
const slowFirst = 3 * time.Second

// there reports whether a file is there.
func there(path string) bool {
	_, err := os.Stat(path)
	return path != "" && err == nil
}

func (f *streamFlags) run(ctx context.Context, a *app, given *pflag.FlagSet, data string) error {
	s := &streaming{streamFlags: f, app: a, report: &reporter{app: a}}
	var err error
	if s.settings, err = f.check(a, given, data); err != nil {
		return err
	}
	defer s.close()
	if err := s.lockState(); err != nil {
		return err
	}
	if f.state != "" {
		s.cfg.From, err = stream.Load(f.state)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if s.cfg.From != nil {
			if err := goesOn(given, s.settings, s.cfg.From); err != nil {
				return err
			}
		}
	}
	if err := s.open(ctx, data); err != nil {
		return err
	}
	if err := s.begin(ctx); err != nil {
		return err
	}
	if err := s.findLinks(ctx); err != nil {
		return err
	}
	side, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	if err := s.serve(side); err != nil {
		return err
	}
	if err := s.openSink(ctx); err != nil { // last, for it empties a file
		return err
	}
	return s.work(ctx, side, end)
}

// open finds the rows.
func (s *streaming) open(ctx context.Context, data string) error {
	var err error
	if s.broker.on() {
		if s.reached, err = s.broker.reach(ctx, s.app); err != nil {
			return err
		}
	}
	var after stream.Position
	if s.cfg.From != nil {
		after = s.cfg.From.Source
	}
	if s.broker.rows != "" {
		s.name = s.broker.rows
		from, err := s.broker.source(ctx, s.reached, after)
		if err != nil {
			return err
		}
		s.source = from
		if s.cfg.From != nil {
			return from.Use(s.cfg.From.Layout)
		}
		return nil
	}
	if data == "" {
		data = "-"
	}
	path, where, err := s.app.place().Locate(data)
	if err != nil {
		return err
	}
	var from *lines.Source
	replayed := s.replayed
	s.name = path
	switch where {
	case input.InFolder, input.InParts, input.InTexts:
		return fault.Inputf("name a file in it, or give - for stdin",
			"is a folder, not rows").In(data)
	case input.InDatabase:
		return fault.Inputf("write its rows to a file, and give that",
			"is a database, and a stream reads files").In(data)
	case input.InStream:
		s.name = "stdin"
		from = lines.From(s.app.in, s.name)
	case input.InSample:
		found, _ := sample.Find(path)
		r, err := found.Open()
		if err != nil {
			return err
		}
		from, replayed = lines.From(r, found.Name), true // it is always whole
	default:
		if from, err = lines.Open(path); err != nil {
			return err
		}
		if s.state != "" {
			from.LeaveUnfinished()
		}
	}
	s.source = from
	if s.cfg.From == nil {
		return nil
	}
	return from.Resume(s.cfg.From.Layout, after, replayed)
}

// begin makes the learner, from the state or from the first rows.
func (s *streaming) begin(ctx context.Context) error {
	c := &s.cfg
	if from := c.From; from != nil {
		var err error
		c.Learner, err = from.Restore()
		c.Layout, c.ID = from.Layout, from.ID
		if err == nil {
			s.app.notef("%s: going on after row %d, by the state %s", s.name, from.Source.Rows,
				s.state)
		}
		return err
	}
	first, err := s.warm(ctx)
	if err != nil {
		return err
	}
	c.Layout = first.Layout
	if c.Learner, err = competitive.New(s.learner, first.X); err != nil {
		if in, ok := errors.AsType[*fault.Input](err); ok && in.File == "" {
			in.File = s.name
			if left := first.Of - first.X.Rows; left > 0 {
				in.Problem += fmt.Sprintf(
					" (%d of the first %d rows could not be read, or lack values)", left, first.Of)
			}
			if first.Of >= s.warmUp {
				in.Fix += ", or start from more rows (--warm-up)"
			}
		}
		return err
	}
	c.ID = stream.NewID()
	if s.broker.on() {
		c.ID = s.broker.runID(first, s.name,
			fmt.Sprint(s.learner, s.warmUp, s.badRows, s.links, s.hold, s.output),
			fmt.Sprint(s.layout()))
	}
	s.app.notef("%s: %s, %s with %s, scaling %s, by the first %s", s.name,
		words.Count(len(first.Layout.Encoding.Columns), "feature"),
		s.learner.Rule, words.Count(s.clusters, "prototype"), first.Layout.Encoding.Scale,
		words.Count(first.X.Rows, "row"))
	s.app.list("  ", first.Notes)
	return nil
}

// warm reads the first rows, and reports it if they take long.
func (s *streaming) warm(ctx context.Context) (*lines.First, error) {
	said := make(chan struct{})
	slow := time.AfterFunc(slowFirst, func() {
		defer close(said)
		s.app.notef("%s: labels begin once the first %s have come, or the rows end (--warm-up)",
			s.name, words.Count(s.warmUp, "row"))
	})
	defer func() {
		if !slow.Stop() { // so that later lines come after it
			<-said
		}
	}()
	first, err := s.source.WarmUp(ctx,
		lines.WarmUp{Rows: s.warmUp, Read: s.read, Prepare: s.prepare, Skip: s.badRows == "skip"})
	if errors.Is(err, context.Canceled) {
		s.app.notef("%s: the first %s had not come yet (--warm-up): nothing was labelled or saved",
			s.name, words.Count(s.warmUp, "row"))
	}
	return first, err
}

// layout returns what decides how rows are read and prepared.
func (s *streaming) layout() []string {
	r, p := s.read, s.prepare
	layout := append(append([]string{string(r.Format), r.ID, r.Label, fmt.Sprint(len(r.Features)),
		p.Scale.String(), p.Missing.String()}, r.Features...), r.Drop...)
	if len(r.Types) > 0 {
		layout = append(layout, fmt.Sprint(r.Types)) // which is sorted
	}
	return layout
}

// openSink finds where labels go.
func (s *streaming) openSink(ctx context.Context) error {
	var at stream.Position
	var known *stream.Position
	if s.cfg.From != nil {
		at = s.cfg.From.Sink
		known = &at
	}
	switch {
	case s.broker.labels != "":
		sink, err := s.broker.sink(ctx, s.reached, s.cfg.ID, s.output, at)
		if err != nil {
			return err
		}
		s.sink = sink
	case s.out != "":
		fresh := !there(s.out)
		if err := s.lockOut(); err != nil {
			return err
		}
		sink, err := lines.OpenFile(s.out, s.output, known)
		if err != nil {
			return err
		}
		s.sink = sink
		if err := s.app.share(); err != nil { // others follow it while it grows
			return err
		}
		if fresh {
			if err := s.lockOut(); err != nil {
				return err
			}
		}
	default:
		s.sink = lines.NewWriter(s.app.out, s.output, at)
	}
	if s.cfg.Layout.Label != "" {
		s.scores = &scoring{Sink: s.sink}
		s.sink = s.scores
	}
	return nil
}

// findLinks reads the file of links, or sees that it is followed.
func (s *streaming) findLinks(ctx context.Context) error {
	switch {
	case s.follow:
		if !there(s.links) {
			s.app.notef("%s is not there yet: its links count once it is", s.links)
		}
		s.cfg.Follow = &stream.Follower{Path: s.links}
	case s.links != "" && s.cfg.From == nil:
		var err error
		if s.cfg.Links, err = readLinks(ctx, s.links); err != nil {
			return err
		}
	case s.links != "":
		s.app.notef("the links in %s are in the state already", s.links)
	}
	return nil
}

// serve shows statistics to those who ask, until ctx is done.
func (s *streaming) serve(ctx context.Context) error {
	if s.metrics != "" || s.statsEvery > 0 { // counting takes time, so only where somebody looks
		s.cfg.Monitor = &stream.Monitor{}
	}
	if s.metrics == "" {
		return nil
	}
	address, err := metrics.Serve(ctx, s.metrics, s.cfg.Monitor)
	if err == nil {
		s.app.notef("statistics are at http://%s/metrics", address)
	}
	return err
}

// work runs the stream to its end and reports the result. side is the context of what goes on
// beside it, which end ends.
func (s *streaming) work(ctx, side context.Context, end func()) error {
	c := &s.cfg
	c.StatePath, c.Hold = s.state, s.hold
	if c.Stop = s.badRows == "stop"; !c.Stop {
		c.Report = s.report.take
	}
	if c.SaveEvery = s.saveEvery; c.SaveEvery == 0 {
		c.SaveEvery = -1
	}
	var saying sync.WaitGroup
	if s.statsEvery > 0 {
		saying.Go(func() { s.showProgress(side) })
	}
	began := time.Now()
	stats, err := stream.Run(ctx, s.source, s.sink, *c)
	end()
	saying.Wait()
	s.report.end()
	ended := err == nil || errors.Is(err, context.Canceled)
	if ended && s.model != "" {
		if failed := s.saveModel(); failed != nil && err == nil {
			err = failed
		}
	}
	s.summarize(stats, time.Since(began), err)
	return err
}

// readLinks reads a file of links, by the ids of rows.
func readLinks(ctx context.Context, path string) ([]stream.NamedLink, error) {
	var ids []string
	known := make(map[string]int)
	found, err := link.ReadFile(ctx, path, func(id string) (int, bool) {
		row, ok := known[id]
		if !ok && id != "" {
			row, ok = len(ids), true
			known[id] = row
			ids = append(ids, id)
		}
		return row, ok
	})
	if err != nil {
		return nil, err
	}
	said := make([]stream.NamedLink, len(found))
	for i, l := range found {
		said[i] = stream.NamedLink{A: ids[l.A], B: ids[l.B], Kind: l.Kind,
			Confidence: l.Plausibility}
	}
	return said, nil
}

// close closes what is open.
func (s *streaming) close() {
	for _, c := range []io.Closer{s.source, s.sink} {
		if c != nil {
			c.Close()
		}
	}
	if s.reached != nil {
		s.reached.close()
	}
	for _, release := range s.locks {
		release()
	}
}

// lockState keeps other runs off the state until the end of this one.
func (s *streaming) lockState() error {
	if s.state == "" {
		return nil
	}
	release, err := filelock.Beside(s.state)
	if err != nil {
		return held(s.state, err)
	}
	s.locks = append(s.locks, release)
	return nil
}

// lockOut keeps other runs off the file of labels, where it is there and a file.
func (s *streaming) lockOut() error {
	if info, err := os.Stat(s.out); s.out == "" || err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.OpenFile(s.out, os.O_RDWR, 0)
	if err != nil {
		return fault.Writing(s.out, err)
	}
	if err := filelock.Lock(f); err != nil {
		f.Close()
		return held(s.out, err)
	}
	s.locks = append(s.locks, func() { f.Close() })
	return nil
}

// held returns err with what to do about it if another run has the file.
func held(path string, err error) error {
	if errors.Is(err, filelock.ErrTaken) {
		return fmt.Errorf("%s: another kindred stream writes to it: wait until that has ended, "+
			"or name another file", path)
	}
	return fault.Writing(path, err)
}
