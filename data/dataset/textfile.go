package dataset

import (
	"bytes"
	"context"
	"io"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/kindred-go/kindred/internal/parallel"
)

// readTextFile reads the records of a plain file in two passes over its chunks. The first counts
// lines, so that the matrix is allocated once; the second parses, each chunk into its own rows of
// the matrix.
func readTextFile(ctx context.Context, src *source, p *plan, l textLayout,
	o ReadOptions) (blocks []*block, values *Matrix, windows []int, err error) {
	size := o.chunkSize()
	cuts, windows, err := cutFile(ctx, src, l, size, o.threads())
	if err != nil {
		return nil, nil, nil, err
	}
	rows := 0
	base := make([]int, len(windows))
	for k, n := range windows {
		base[k] = rows
		rows += n
	}
	matrix, err := allocate(src.name, rows, p.width, false)
	if err != nil {
		return nil, nil, nil, err
	}
	blocks = make([]*block, len(windows))

	src.addHash(src.head[:l.start])
	var lock sync.Mutex
	turn := sync.NewCond(&lock)
	next, hashed, stopped := 0, 0, false
	stop := func() {
		lock.Lock()
		stopped = true
		turn.Broadcast()
		lock.Unlock()
	}
	group, ctx := errgroup.WithContext(ctx)
	work := func() error {
		parser := l.parser()
		buffer := make([]byte, 0, size+size/8+1)
		for {
			lock.Lock()
			k := next
			next++
			over := stopped || k >= len(windows)
			lock.Unlock()
			if over {
				return nil
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			from, to := cuts[k], cuts[k+1]
			long := to-from > maxRecord+int64(size)
			if long {
				to = from + maxRecord
			}
			n := int(to - from)
			if cap(buffer) < n+1 {
				buffer = make([]byte, 0, n+1)
			}
			text := buffer[:n+1]
			if got, err := src.file.ReadAt(text[:n], from); got < n {
				if err == io.EOF {
					err = errChanged
				}
				return err
			}
			text[n] = '\n'
			first := base[k] * p.width
			b := newBlock(p, matrix.F64[first:first:first+windows[k]*p.width])
			parsePiece(parser, text, b)
			blocks[k] = b
			if b.fault != nil {
				stop() // chunks are handed out in order, so those before this one are under way
				return nil
			}
			if b.rows > windows[k] || long {
				return errChanged
			}
			// The fingerprint needs the chunks in order.
			lock.Lock()
			for hashed < k && !stopped && ctx.Err() == nil {
				turn.Wait()
			}
			over = stopped
			lock.Unlock()
			if over {
				return nil
			}
			if err := ctx.Err(); err != nil {
				return err // and so wake those who wait for this chunk's turn
			}
			src.addHash(text[:n])
			lock.Lock()
			hashed++
			turn.Broadcast()
			lock.Unlock()
			src.advance(n)
		}
	}
	for range min(o.threads(), len(windows)) {
		group.Go(func() error {
			err := work()
			if err != nil {
				stop()
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, nil, err
	}
	return blocks, &matrix, windows, nil
}

// lineCount is what the first pass learns about a chunk, for both states it may begin in: outside
// quotes (0) and within (1).
type lineCount struct {
	lines  [2]int   // line ends outside quotes
	first  [2]int64 // place after the first of them; -1 when there is none
	quotes int
}

// cutFile finds where the records of each chunk begin, and how many lines, hence at most rows, it
// has: chunk k holds the bytes from cuts[k] to cuts[k+1] and at most rows[k] rows.
func cutFile(ctx context.Context, src *source, l textLayout, size, threads int) (cuts []int64,
	rows []int, err error) {
	start := int64(l.start)
	chunks := max(1, int((src.size-start+int64(size)-1)/int64(size)))
	counts := make([]lineCount, chunks)
	buffers := sync.Pool{New: func() any { b := make([]byte, size+1); return &b }}
	err = parallel.Try(ctx, chunks, 1, threads, func(_, k, _ int) error {
		buffer := buffers.Get().(*[]byte)
		defer buffers.Put(buffer)
		from := start + int64(k)*int64(size)
		n := int(min(int64(size), src.size-from))
		peek := n // one byte more shows whether a CR at the end belongs to a CRLF
		if from+int64(n) < src.size {
			peek++
		}
		if got, err := src.file.ReadAt((*buffer)[:peek], from); got < peek {
			if err == io.EOF {
				err = errChanged
			}
			return err
		}
		if l.quotes {
			counts[k] = countLines((*buffer)[:peek], n, from)
		} else {
			counts[k] = countRecords((*buffer)[:peek], n, from, l.remark)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	cuts = make([]int64, chunks+1)
	rows = make([]int, chunks)
	cuts[0] = start
	state := 0
	pending := 0 // the chunk that ends where the next record begins
	for k := range counts {
		c := &counts[k]
		n := c.lines[state]
		if k > 0 {
			cuts[k] = c.first[state]
			if n > 0 {
				rows[pending]++
				n--
				pending = k
			}
		}
		rows[pending] += n
		state ^= c.quotes & 1
	}
	cuts[chunks] = src.size
	rows[pending]++ // the last line may lack its end
	for k := chunks - 1; k > 0; k-- {
		if cuts[k] < 0 {
			cuts[k] = cuts[k+1]
		}
	}
	// blank lines are no rows: without this bound a few of them would fill the memory of wide
	// tables
	for k := range rows {
		// 1 for the line end that the last row may lack
		rows[k] = min(rows[k], int(cuts[k+1]-cuts[k]+1)/l.least)
	}
	return cuts, rows, nil
}

// countLines counts in text[:n], which begins at position from of the file; the byte at n, if there
// is one, is only looked at.
func countLines(text []byte, n int, from int64) lineCount {
	c := lineCount{first: [2]int64{-1, -1}}
	c.quotes = bytes.Count(text[:n], []byte{'"'})
	if c.quotes == 0 && bytes.IndexByte(text[:n], '\r') < 0 {
		c.lines[0] = bytes.Count(text[:n], []byte{'\n'})
		if i := bytes.IndexByte(text[:n], '\n'); i >= 0 {
			c.first[0] = from + int64(i) + 1
		}
		return c
	}
	state := 0
	for i, b := range text[:n] {
		switch b {
		case '"':
			state ^= 1
			continue
		case '\r':
			if i+1 < len(text) && text[i+1] == '\n' {
				continue
			}
		case '\n':
		default:
			continue
		}
		if c.lines[state]++; c.lines[state] == 1 {
			c.first[state] = from + int64(i) + 1
		}
	}
	return c
}

// countRecords does so for a format whose records are lines, quotes or not, and leaves out of
// lines[0] those that are blank or begin with remark; the first line counts, as it may have begun
// before text.
func countRecords(text []byte, n int, from int64, remark byte) lineCount {
	c := lineCount{first: [2]int64{-1, -1}}
	returns := bytes.IndexByte(text[:n], '\r') >= 0
	for i := 0; i < n; {
		end := bytes.IndexByte(text[i:n], '\n')
		if returns {
			end = bytes.IndexAny(text[i:n], "\r\n")
		}
		if end < 0 {
			break
		}
		end += i
		first := skipSpace(text, i)
		if text[end] == '\r' && end+1 < len(text) && text[end+1] == '\n' {
			end++
			if end >= n {
				break // the line ends in the next chunk
			}
		}
		switch {
		case c.first[0] < 0:
			c.first[0] = from + int64(end) + 1
			c.lines[0]++
		case text[first] != '\n' && text[first] != '\r' && (remark == 0 || text[first] != remark):
			c.lines[0]++
		}
		i = end + 1
	}
	return c
}
