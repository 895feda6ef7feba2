package broker

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/stream"
	"github.com/kindred-go/kindred/stream/lines"
)

// SinkConfig is where a [Sink] publishes.
type SinkConfig struct {
	Subject string
	Run     string // id of the run; see [RunID]. Needed
	// where the sink stood when the state was saved; the zero value: the run begins
	After  stream.Position
	Format dataset.Format // dataset.FormatCSV, also where it is "", or dataset.FormatJSONL
	Limits Limits         // of the stream, where there is none yet
}

// mostLabels is the bytes of one message of labels at most. A block with more labels than fit
// becomes several messages.
const mostLabels = 512 << 10

// mark is a position among rows: the last row of a message, and the message of rows it came with.
type mark struct {
	sequence uint64 // 0: rows come from no broker, and row alone counts
	row      int64
	sum      uint64 // of a feed: what its lines up to there sum to; 0: not known
}

// before reports whether m is before other.
func (m mark) before(other mark) bool {
	return m.sequence < other.sequence || m.sequence == other.sequence && m.row < other.row
}

// String names a position.
func (m mark) String() string {
	if m.sequence > 0 {
		return fmt.Sprintf("row %d of message %d", m.row, m.sequence)
	}
	return fmt.Sprintf("row %d", m.row)
}

// Sink publishes the labels of each block as a message.
type Sink struct {
	out    outlet
	format dataset.Format
	last   mark // the last labels put
	most   int  // bytes of a message
}

var _ stream.Sink = (*Sink)(nil)

// Sink begins to publish to a subject. It waits for the broker, and asks for the last labels that
// it has.
func (c *Client) Sink(ctx context.Context, cfg SinkConfig) (*Sink, error) {
	if err := CheckSubject(cfg.Subject); err != nil {
		return nil, err
	}
	if cfg.Run == "" || strings.ContainsFunc(cfg.Run,
		func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, fault.Inputf("begin a new state", "the run has no id for its labels")
	}
	after := mark{sequence: cfg.After.Sequence, row: cfg.After.Rows}
	s := &Sink{format: cmp.Or(cfg.Format, dataset.FormatCSV)}
	s.out = outlet{c: c, subject: cfg.Subject, limits: cfg.Limits, fenced: true, by: RunHeader,
		who: cfg.Run, held: after}
	s.out.header = nats.Header{"Content-Type": {contentType(s.format)}}
	if s.format == dataset.FormatCSV {
		s.out.header[ColumnsHeader] = []string{lines.LabelColumns}
	}
	if err := s.out.start(ctx, "kindred labels"); err != nil {
		return nil, err
	}
	if s.last = s.out.held; after.before(s.last) {
		c.cfg.Say(fmt.Sprintf("labels up to %s are in %s already, and do not come again", s.last,
			cfg.Subject))
	}
	s.most = min(mostLabels, s.out.largest)
	return s, nil
}

// RunID returns the id of a run that begins: the same for the same settings, so that labels which a
// killed run published before it saved a state are known again.
func RunID(settings ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(settings, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// Put hands over the labels of a block, and waits while too many are not confirmed. Labels that the
// broker has are passed over.
func (s *Sink) Put(ctx context.Context, b *stream.Block, labels []competitive.Label) error {
	n := b.Len()
	if n == 0 {
		return s.out.fault()
	}
	if err := lines.CheckLabels(b, labels); err != nil {
		return err
	}
	end := mark{sequence: b.After.Sequence, row: b.Numbers[n-1]}
	s.last = end
	if !s.out.held.before(end) {
		return s.out.fault()
	}
	from := 0
	// blocks of a file are not the same each time; rows are
	for !s.out.held.before(mark{sequence: end.sequence, row: b.Numbers[from]}) {
		from++
	}
	return s.rows(ctx, b, labels, from, n)
}

// rows hands over the labels of rows from to to, as two messages or more where they are too long
// for one.
func (s *Sink) rows(ctx context.Context, b *stream.Block, labels []competitive.Label, from,
	to int) error {
	p := &outgoing{mark: mark{sequence: b.After.Sequence, row: b.Numbers[to-1]}}
	p.data = lines.AppendLabels(s.out.buffer(), s.format, part(b, from, to), labels[from:to])
	if len(p.data) > s.most && to-from > 1 {
		s.out.recycle(p.data)
		middle := (from + to) / 2
		if err := s.rows(ctx, b, labels, from, middle); err != nil {
			return err
		}
		return s.rows(ctx, b, labels, middle, to)
	}
	return s.out.put(ctx, p)
}

// part returns rows from to to of a block, as far as their ids go.
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

// Flush has nothing to do: what was put is on its way.
func (s *Sink) Flush(context.Context) error { return s.out.fault() }

// Settle waits until the broker has confirmed all that was put.
func (s *Sink) Settle(ctx context.Context) (stream.Position, error) {
	if err := s.out.settle(ctx); err != nil {
		return stream.Position{}, err
	}
	return stream.Position{Sequence: s.last.sequence, Rows: s.last.row}, nil
}

// Close lets go of the broker. What was not settled may be lost.
func (s *Sink) Close() error {
	s.out.close()
	return nil
}
