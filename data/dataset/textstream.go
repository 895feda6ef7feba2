package dataset

import (
	"bytes"
	"context"
	"io"
	"math"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/kindred-go/kindred/internal/memory"
)

// piece is a run of whole records of a stream.
type piece struct {
	number int
	text   []byte // with one line feed more than the records have
}

// readTextStream reads the records of a stream: one goroutine cuts it into pieces at the ends of
// records, the others parse each piece into a block of its own.
func readTextStream(ctx context.Context, src *source, p *plan, l textLayout,
	o ReadOptions) ([]*block, error) {
	size, threads := o.chunkSize(), o.threads()
	pieces := make(chan piece)
	free := make(chan []byte, threads+2)
	for range threads + 2 {
		free <- nil
	}
	left := memory.NewBudget()
	var lock sync.Mutex
	var blocks []*block
	faulty := math.MaxInt // smallest number of a piece with a fault
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(pieces)
		c := cutter{from: src.readFrom(l.start), size: size, quotes: l.quotes}
		src.head = nil
		for number := 0; ; number++ {
			var buffer []byte
			select {
			case buffer = <-free:
			case <-ctx.Done():
				return ctx.Err()
			}
			text, err := c.next(buffer)
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			lock.Lock()
			stop := number > faulty
			if !stop {
				blocks = append(blocks, nil)
			}
			lock.Unlock()
			if stop {
				return nil
			}
			select {
			case pieces <- piece{number, text}:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	})
	for range threads {
		group.Go(func() error {
			parser := l.parser()
			for piece := range pieces {
				n := len(piece.text) - 1
				lines := bytes.Count(piece.text[:n], []byte{'\n'}) + 1
				most := min(lines*p.width, n+1) // numbers: a field takes a byte
				if l.sparse {
					most = lines * p.width
				}
				if err := fits(left, src.name, rowsSoFar, 8*float64(most)); err != nil {
					return err
				}
				// A number takes two bytes. An empty field takes one, but then append grows the
				// slice.
				b := newBlock(p, make([]float64, 0, min(lines*p.width, n/2+1)))
				parsePiece(parser, piece.text, b)
				left.Take(b.bytes())
				lock.Lock()
				blocks[piece.number] = b
				if b.fault != nil {
					faulty = min(faulty, piece.number)
				}
				lock.Unlock()
				free <- piece.text
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return blocks, nil
}

// cutter cuts a stream into pieces that end where a record ends.
type cutter struct {
	from   io.Reader
	size   int
	quotes bool
	rest   []byte // what was read beyond the last piece
	over   bool
}

// next returns the next piece, in buffer when it is large enough, followed by one line feed; io.EOF
// when there are no more. A record longer than maxRecord ends a piece as well; the parser then
// finds an open quote.
func (c *cutter) next(buffer []byte) ([]byte, error) {
	if c.over && len(c.rest) == 0 {
		return nil, io.EOF
	}
	if cap(buffer) < c.size+1 {
		buffer = make([]byte, 0, c.size+c.size/8+1)
	}
	text := append(buffer[:0], c.rest...)
	c.rest = c.rest[:0]
	want := c.size
	scanned, inside, end := 0, false, -1 // end of the last whole record in text
	for {
		if len(text) < want && !c.over {
			have := len(text)
			if cap(text) < want+1 {
				grown := make([]byte, have, want+1)
				copy(grown, text)
				text = grown
			}
			n, err := io.ReadFull(c.from, text[have:want])
			text = text[:have+n]
			if err == io.EOF || err == io.ErrUnexpectedEOF {
				c.over = true
			} else if err != nil {
				return nil, err
			}
		}
		if c.over {
			if len(text) == 0 {
				return nil, io.EOF
			}
			return append(text, '\n'), nil
		}
		// A CR at the very end may be half of a CRLF, so the last byte waits.
		end, inside = lastRecordEnd(text, scanned, len(text)-1, inside, end, c.quotes)
		scanned = len(text) - 1
		if end > 0 {
			c.rest = append(c.rest, text[end:]...)
			return append(text[:end], '\n'), nil
		}
		if len(text) > maxRecord {
			return append(text, '\n'), nil
		}
		want *= 2
	}
}

// lastRecordEnd scans text[from:to], which begins within quotes if inside, and returns the position
// after the last line end outside quotes, or end when there is none, and the state at to.
func lastRecordEnd(text []byte, from, to int, inside bool, end int, quotes bool) (int, bool) {
	if from >= to {
		return end, inside
	}
	if !quotes || !inside && bytes.IndexByte(text[from:to], '"') < 0 {
		if i := bytes.LastIndexAny(text[from:to], "\n\r"); i >= 0 {
			end = from + i + 1
			if text[end-1] == '\r' && text[end] == '\n' {
				end++
			}
		}
		return end, inside
	}
	for i := from; i < to; i++ {
		switch c := text[i]; {
		case c == '"':
			inside = !inside
		case inside:
		case c == '\n':
			end = i + 1
		case c == '\r':
			end = i + 1
			if text[end] == '\n' {
				end++
				i++
			}
		}
	}
	return end, inside
}
