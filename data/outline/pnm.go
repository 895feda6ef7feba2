package outline

import (
	"bufio"
	"errors"
	"image"
	"io"

	"github.com/kindred-go/kindred/fault"
)

// decodePNM reads a portable bitmap (P1, P4; 1 is black) or graymap (P2, P5) with values up to
// 65535.
func decodePNM(in *bufio.Reader) (*image.Gray, error) {
	p := pnm{in: in}
	var magic [2]byte
	p.fill(magic[:])
	kind := magic[1]
	width, height, most := p.number(), p.number(), 1
	if kind == '2' || kind == '5' {
		most = p.number()
	}
	if p.err != nil || most < 1 || most > 65535 {
		return nil, p.damaged()
	}
	if err := checkPixels(width, height); err != nil {
		return nil, err
	}
	wide := 1 // bytes per value
	if most > 255 {
		wide = 2
	}
	img := image.NewGray(image.Rect(0, 0, width, height))
	row := make([]byte, max(wide*width, (width+7)/8))
	for y := 0; y < height && p.err == nil; y++ {
		switch kind {
		case '4':
			p.fill(row[:(width+7)/8])
		case '5':
			p.fill(row[:wide*width])
		}
		dst := img.Pix[y*img.Stride:][:width]
		for x := range dst {
			v := 0
			switch kind {
			case '1':
				v = 1 - p.bit()
			case '2':
				v = p.number()
			case '4':
				v = 1 - int(row[x/8]>>(7-x%8)&1)
			case '5':
				v = int(row[wide*x])
				if wide == 2 {
					v = v<<8 + int(row[2*x+1])
				}
			}
			if v < 0 || v > most {
				p.err = errPNM
				break
			}
			dst[x] = byte((v*255 + most/2) / most)
		}
	}
	if p.err != nil {
		return nil, p.damaged()
	}
	return img, nil
}

var errPNM = errors.New("not a number where one should be, or one out of range")

// pnm reads the parts of a picture; the first error stays and makes all that follows 0.
type pnm struct {
	in  *bufio.Reader
	err error
}

func (p *pnm) damaged() error {
	if p.err != nil && p.err != errPNM && p.err != io.EOF && p.err != io.ErrUnexpectedEOF {
		return p.err
	}
	return &fault.Input{Problem: "the PBM or PGM picture is damaged", Fix: "fetch or save it again",
		Err: p.err}
}

func (p *pnm) fill(dst []byte) {
	if p.err == nil {
		_, p.err = io.ReadFull(p.in, dst)
	}
}

// byte returns the next byte, without remarks, which run from # to the end of a line; 0 at the end.
func (p *pnm) byte() byte {
	remark := false
	for p.err == nil {
		var c byte
		if c, p.err = p.in.ReadByte(); p.err != nil {
			break
		}
		if c == '#' {
			remark = true
		}
		if !remark || c == '\n' {
			return c
		}
	}
	return 0
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// first returns the next byte that is no space.
func (p *pnm) first() byte {
	c := p.byte()
	for isSpace(c) {
		c = p.byte()
	}
	return c
}

// number reads a decimal number and the byte after it.
func (p *pnm) number() int {
	c := p.first()
	v, digits := 0, 0
	for ; c >= '0' && c <= '9'; c = p.byte() {
		if v = v*10 + int(c-'0'); v > 1<<30 {
			p.err = errPNM
			return 0
		}
		digits++
	}
	if p.err == io.EOF && digits > 0 {
		p.err = nil // the last number may end the file
	}
	if digits == 0 || c != 0 && !isSpace(c) {
		p.err = errPNM
	}
	return v
}

// bit reads a 0 or 1, which need no space between them.
func (p *pnm) bit() int {
	c := p.first()
	if c != '0' && c != '1' && p.err == nil {
		p.err = errPNM
	}
	return int(c & 1)
}
