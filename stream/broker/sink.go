package broker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/kindred-go/kindred/competitive"
	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/stream"
	"github.com/kindred-go/kindred/stream/lines"
)

// SinkConfig says where a [Sink] publishes.
type SinkConfig struct {
	Subject string
	Run     string          // id of the run; see [RunID]. Needed
	After   stream.Position // where the sink stood when the state was saved; the zero value: the run begins
	Format  dataset.Format  // dataset.FormatCSV, also where it is "", or dataset.FormatJSONL
	Limits  Limits          // of the stream, where there is none yet
}

// What a sink holds at most: messages that are not confirmed, their bytes, and bytes of one message. A block with more labels than fit becomes
// several messages.
const (
	mostInFlight = 256
	mostBytes    = 16 << 20
	mostLabels   = 512 << 10
)

// labelColumns are those of labels in CSV.
const labelColumns = "id,cluster,distance,runner_up,margin"

// mark is a place among labels: the last row of a message, and the message of rows it came with.
type mark struct {
	sequence uint64 // 0: rows come from no broker, and row alone counts
	row      int64
}

// before tells whether m is before other.
func (m mark) before(other mark) bool {
	return m.sequence < other.sequence || m.sequence == other.sequence && m.row < other.row
}

// Sink publishes the labels of each block as a message. A goroutine of its own sends them and waits until they are confirmed.
type Sink struct {
	c    *Client
	cfg  SinkConfig
	most int  // bytes of a message
	held mark // the last labels that the broker had when the sink was made
	put  mark // the last labels put

	waiting atomic.Int64 // messages put and not confirmed
	in      chan *parcel
	free    chan []byte
	settle  chan chan struct{}
	failed  chan struct{} // closed when err is set
	err     error
	cancel  context.CancelFunc
	done    chan struct{}
}

// parcel is one message of labels.
type parcel struct {
	mark
	data  []byte
	plain bool // the broker took it for one that it had, wrongly: it goes without an id
	ack   jetstream.PubAckFuture
}

// Sink begins to publish to a subject. It waits for the broker, and asks for the last labels that it has.
func (c *Client) Sink(ctx context.Context, cfg SinkConfig) (*Sink, error) {
	if err := CheckSubject(cfg.Subject); err != nil {
		return nil, err
	}
	if cfg.Run == "" || strings.ContainsFunc(cfg.Run, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, &fault.Input{Problem: "the run has no id for its labels", Mend: "begin a new state"}
	}
	cfg.Format = or(cfg.Format, dataset.FormatCSV)
	s := &Sink{
		c: c, cfg: cfg, in: make(chan *parcel), free: make(chan []byte, mostInFlight), settle: make(chan chan struct{}),
		failed: make(chan struct{}), done: make(chan struct{}),
	}
	p := publisher{sink: s, line: c.line("kindred labels"), window: make([]*parcel, 0, mostInFlight)}
	if err := p.sync(ctx); err != nil {
		p.line.close()
		return nil, err
	}
	s.held, s.put = p.last, p.last
	s.most = min(mostLabels, int(p.line.nc.MaxPayload())-2048)
	if saved := (mark{cfg.After.Sequence, cfg.After.Rows}); p.last.before(saved) && !p.expired {
		c.cfg.Say(fmt.Sprintf("the broker lost labels that it had confirmed: those behind %s, up to %s", p.last, saved))
	}
	ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer close(s.done)
		defer p.line.close()
		if err := p.work(ctx); err != nil {
			s.err = err
			close(s.failed)
		}
	}()
	return s, nil
}

// String names a place.
func (m mark) String() string {
	if m.sequence > 0 {
		return fmt.Sprintf("row %d of message %d", m.row, m.sequence)
	}
	return fmt.Sprintf("row %d", m.row)
}

