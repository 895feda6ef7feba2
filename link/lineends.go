package link

import "io"

// lineEnds reads text whose lines end in CR, CR LF or LF, in any mixture, as if all ended in LF.
// Where quotes count, as in CSV, what is between them stays as it is.
type lineEnds struct {
	r      io.Reader
	quotes bool
	inside bool // between quotes
	cr     bool // the last byte was a CR, returned as LF
}

func (l *lineEnds) Read(p []byte) (int, error) {
	for {
		n, err := l.r.Read(p)
		kept := 0
		for _, b := range p[:n] {
			after := l.cr
			l.cr = false
			switch {
			case b == '"' && l.quotes:
				l.inside = !l.inside
			case l.inside:
			case b == '\r':
				b, l.cr = '\n', true
			case b == '\n' && after:
				continue
			}
			p[kept] = b
			kept++
		}
		// Nothing and no error would look like a stuck reader.
		if kept > 0 || err != nil || len(p) == 0 {
			return kept, err
		}
	}
}
