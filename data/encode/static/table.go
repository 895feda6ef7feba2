package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed" // the table
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/kindred-go/kindred/internal/wordpiece"
)

// file is the table, as tools/textvectors/distil.py writes it, little-endian: the line "kindred text
// vectors 1"; uint32 numbers of rows, of columns and of the bytes of the vocabulary; the vocabulary,
// one piece a line, compressed by gzip; a float32 scale per row; and the values, int8, column by
// column, compressed by gzip.
//
//go:embed table.bin
var file string

const (
	magic      = "kindred text vectors 1\n"
	maxRows    = 1 << 18
	maxCols    = 1 << 12
	maxPieces  = 1 << 22 // bytes of the vocabulary
	continuing = "##"
	unknownIs  = "[UNK]"
)

// pieceKind is what a piece is in a word.
type pieceKind uint8

const (
	begins pieceKind = iota
	within
	sign    // begins with no letter, or is one
	foreign // begins with a letter that English lacks
	unknown
)

// table has a vector for each piece.
type table struct {
	rows, cols int
	scales     []float32 // of rows
	values     []int8    // rows × cols
	tokens     *wordpiece.Tokenizer
	kinds      []pieceKind
	digest     string
}

// builtin returns the table that is built in.
var builtin = sync.OnceValues(func() (*table, error) { return parse(file) })

// inflate returns at most most bytes of what gzip compressed.
func inflate(text string, most int) ([]byte, error) {
	z, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(z, int64(most)))
}

// parse reads a table.
func parse(text string) (*table, error) {
	bad := func(what string) error { return errors.New("static: the table " + what) }
	rest, ok := strings.CutPrefix(text, magic)
	if !ok || len(rest) < 12 {
		return nil, bad("is none, or cut short")
	}
	head := []byte(rest[:12])
	rows, cols, packed := int(binary.LittleEndian.Uint32(head)),
		int(binary.LittleEndian.Uint32(head[4:])), int(binary.LittleEndian.Uint32(head[8:]))
	if rest = rest[12:]; rows < 1 || rows > maxRows || cols < 1 || cols > maxCols ||
		packed > maxPieces || len(rest) < packed+4*rows {
		return nil, bad(fmt.Sprintf("of %d × %d values has %d bytes", rows, cols, len(text)))
	}
	vocabulary, err := inflate(rest[:packed], maxPieces)
	if err != nil {
		return nil, bad("has no vocabulary: " + err.Error())
	}
	byColumn, err := inflate(rest[packed+4*rows:], rows*cols+1)
	if err != nil || len(byColumn) != rows*cols {
		return nil, bad(fmt.Sprintf("has %d values for %d × %d (%v)", len(byColumn), rows, cols, err))
	}
	pieces := strings.Split(string(bytes.TrimSuffix(vocabulary, []byte("\n"))), "\n")
	if len(pieces) != rows {
		return nil, bad(fmt.Sprintf("has %d pieces for %d rows", len(pieces), rows))
	}
	t := &table{rows: rows, cols: cols, scales: make([]float32, rows),
		values: make([]int8, rows*cols), kinds: make([]pieceKind, rows)}
	const band = 64 // rows whose values stay in the cache meanwhile
	for from := 0; from < rows; from += band {
		for j := range cols {
			for i := from; i < min(from+band, rows); i++ {
				t.values[i*cols+j] = int8(byColumn[j*rows+i])
			}
		}
	}
	if t.tokens, err = wordpiece.New(pieces, wordpiece.Options{Unknown: unknownIs}); err != nil {
		return nil, err
	}
	for i := range t.scales {
		scale := math.Float32frombits(binary.LittleEndian.Uint32([]byte(rest[packed+4*i:][:4])))
		if !(scale >= 0 && scale < 1e6) {
			return nil, bad(fmt.Sprintf("has a scale of %v", scale))
		}
		t.scales[i] = scale
	}
	for i, piece := range pieces {
		first, _ := utf8.DecodeRuneInString(piece)
		switch {
		case piece == unknownIs:
			t.kinds[i] = unknown
		case strings.HasPrefix(piece, continuing) && piece != continuing:
			t.kinds[i] = within
		case first >= utf8.RuneSelf && unicode.IsLetter(first):
			t.kinds[i] = foreign
		case len(piece) == 1 || !unicode.IsLetter(first):
			t.kinds[i] = sign
		}
	}
	sum := sha256.Sum256([]byte(text))
	t.digest = hex.EncodeToString(sum[:])
	return t, nil
}
