package broker

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/kindred-go/kindred/fault"
)

// publisher sends the messages of a sink, in order. Where the connection breaks, or the broker refuses one, it asks for the last labels
// that the broker has and sends what comes behind them.
//
// Order holds since a connection is used until it breaks, and never by the library for what it could not send before; and where
// the stream holds nothing else, since each message says which sequence number it comes behind, so that none can follow on one that was
// refused, or on another writer's. In a stream with other subjects one message at a time is sent instead.
type publisher struct {
	sink    *Sink
	line    *line
	rec     record
	last    mark   // of the last labels that the broker has of this run
	expired bool   // the stream had messages, and has none
	behind  uint64 // sequence number, in the stream or of the subject, that the next message comes behind
	synced  bool
	foreign int       // times that somebody else's message was in the way, in a row
	window  []*parcel // not confirmed, in order
	sent    int       // of the window
	bytes   int       // in the window
}

// sync asks for the last labels of the broker and lets go of those it has.
func (p *publisher) sync(ctx context.Context) error {
	s := p.sink
	err := p.line.do(ctx, func(ctx context.Context) (err error) {
		if p.rec, err = s.c.record(ctx, p.line, s.cfg.Subject, s.cfg.Limits); err != nil {
			return err
		}
		m, err := p.rec.stream.GetLastMsgForSubject(ctx, s.cfg.Subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			p.behind, p.expired = 0, p.rec.info.State.LastSeq > 0
			if p.rec.sole {
				p.behind = p.rec.info.State.LastSeq
			}
			return nil
		}
		if err != nil {
			return err
		}
		p.behind, p.expired = m.Sequence, false
		if m.Header.Get(RunHeader) != s.cfg.Run {
			return nil
		}
		var last mark
		var wrong error
		last.sequence, err = strconv.ParseUint(m.Header.Get(SequenceHeader), 10, 64)
		last.row, wrong = strconv.ParseInt(m.Header.Get(RowHeader), 10, 64)
		if err != nil || wrong != nil {
			return &fault.Input{Problem: fmt.Sprintf("the last message of %s is no message of labels of ours, though it says so", s.cfg.Subject),
				Mend: "publish labels to a subject of their own"}
		}
		p.last = last
		return nil
	})
	if err != nil {
		return err
	}
	for len(p.window) > 0 && !p.last.before(p.window[0].mark) {
		p.pop()
	}
	for _, w := range p.window {
		w.ack = nil
	}
	p.sent, p.synced = 0, true
	return nil
}

// pop lets go of the first message, which the broker has.
func (p *publisher) pop() {
	p.sink.waiting.Add(-1)
	p.bytes -= len(p.window[0].data)
	p.sink.recycle(p.window[0].data)
	copy(p.window, p.window[1:])
	p.window[len(p.window)-1] = nil
	p.window = p.window[:len(p.window)-1]
	p.sent = max(0, p.sent-1)
}

// work sends until ctx is done.
func (p *publisher) work(ctx context.Context) error {
	var settling []chan struct{}
	tick := time.NewTicker(answerWait)
	defer tick.Stop()
	var first *parcel // that was the first at the last tick
	for {
		if len(p.window) == 0 {
			for _, c := range settling {
				close(c)
			}
			settling = nil
		}
		if !p.synced {
			if err := p.sync(ctx); err != nil {
				return ended(ctx, err)
			}
			continue
		}
		if err := p.send(ctx); err != nil {
			return ended(ctx, err)
		}
		var in chan *parcel
		if len(p.window) < mostInFlight && p.bytes < mostBytes {
			in = p.sink.in
		}
		var ok <-chan *jetstream.PubAck
		var bad <-chan error
		if p.sent > 0 {
			ok, bad = p.window[0].ack.Ok(), p.window[0].ack.Err()
		}
		var broken error
		select {
		case w := <-in:
			p.window = append(p.window, w)
			p.bytes += len(w.data)
		case c := <-p.sink.settle:
			settling = append(settling, c)
		case ack := <-ok:
			broken = p.confirmed(ack)
		case broken = <-bad:
		case <-p.line.gone:
			broken = nats.ErrConnectionClosed
		case <-tick.C:
			if p.sent > 0 && p.window[0] == first {
				broken = nats.ErrTimeout
			}
			first = nil
			if p.sent > 0 {
				first = p.window[0]
			}
		case <-ctx.Done():
			return nil
		}
		if broken != nil {
			if err := p.refused(ctx, broken); err != nil {
				return ended(ctx, err)
			}
		}
	}
}

// ended gives nil where the end was asked for.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// send hands what may be sent to the connection.
func (p *publisher) send(ctx context.Context) error {
	for p.synced && p.sent < len(p.window) && (p.rec.sole || p.sent == 0) {
		w := p.window[p.sent]
		m := &nats.Msg{Subject: p.sink.cfg.Subject, Data: w.data, Header: p.sink.header(w)}
		opts := []jetstream.PublishOpt{jetstream.WithRetryAttempts(0)}
		if p.rec.sole {
			opts = append(opts, jetstream.WithExpectLastSequence(p.behind+uint64(p.sent)))
		} else {
			opts = append(opts, jetstream.WithExpectLastSequencePerSubject(p.behind))
		}
		ack, err := p.line.js.PublishMsgAsync(m, opts...)
		if err != nil {
			return p.refused(ctx, err)
		}
		w.ack = ack
		p.sent++
	}
	return nil
}

// confirmed takes the answer to the first message of the window.
func (p *publisher) confirmed(ack *jetstream.PubAck) error {
	if ack.Duplicate {
		return errDuplicate
	}
	p.last, p.behind, p.foreign = p.window[0].mark, ack.Sequence, 0
	p.pop()
	p.line.fine()
	return nil
}

// errDuplicate says that the broker takes a message for one that it has had.
var errDuplicate = errors.New("broker: the message came twice")

// mostForeign is how many times in a row somebody else's message may be in the way.
const mostForeign = 5

// refused makes ready to send again what was not confirmed, where that may help.
func (p *publisher) refused(ctx context.Context, err error) error {
	p.synced = false
	var api *jetstream.APIError
	wrong := errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
	switch {
	case errors.Is(err, errDuplicate):
		// It is remembered and no longer there: the log was emptied, or this is an answer to what was sent over a connection that
		// broke since. Looking at the log tells; what is not there goes without its id.
		p.window[0].plain = true
		return nil
	case wrong:
		if p.foreign++; p.foreign < mostForeign {
			return nil
		}
		return &fault.Input{Problem: fmt.Sprintf("somebody else publishes to %s as well", p.sink.cfg.Subject), Mend: "give each run a subject of its own for its labels"}
	}
	return p.line.failed(ctx, err)
}
