package dissim

import (
	"bytes"
	"context"
	"io"
	"strconv"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/words"
)

const (
	textPiece = 1 << 20  // bytes of text that a goroutine parses at a time
	longest   = 64 << 20 // bytes of the longest line taken
)

// textReader reads a matrix as text. Whole lines go out in pieces to be parsed, each knowing its
// row, so that every number goes straight to its position.
type textReader struct {
	name string
	m    *Dense
	sep  byte // ' ' means any run of blanks

	lock  sync.Mutex
	first *fault.Input // the first fault, in the order of the rows
	row   int          // where it is
}

// textLines are whole lines, the last byte a line end.
type textLines struct {
	text []byte
	line int // number of the first, from 1
	row  int // the first row in them, from 0
}

func readText(ctx context.Context, in io.Reader, name string, threads int) (*Dense, error) {
	r := &textReader{name: name}
	threads = parallel.Threads(threads)
	free := make(chan []byte, threads+2)
	for range cap(free) {
		free <- nil // made when first used
	}
	work := make(chan textLines)
	// A fault ends the cutting, but not the work on rows before it, whose faults come first.
	group, cutting := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(work)
		return r.cut(cutting, in, free, work)
	})
	for range threads {
		group.Go(func() error {
			for piece := range work {
				if err := r.parse(ctx, piece); err != nil {
					return err
				}
				free <- piece.text[:0]
			}
			return nil
		})
	}
	err := group.Wait()
	if r.first != nil { // before what was found later in the text, or because of it
		return nil, r.first
	}
	if err != nil {
		return nil, err
	}
	return r.m, nil
}

// cut reads the text and hands out pieces of it.
func (r *textReader) cut(ctx context.Context, in io.Reader, free chan []byte,
	work chan<- textLines) error {
	line, row := 1, 0
	var rest []byte // the beginning of a line whose end is not read yet
	for over := false; !over; {
		var buffer []byte
		select {
		case buffer = <-free:
		case <-ctx.Done():
			return ctx.Err()
		}
		need := len(rest) + textPiece
		if cap(buffer) < need+1 {
			buffer = make([]byte, 0, need+1)
		}
		buffer = append(buffer[:0], rest...)
		got, err := io.ReadFull(in, buffer[len(buffer):need])
		buffer = buffer[:len(buffer)+got]
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			over = true
			buffer = append(buffer, '\n') // the last line may lack its end
		case err != nil:
			return err
		}
		end := len(buffer)
		plainEnds(buffer)
		if !over {
			end = bytes.LastIndexByte(buffer, '\n') + 1
		}
		if len(buffer)-end > longest {
			return &fault.Input{File: r.name, Line: line, Problem: "the line is longer than 64 MiB",
				Fix: "check that this is a square matrix, one row a line"}
		}
		rest = append([]byte(nil), buffer[end:]...)
		piece := textLines{text: buffer[:end], line: line, row: row}
		if r.m == nil {
			if err := r.begin(piece); err != nil {
				return err
			}
		}
		for i := 0; i < end; {
			from, to, next := textLine(piece.text, i)
			if from < to {
				row++
			}
			line++
			i = next
		}
		select {
		case work <- piece:
		case <-ctx.Done():
			return ctx.Err()
		}
		if r.m != nil && row > r.m.N {
			return r.notSquare(row, true)
		}
	}
	if r.m == nil {
		return &fault.Input{File: r.name, Problem: isEmpty, Fix: "give a file with a square matrix"}
	}
	if row < r.m.N {
		return r.notSquare(row, false)
	}
	return nil
}

func (r *textReader) notSquare(rows int, more bool) error {
	n := strconv.Itoa(r.m.N)
	problem := "has " + words.Count(rows, "row") + " of " + n + " numbers"
	if more {
		problem = "has more than " + n + " rows of " + n + " numbers"
	}
	return &fault.Input{File: r.name, Problem: "is not square: it " + problem,
		Fix: "give the dissimilarities of all objects to all, without header and row names"}
}

// plainEnds makes each CR an LF, or a blank before an LF; at the end of the text a CR stays, as
// what follows is not known.
func plainEnds(text []byte) {
	for i := bytes.IndexByte(text, '\r'); i >= 0 && i+1 < len(text); {
		text[i] = '\n'
		if text[i+1] == '\n' {
			text[i] = ' '
		}
		next := bytes.IndexByte(text[i:], '\r')
		if next < 0 {
			return
		}
		i += next
	}
}

