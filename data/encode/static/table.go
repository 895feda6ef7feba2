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
// one piece a line, compressed by gzip; a float32 scale per row; and the rows, int8.
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
	values     string    // int8, rows × cols
	tokens     *wordpiece.Tokenizer
	kinds      []pieceKind
	digest     string
}

// builtin returns the table that is built in.
var builtin = sync.OnceValues(func() (*table, error) { return parse(file) })

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
		packed > maxPieces || len(rest) != packed+rows*(4+cols) {
		return nil, bad(fmt.Sprintf("of %d × %d values has %d bytes", rows, cols, len(text)))
	}
	z, err := gzip.NewReader(strings.NewReader(rest[:packed]))
	if err != nil {
		return nil, bad("has no vocabulary: " + err.Error())
	}
	vocabulary, err := io.ReadAll(io.LimitReader(z, maxPieces))
	if err != nil {
		return nil, bad("has no vocabulary: " + err.Error())
	}
	pieces := strings.Split(string(bytes.TrimSuffix(vocabulary, []byte("\n"))), "\n")
	if len(pieces) != rows {
		return nil, bad(fmt.Sprintf("has %d pieces for %d rows", len(pieces), rows))
	}
	t := &table{rows: rows, cols: cols, scales: make([]float32, rows),
		values: rest[packed+4*rows:], kinds: make([]pieceKind, rows)}
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
