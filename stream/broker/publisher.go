package broker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/kindred-go/kindred/fault"
)

// publisher sends the messages of an outlet, in order. Where the connection breaks, or the broker
// refuses one, it asks for the last message that the broker has and sends what comes behind it.
//
// Order holds since a connection is used until it breaks, and never by the library for what it
// could not send before; and where the stream holds nothing else, since each message states which
// sequence number it comes behind, and which message of ours where that was not confirmed yet, so
// that none can follow on one that was refused, or on another writer's. Where others' messages may
// come in between, and where several servers keep the stream, one message at a time is sent
// instead.
type publisher struct {
	*outlet
	line *line
	rec  record
	last mark // what the broker has
	// sequence number, in the stream or of the subject, that the next message comes behind
	behind uint64
	synced bool
	// what the broker has of ours is known, as it has answered on one connection since it was
	// looked at
	sure    bool
	wrong   error // why the last message was not taken: it did not come behind the last; nil: it was
	foreign int   // times that somebody else's message was in the way, in a row
	adrift  int   // times that none was, in a row
	// where the last message is somebody else's: how far the log was looked through for ours
	looked uint64
	found  mark        // the last of ours up to there
	window []*outgoing // not confirmed, in order
	sent   int         // of the window
	bytes  int         // in the window
}

// sync asks for the last message of the broker and lets go of those it has.
func (p *publisher) sync(ctx context.Context) error {
	var others uint64 // sequence number of the last message, where it is somebody else's
	var theirs bool
	before := p.behind
	err := p.line.do(ctx, func(ctx context.Context) (err error) {
		others, theirs = 0, false
		if p.rec, err = p.c.record(ctx, p.line, p.subject, p.limits); err != nil {
			return err
		}
		m, err := p.rec.stream.GetLastMsgForSubject(ctx, p.subject)
		end := p.rec.info.State.LastSeq
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			if p.behind = 0; p.rec.sole {
				p.behind = end
			}
			p.compare(mark{}, end > 0)
			return nil
		}
		if err != nil {
			return err
		}
		if p.behind = m.Sequence; p.rec.sole {
			p.behind = max(m.Sequence, end)
		}
		last, ours, err := p.mark(m.Header)
		theirs = !ours
		switch {
		case err != nil:
			return err
		case ours:
			p.compare(last, false)
		case !p.sure && p.rec.info.Config.Retention != jetstream.WorkQueuePolicy:
			// which nobody may look through
			others = m.Sequence
		}
		return nil
	})
	if err != nil {
		return err
	}
	if wrong := p.wrong; wrong != nil {
		p.wrong = nil
		switch {
		case p.behind <= before: // servers that keep the stream together are still agreeing
			if p.adrift++; p.adrift >= mostAdrift {
				return fmt.Errorf("the broker keeps no more messages of %s: %w", p.subject, wrong)
			}
			if err := p.line.pause(ctx, firstWait); err != nil {
				return err
			}
		case theirs:
			if p.foreign++; p.foreign >= mostForeign {
				return fault.Inputf("give each run a subject of its own for its labels",
					"somebody else publishes to %s as well", p.subject)
			}
		}
	}
	if others > 0 {
		for p.looked < others {
			if err := p.line.do(ctx,
				func(ctx context.Context) error { return p.look(ctx, others) }); err != nil {
				return err
			}
		}
		p.compare(p.found, p.rec.info.State.FirstSeq > 1)
	}
	for len(p.window) > 0 && !p.last.before(p.window[0].mark) {
		p.pop()
	}
	for _, w := range p.window {
		w.ack = nil
	}
	p.sent, p.synced, p.sure = 0, true, true
	return nil
}

// lookedAt is how many messages are asked for at a time to find the last of ours.
const lookedAt = 1000

