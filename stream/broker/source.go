package broker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/stream"
)

// How much is asked for ahead at most; never less than two messages of the broker's greatest size.
const (
	aheadMessages = 256
	aheadBytes    = 8 << 20
)

// SourceConfig is what a [Source] reads.
type SourceConfig struct {
	Subject string
	// of CSV and matrices whose messages do not name theirs; nil: as the layout has them
	Columns   []string
	After     stream.Position // go on behind this; the zero value: the first message there is
	StopAtEnd bool            // end where there are no more messages, instead of waiting for them
	Limits    Limits          // of the stream, where there is none yet
}

// Source reads blocks of rows from the messages of a subject, a message per block. Use [Source.Use]
// before the first Fill.
type Source struct {
	c       *Client
	cfg     SourceConfig
	line    *line
	at      stream.Position
	payload payload

	rec       record
	consumer  jetstream.Consumer
	messages  jetstream.MessagesContext // nil: not attached
	delivered uint64                    // messages that the consumer delivered
	ended     bool                      // nothing was behind the last message
	lost      *fault.Input              // messages that were dropped, not yet reported
	first     []message                 // read for the layout, and still to be taken

	stopped context.Context
	stop    context.CancelFunc
}

// message is what is left of a message once it has been read.
type message struct {
	sequence  uint64
	kind      string // Content-Type
	columns   string // Kindred-Columns
	separator string // Kindred-Separator
	data      []byte
	lost      *fault.Input // messages in front of it that were dropped
}

// Source begins to read a subject. It waits for the broker, not for messages.
func (c *Client) Source(ctx context.Context, cfg SourceConfig) (*Source, error) {
	if err := CheckSubject(cfg.Subject); err != nil {
		return nil, err
	}
	s := &Source{c: c, cfg: cfg, line: c.line("kindred rows"),
		at: stream.Position{Rows: cfg.After.Rows, Sequence: cfg.After.Sequence}}
	s.stopped, s.stop = context.WithCancel(context.Background())
	if err := s.attach(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// attach makes a consumer that begins behind the last message read.
func (s *Source) attach(ctx context.Context) error {
	last := s.last()
	return s.line.do(ctx, func(ctx context.Context) (err error) {
		if s.rec, err = s.c.record(ctx, s.line, s.cfg.Subject, s.cfg.Limits); err != nil {
			return err
		}
		state := &s.rec.info.State
		if state.LastSeq < last {
			return fault.Inputf(
				"begin anew, without the state, or name the broker that the state is of",
				"the broker's log of %s ends at message %d, and message %d has been read: it is "+
					"another log, or it lost its end", s.cfg.Subject, state.LastSeq, last)
		}
		if !s.rec.sole && state.FirstSeq > last+1 && last > 0 {
			s.lost = s.dropped(last+1, state.FirstSeq-1)
		}
		cfg := jetstream.ConsumerConfig{
			AckPolicy:     jetstream.AckNonePolicy,
			DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: last + 1,
			MemoryStorage: true, Replicas: 1, InactiveThreshold: 5 * time.Minute,
		}
		if !s.rec.sole {
			cfg.FilterSubject = s.cfg.Subject
		}
		if s.consumer, err = s.rec.stream.CreateConsumer(ctx, cfg); err != nil {
			return err
		}
		bytes := max(aheadBytes, 2*int(s.line.nc.MaxPayload()))
		s.messages, err = s.consumer.Messages(jetstream.PullMaxMessagesWithBytesLimit(aheadMessages,
			bytes),
			jetstream.PullHeartbeat(answerWait), jetstream.WithMessagesErrOnMissingHeartbeat(true))
		s.delivered, s.ended = 0, s.consumer.CachedInfo().NumPending == 0
		return err
	})
}

// last returns the sequence number of the last message read.
func (s *Source) last() uint64 {
	if n := len(s.first); n > 0 {
		return s.first[n-1].sequence
	}
	return s.at.Sequence
}

// dropped reports that messages are gone.
func (s *Source) dropped(from, to uint64) *fault.Input {
	what := fmt.Sprintf("messages %d to %d were", from, to)
	if from == to {
		what = fmt.Sprintf("message %d was", from)
	}
	return fault.Inputf("let the broker keep them for longer (--keep, --keep-bytes)",
		"%s dropped by the broker before they were read", what).In(s.cfg.Subject)
}

// next waits for the next message, through any number of broken connections. At the end it returns
// io.EOF.
func (s *Source) next(ctx context.Context) (message, error) {
	for {
		if s.messages == nil {
			if err := s.attach(ctx); err != nil {
				return message{}, err
			}
		}
		if s.ended && s.cfg.StopAtEnd {
			return message{}, io.EOF
		}
		m, err := s.messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			if ctx.Err() != nil {
				return message{}, ctx.Err()
			}
			s.detach()
			if s.line.nc.IsConnected() &&
				(errors.Is(err, jetstream.ErrConsumerDeleted) ||
					errors.Is(err, jetstream.ErrNoHeartbeat)) {
				// the consumer is gone, for want of use; attaching finds out whether the broker is
				// there
				continue
			}
			if err := s.line.failed(ctx, err); err != nil {
				return message{}, err
			}
			continue
		}
		meta, err := m.Metadata()
		if err != nil {
			return message{}, err
		}
		if s.delivered++; meta.Sequence.Consumer != s.delivered {
			s.detach() // a message was lost on the way
			continue
		}
		s.line.fine()
		got := message{sequence: meta.Sequence.Stream, data: m.Data(), lost: s.lost}
		if h := m.Headers(); len(h) > 0 {
			got.kind, got.columns, got.separator = h.Get("Content-Type"), h.Get(ColumnsHeader),
				h.Get(SeparatorHeader)
		}
		if last := s.last(); s.rec.sole && got.sequence > last+1 {
			got.lost = s.dropped(last+1, got.sequence-1)
		}
		s.lost, s.ended = nil, meta.NumPending == 0
		return got, nil
	}
}

// detach lets go of the consumer, which ends by itself.
func (s *Source) detach() {
	if s.messages != nil {
		s.messages.Stop()
		s.messages = nil
	}
}

// Fill takes the next message.
func (s *Source) Fill(ctx context.Context, b *stream.Block) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.stopped, cancel)()
	var m message
	var err error
	if len(s.first) > 0 {
		m = s.first[0]
	} else if m, err = s.next(ctx); err != nil {
		b.After = s.at
		if s.stopped.Err() != nil {
			return io.EOF
		}
		return err
	}
	if s.stopped.Err() != nil { // it can be read again
		b.After = s.at
		return io.EOF
	}
	if len(s.first) > 0 {
		s.first = s.first[1:]
	}
	if m.lost != nil {
		b.Bad(m.lost)
	}
	s.at.Rows = s.payload.decode(s.cfg, &m, s.at.Rows, b)
	s.at.Sequence = m.sequence
	b.After = s.at
	return nil
}

// Stop ends the reading.
func (s *Source) Stop() { s.stop() }

// Close lets go of the broker.
func (s *Source) Close() error {
	s.stop()
	s.detach()
	if nc := s.line.nc; nc != nil && nc.IsConnected() && s.consumer != nil {
		ctx, cancel := context.WithTimeout(context.Background(), closeWait)
		defer cancel()
		// else it ends by itself after five minutes
		s.rec.stream.DeleteConsumer(ctx, s.consumer.CachedInfo().Name)
	}
	s.line.close()
	return nil
}
