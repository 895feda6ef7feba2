package images

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// checkWebP returns the size of a WebP. A file may state it twice, for its canvas and for the
// picture on it; the decoder takes the first for the size and decodes the second, so both must
// agree.
func checkWebP(data []byte) (width, height int, err error) {
	cut := errors.New("it is cut short")
	canvasWidth, canvasHeight := 0, 0
	for at := int64(12); ; {
		if at+8 > int64(len(data)) {
			return 0, 0, cut
		}
		name, size := string(data[at:at+4]), int64(binary.LittleEndian.Uint32(data[at+4:]))
		body := data[at+8:]
		if size < int64(len(body)) {
			body = body[:size]
		}
		at += 8 + size + size&1
		if len(body) < 10 {
			continue
		}
		switch name {
		case "VP8X":
			if body[0]&2 != 0 {
				return 0, 0, errors.New("it moves")
			}
			canvasWidth, canvasHeight = 1+uint24(body[4:]), 1+uint24(body[7:])
			continue
		case "VP8 ":
			width = int(binary.LittleEndian.Uint16(body[6:])) & 0x3fff
			height = int(binary.LittleEndian.Uint16(body[8:])) & 0x3fff
		case "VP8L":
			bits := binary.LittleEndian.Uint32(body[1:])
			width, height = 1+int(bits&0x3fff), 1+int(bits>>14&0x3fff)
		default:
			continue
		}
		if canvasWidth > 0 && (canvasWidth != width || canvasHeight != height) {
			return 0, 0, fmt.Errorf("its header states %d × %d pixels, but its frame %d × %d",
				canvasWidth, canvasHeight, width, height)
		}
		return width, height, nil
	}
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }
