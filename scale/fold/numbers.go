package fold

import (
	"encoding/binary"
	"fmt"
)

// AppendNumbers appends numbers of eight bytes each, little-endian: int64, uint64 and float64, and
// slices and structs of them.
func AppendNumbers(to []byte, values ...any) []byte {
	for _, v := range values {
		var err error
		if to, err = binary.Append(to, binary.LittleEndian, v); err != nil {
			panic(err) // of a type without a size
		}
	}
	return to
}

// Numbers reads what [AppendNumbers] wrote into slices, which have their lengths already, and
// pointers. It fails where data are longer or shorter.
func Numbers(data []byte, into ...any) error {
	left := data
	for _, v := range into {
		n, err := binary.Decode(left, binary.LittleEndian, v)
		if err != nil {
			return fmt.Errorf("fold: %d bytes are too few numbers", len(data))
		}
		left = left[n:]
	}
	if len(left) > 0 {
		return fmt.Errorf("fold: %d bytes are too many numbers", len(data))
	}
	return nil
}
