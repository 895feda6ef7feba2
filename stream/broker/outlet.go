package broker

import (
	"context"
	"errors"
	"maps"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/kindred-go/kindred/fault"
)

// What an outlet holds at most: messages that are not confirmed, and their bytes.
const (
	mostInFlight = 256
	mostBytes    = 16 << 20
)

// outlet publishes messages in order, each once. A goroutine of its own sends them and waits until
// they are confirmed.
type outlet struct {
	c       *Client
	subject string
	limits  Limits
	fenced  bool        // nobody else may publish to the subject
	by      string      // header that names the publisher of a message
	who     string      // and its value
	header  nats.Header // of all messages
	// what the broker is known to have of who, and then what it had when the outlet was made
	held mark

	waiting atomic.Int64 // messages put and not confirmed
	twice   atomic.Int64 // lines in messages that the broker had already
	in      chan *outgoing
	free    chan []byte
	settled chan chan struct{}
	failed  chan struct{} // closed when err is set
	err     error
	cancel  context.CancelFunc
	done    chan struct{}
	largest int // bytes of a message that the broker takes
}

// outgoing is one message.
type outgoing struct {
	mark
	lines int // of a feed
	data  []byte
	plain bool // the broker took it for one that it had, wrongly: it goes without an id
	ack   jetstream.PubAckFuture
}

// start asks the broker for the last message that it has of who, and begins to publish.
func (o *outlet) start(ctx context.Context, name string) error {
	o.in, o.free, o.settled = make(chan *outgoing), make(chan []byte, mostInFlight),
		make(chan chan struct{})
	o.failed, o.done = make(chan struct{}), make(chan struct{})
	p := &publisher{outlet: o, line: o.c.line(name), last: o.held,
		window: make([]*outgoing, 0, mostInFlight)}
	if err := p.sync(ctx); err != nil {
		p.line.close()
		return err
	}
	o.held, o.largest = p.last, p.mostData()
	ctx, o.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer close(o.done)
		defer p.line.close()
		if err := p.work(ctx); err != nil {
			o.err = err
			close(o.failed)
		}
	}()
	return nil
}

// mostData is how many bytes a message may hold beside its headers.
func (p *publisher) mostData() int {
	most := int(p.line.nc.MaxPayload())
	if limit := int(p.rec.info.Config.MaxMsgSize); limit > 0 {
		most = min(most, limit)
	}
	for key, values := range p.header {
		most -= len(key) + len(values[0])
	}
	return most - 2048 // for the rest of them
}

// buffer returns memory for a message.
func (o *outlet) buffer() []byte {
	select {
	case b := <-o.free:
		return b
	default:
		return nil
	}
}

// recycle keeps memory for the next message.
func (o *outlet) recycle(data []byte) {
	select {
	case o.free <- data[:0]:
	default:
	}
}

// put hands a message over, and waits while too many are not confirmed.
func (o *outlet) put(ctx context.Context, p *outgoing) error {
	o.waiting.Add(1)
	select {
	case o.in <- p:
		return nil
	case <-o.failed:
		return o.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// fault returns the error that ended the publishing.
func (o *outlet) fault() error {
	select {
	case <-o.failed:
		return o.err
	default:
		return nil
	}
}

// settle waits until all that was put is confirmed.
func (o *outlet) settle(ctx context.Context) error {
	if o.waiting.Load() == 0 {
		return nil
	}
	settled := make(chan struct{})
	ask := o.settled
	for {
		select {
		case ask <- settled:
			ask = nil
		case <-settled:
			return nil
		case <-o.failed:
			return o.err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// close lets go of the broker. Where that takes nothing of what is being sent, it is left to
// itself.
func (o *outlet) close() {
	o.cancel()
	select {
	case <-o.done:
	case <-time.After(closeWait):
	}
}

// message makes what is sent of an outgoing message.
func (o *outlet) message(p *outgoing) *nats.Msg {
	h := maps.Clone(o.header)
	h[o.by], h[RowHeader] = []string{o.who}, []string{strconv.FormatInt(p.row, 10)}
	if p.sum > 0 {
		h[SumHeader] = []string{strconv.FormatUint(p.sum, 16)}
	}
	if p.sequence > 0 {
		h[SequenceHeader] = []string{strconv.FormatUint(p.sequence, 10)}
	}
	if !p.plain {
		h[jetstream.MsgIDHeader] = []string{o.id(p)}
	}
	return &nats.Msg{Subject: o.subject, Data: p.data, Header: h}
}

// id returns what the broker knows a message by.
func (o *outlet) id(p *outgoing) string {
	row := strconv.FormatInt(p.row, 10)
	if p.sequence > 0 {
		return o.who + "-" + strconv.FormatUint(p.sequence, 10) + "-" + row
	}
	return o.who + "-" + row
}

// mark returns the position in the headers of a message of ours.
func (o *outlet) mark(h nats.Header) (m mark, ours bool, err error) {
	if h.Get(o.by) != o.who {
		return mark{}, false, nil
	}
	if text := h.Get(SequenceHeader); text != "" {
		m.sequence, err = strconv.ParseUint(text, 10, 64)
	}
	if text := h.Get(SumHeader); text != "" && err == nil {
		m.sum, err = strconv.ParseUint(text, 16, 64)
	}
	var wrong error
	m.row, wrong = strconv.ParseInt(h.Get(RowHeader), 10, 64)
	if err := errors.Join(err, wrong); err != nil {
		return mark{}, false,
			fault.Inputf("publish to a subject of its own",
				"a message of %s claims to be of this run and is not", o.subject).Because(err)
	}
	return m, true, nil
}
