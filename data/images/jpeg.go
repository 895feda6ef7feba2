package images

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// maxScans is the most passes over a JPEG. Real ones have about ten; each costs the decoder time in
// proportion to the pixels, however few bytes it has.
const maxScans = 100

// checkJPEG walks the markers of a JPEG: how it is to be turned, by its EXIF, and whether it is a
// progressive one.
func checkJPEG(data []byte) (orientation int, progressive bool, err error) {
	orientation = 1
	scans := 0
	for at := 2; at+4 <= len(data); {
		if data[at] != 0xff {
			at++ // stray bytes, which decoders pass over
			continue
		}
		marker := data[at+1]
		switch {
		case marker == 0xff: // a filling byte
			at++
			continue
		case marker == 0 || marker == 1 || marker >= 0xd0 && marker <= 0xd8:
			at += 2
			continue
		case marker == 0xd9: // the end
			return orientation, progressive, nil
		}
		size := int(binary.BigEndian.Uint16(data[at+2:]))
		if size < 2 || at+2+size > len(data) {
			return orientation, progressive, errors.New("it is cut short")
		}
		body := data[at+4 : at+2+size]
		at += 2 + size
		switch marker {
		case 0xc2:
			progressive = true
		case 0xe1:
			if exif, ok := bytes.CutPrefix(body, []byte("Exif\x00\x00")); ok {
				if d, err := newDirectory(exif); err == nil {
					orientation = d.orientation()
				}
			}
		case 0xda:
			if scans++; scans > maxScans {
				return orientation, progressive, errors.New("it has too many scans")
			}
			// What follows are the pixels, in which a marker cannot occur.
			for at+1 < len(data) {
				to := bytes.IndexByte(data[at:len(data)-1], 0xff)
				if to < 0 {
					at = len(data) - 1
					break
				}
				at += to
				if next := data[at+1]; next != 0 && (next < 0xd0 || next > 0xd7) {
					break
				}
				at++
			}
		}
	}
	return orientation, progressive, nil
}