// RunID gives the id of a run that begins: the same for the same settings, so that labels which a killed run published before it saved
// a state are known again.
func RunID(settings ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(settings, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// Put hands over the labels of a block, and waits while too many are not confirmed. Labels that the broker has are passed over.
func (s *Sink) Put(ctx context.Context, b *stream.Block, labels []competitive.Label) error {
	n := b.Len()
	if n == 0 {
		return s.fault()
	}
	for i := range labels {
		if d := labels[i].Distance + labels[i].Margin; math.IsNaN(d) || math.IsInf(d, 0) {
			return fmt.Errorf("row %d is infinitely far from its prototype: scale the features", b.Numbers[i])
		}
	}
	end := mark{b.After.Sequence, b.Numbers[n-1]}
	s.put = end
	if !s.held.before(end) {
		return s.fault()
	}
	from := 0
	if end.sequence == 0 { // blocks of a file are not the same each time; rows are
		for b.Numbers[from] <= s.held.row {
			from++
		}
	}
	return s.rows(ctx, b, labels, from, n)
}

// rows hands over the labels of rows from to to, as two messages or more where they are too long for one. How they are parted depends on
// the block alone.
func (s *Sink) rows(ctx context.Context, b *stream.Block, labels []competitive.Label, from, to int) error {
	p := &parcel{mark: mark{b.After.Sequence, b.Numbers[to-1]}}
	if !s.held.before(p.mark) {
		return nil
	}
	select {
	case p.data = <-s.free:
	default:
	}
	p.data = lines.AppendLabels(p.data, s.cfg.Format, part(b, from, to), labels[from:to])
	if len(p.data) > s.most && to-from > 1 {
		s.recycle(p.data)
		middle := (from + to) / 2
		if err := s.rows(ctx, b, labels, from, middle); err != nil {
			return err
		}
		return s.rows(ctx, b, labels, middle, to)
	}
	s.waiting.Add(1)
	select {
	case s.in <- p:
		return nil
	case <-s.failed:
		return s.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// part gives rows from to to of a block, as far as their ids go.
func part(b *stream.Block, from, to int) *stream.Block {
	if from == 0 && to == b.Len() {
		return b
	}
	rows := &stream.Block{Numbers: b.Numbers[from:to]}
	if len(b.IDEnd) > 0 {
		begin := int32(0)
		if from > 0 {
			begin = b.IDEnd[from-1]
		}
		rows.IDText = b.IDText[begin:b.IDEnd[to-1]]
		for _, end := range b.IDEnd[from:to] {
			rows.IDEnd = append(rows.IDEnd, end-begin)
		}
	}
	return rows
}

// recycle keeps memory for the next message.
func (s *Sink) recycle(data []byte) {
	select {
	case s.free <- data[:0]:
	default:
	}
}

// fault gives the error that ended the publishing.
func (s *Sink) fault() error {
	select {
	case <-s.failed:
		return s.err
	default:
		return nil
	}
}

// Flush has nothing to do: what was put is on its way.
func (s *Sink) Flush(context.Context) error { return s.fault() }

// Settle waits until the broker has confirmed all that was put.
func (s *Sink) Settle(ctx context.Context) (stream.Position, error) {
	if s.waiting.Load() == 0 {
		return stream.Position{Sequence: s.put.sequence, Rows: s.put.row}, nil
	}
	settled := make(chan struct{})
	ask := s.settle
	for {
		select {
		case ask <- settled:
			ask = nil
		case <-settled:
			return stream.Position{Sequence: s.put.sequence, Rows: s.put.row}, nil
		case <-s.failed:
			return stream.Position{}, s.err
		case <-ctx.Done():
			return stream.Position{}, ctx.Err()
		}
	}
}

// Close lets go of the broker. What was not settled may be lost.
func (s *Sink) Close() error {
	s.cancel()
	<-s.done
	return nil
}

// header says what is in a message.
func (s *Sink) header(p *parcel) nats.Header {
	sequence, row := strconv.FormatUint(p.sequence, 10), strconv.FormatInt(p.row, 10)
	h := nats.Header{
		"Content-Type": {ContentType(s.cfg.Format)}, RunHeader: {s.cfg.Run}, SequenceHeader: {sequence}, RowHeader: {row},
	}
	if s.cfg.Format == dataset.FormatCSV {
		h[ColumnsHeader] = []string{labelColumns}
	}
	if !p.plain {
		h[jetstream.MsgIDHeader] = []string{s.cfg.Run + "-" + sequence + "-" + row}
	}
	return h
}