// textLine finds the line at text[i]: its content without blanks around it, and where the next
// begins.
func textLine(text []byte, i int) (from, to, next int) {
	end := i + bytes.IndexByte(text[i:], '\n')
	from, to = i, end
	for to > from && isBlank(text[to-1]) {
		to--
	}
	for from < to && isBlank(text[from]) {
		from++
	}
	return from, to, end + 1
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// begin learns separator and size from the first line that is not blank, if there is one.
func (r *textReader) begin(p textLines) error {
	for i, number := 0, p.line; i < len(p.text); number++ {
		from, to, next := textLine(p.text, i)
		i = next
		if from == to {
			continue
		}
		line := p.text[from:to]
		n := 0
		r.sep = ' '
		for _, sep := range []byte{';', '\t', ','} {
			if n = bytes.Count(line, []byte{sep}); n > 0 {
				r.sep = sep
				break
			}
		}
		if n++; r.sep == ' ' {
			n = len(bytes.Fields(line))
		}
		if err := checkSize(r.name, n); err != nil {
			return err
		}
		if f := r.header(line); f != nil {
			f.File, f.Line = r.name, number
			return f
		}
		r.m = &Dense{N: n, D: make([]float32, n*n)}
		return nil
	}
	return nil
}

// isEmpty is the problem of files without content.
const isEmpty = "is empty"

// checkSize refuses matrices of n rows that are too small or too large.
func checkSize(name string, n int) error {
	if n < 3 {
		return &fault.Input{File: name,
			Problem: "the matrix has " + words.Count(n,
				"column") + ", and at least 3 objects are needed",
			Fix: "give the whole square matrix (a triangle of it is not enough), its numbers " +
				"separated by commas, semicolons, tabs or blanks"}
	}
	return checkSquare(name, n)
}

// header recognises a header by what no matrix holds: no number at all, or nothing in the first
// field.
func (r *textReader) header(line []byte) *fault.Input {
	problem := "the first line holds no numbers, so it looks like a header"
	fields := bytes.Split(line, []byte{r.sep})
	for _, f := range fields {
		if _, ok := dataset.ParseNumber(bytes.TrimSpace(f)); ok {
			if len(bytes.TrimSpace(fields[0])) > 0 {
				return nil
			}
			problem = "the first field is empty: the line is a header, or a dissimilarity is " +
				"missing"
		}
	}
	return &fault.Input{Problem: problem,
		Fix: "take a header out, and row names too: a matrix file holds numbers only, and all of " +
			"them"}
}

// parse puts the numbers of some lines in their positions, unless a row before them has a fault.
func (r *textReader) parse(ctx context.Context, p textLines) error {
	row := p.row
	for i, line := 0, p.line; i < len(p.text); line++ {
		from, to, next := textLine(p.text, i)
		i = next
		if from == to {
			continue
		}
		if row >= r.m.N {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		p.text[to] = '\n' // a blank or a line end, which is no part of a number
		if f := r.numbers(p.text[from:to+1], row); f != nil {
			f.File, f.Line = r.name, line
			r.lock.Lock()
			if r.first == nil || row < r.row {
				r.first, r.row = f, row
			}
			r.lock.Unlock()
			return f
		}
		row++
	}
	return nil
}

// numbers reads one row, a line without blanks around it and with an LF at its end.
func (r *textReader) numbers(line []byte, row int) *fault.Input {
	n, end := r.m.N, len(line)-1
	dst := r.m.D[row*n : (row+1)*n]
	i := 0
	for j := range n {
		v, after, ok := dataset.ScanNumber(line, i)
		next := r.skipBlank(line, after)
		apart := next > after // from the number that follows
		if r.sep != ' ' {
			apart = line[next] == r.sep
		}
		last := next == end
		if !ok || last != (j == n-1) || !last && !apart || entryProblem(v) != "" {
			return r.cell(line[:end], row)
		}
		if j == row && v != 0 {
			return diagonalFault(v, j)
		}
		dst[j] = float32(v) + 0 // −0 becomes 0
		if i = next; r.sep != ' ' {
			i = r.skipBlank(line, min(next+1, end))
		}
	}
	return nil
}

// skipBlank steps over blanks that separate nothing, or, where blanks separate, over all of them.
func (r *textReader) skipBlank(line []byte, i int) int {
	for isBlank(line[i]) && (line[i] != r.sep || r.sep == ' ') {
		i++
	}
	return i
}

// cell finds what is wrong in a row that has a fault.
func (r *textReader) cell(line []byte, row int) *fault.Input {
	fields := bytes.Split(line, []byte{r.sep})
	if r.sep == ' ' {
		fields = bytes.Fields(line)
	}
	if len(fields) != r.m.N {
		return &fault.Input{Problem: "has " + words.Count(len(fields),
			"field") + " where the first line has " + strconv.Itoa(r.m.N),
			Fix: "give every row as many numbers as there are rows, all separated alike"}
	}
	for j, f := range fields {
		f = bytes.TrimSpace(f)
		v, ok := dataset.ParseNumber(f)
		in := &fault.Input{Column: strconv.Itoa(j + 1), Problem: entryProblem(v), Fix: entryFix}
		switch {
		case len(f) == 0:
			in.Problem = "the value is missing"
			in.Fix = "give every dissimilarity; where one is not known, leave one of the two " +
				"objects out"
		case !ok:
			in.Problem = quote(f) + " is not a finite decimal number"
			if bytes.IndexByte(f, ',') >= 0 {
				in.Fix = "write numbers with a decimal point"
			}
		case in.Problem != "":
		case j == row && v != 0:
			return diagonalFault(v, j)
		default:
			continue
		}
		return in
	}
	return &fault.Input{Problem: "cannot be understood", Fix: "separate all numbers alike"}
}

// quote shows a field, shortened to what a line can hold.
func quote(s []byte) string {
	const most = 40
	if len(s) > most {
		return strconv.Quote(string(s[:most])) + "…"
	}
	return strconv.Quote(string(s))
}