// look goes on looking for the last message of ours, up to a sequence number, some messages at a
// time.
func (p *publisher) look(ctx context.Context, end uint64) error {
	consumer, err := p.rec.stream.CreateConsumer(ctx, jetstream.ConsumerConfig{
		AckPolicy: jetstream.AckNonePolicy, DeliverPolicy: jetstream.DeliverByStartSequencePolicy,
		OptStartSeq:   p.looked + 1,
		FilterSubject: p.subject, HeadersOnly: true, MemoryStorage: true, Replicas: 1,
		InactiveThreshold: answerWait,
	})
	if err != nil {
		return err
	}
	for range 100 {
		if p.looked >= end {
			return nil
		}
		batch, err := consumer.Fetch(lookedAt, jetstream.FetchContext(ctx))
		if err != nil {
			return err
		}
		for m := range batch.Messages() {
			meta, err := m.Metadata()
			if err != nil {
				return err
			}
			if mark, ours, err := p.mark(m.Headers()); err != nil {
				return err
			} else if ours {
				p.found = mark
			}
			p.looked = meta.Sequence.Stream
			if meta.NumPending == 0 {
				p.looked = max(p.looked, end)
			}
			if p.looked >= end {
				return nil
			}
		}
		if err := batch.Error(); err != nil {
			return err
		}
	}
	return nil
}

// compare takes what the broker has. Where it has less than it confirmed it lost something, unless
// it has let go of old messages.
func (p *publisher) compare(has mark, drained bool) {
	if p.fenced && !drained && has.before(p.last) {
		p.c.cfg.Say(fmt.Sprintf(
			"the broker lost messages of %s that it had confirmed: those behind %s, up to %s",
			p.subject, has, p.last))
	}
	if p.last.before(has) {
		p.last = has
	}
}

// pop lets go of the first message, which the broker has.
func (p *publisher) pop() {
	p.waiting.Add(-1)
	p.bytes -= len(p.window[0].data)
	p.recycle(p.window[0].data)
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
	var first *outgoing // that was the first at the last tick
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
		var in chan *outgoing
		if len(p.window) < mostInFlight && p.bytes < mostBytes {
			in = p.in
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
		case c := <-p.settled:
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

// ended returns nil where the end was asked for.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// several reports whether messages are sent before those in front are confirmed. A stream that
// several servers keep stops for good where a message does not come behind the one that it
// names.
func (p *publisher) several() bool {
	return p.fenced && p.rec.sole && p.rec.info.Config.Replicas <= 1
}

// send hands what may be sent to the connection.
func (p *publisher) send(ctx context.Context) error {
	several := p.several()
	for p.synced && p.sent < len(p.window) && (several || p.sent == 0) {
		w := p.window[p.sent]
		opts := []jetstream.PublishOpt{jetstream.WithRetryAttempts(0)}
		if p.fenced && p.rec.sole {
			opts = append(opts, jetstream.WithExpectLastSequence(p.behind+uint64(p.sent)))
			// else one message of somebody else's, in the place of that in front, would let it in
			if p.sent > 0 {
				before := p.window[p.sent-1]
				if before.plain {
					return nil
				}
				opts = append(opts, jetstream.WithExpectLastMsgID(p.id(before)))
			}
		} else if p.fenced {
			opts = append(opts, jetstream.WithExpectLastSequencePerSubject(p.behind))
		}
		ack, err := p.line.js.PublishMsgAsync(p.message(w), opts...)
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
		p.twice.Add(int64(p.window[0].lines))
		if p.fenced {
			return errDuplicate
		}
	}
	p.last, p.behind, p.foreign = p.window[0].mark, ack.Sequence, 0
	p.adrift = 0
	p.pop()
	p.line.fine()
	return nil
}

// errDuplicate reports that the broker takes a message for one that it has had.
var errDuplicate = errors.New("broker: the message came twice")

// wrongLastMessageID is the server's code for a message that does not come behind the one it names,
// which the client has no name for.
const wrongLastMessageID = 10070

// mostForeign is how many times in a row somebody else's message may be in the way.
const mostForeign = 5

// mostAdrift is how many times in a row a broker may refuse a message that comes behind its last.
const mostAdrift = 100

// refused makes ready to send again what was not confirmed, where that may help.
func (p *publisher) refused(ctx context.Context, err error) error {
	p.synced = false
	var api *jetstream.APIError
	wrong := errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant ||
		api.ErrorCode == wrongLastMessageID)
	p.sure = p.sure && wrong
	switch {
	case errors.Is(err, errDuplicate):
		// It is remembered and no longer there: the log was emptied, or this is an answer to what
		// was sent over a connection that broke since. The log shows it; what is not there
		// goes without its id.
		p.window[0].plain = true
		return nil
	case wrong:
		p.wrong = err
		return nil
	}
	return p.line.failed(ctx, err)
}
