package dataset

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// npyFile writes a version 1 NPY file by hand.
func npyFile(descr, fortran, shape string, values any) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, fortran,
		shape)
	for (len(header)+11)%64 != 0 {
		header += " "
	}
	header += "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), byte(len(header)>>8))
	b = append(b, header...)
	var order binary.ByteOrder = binary.LittleEndian
	if descr[0] == '>' {
		order = binary.BigEndian
	}
	var body bytes.Buffer
	if err := binary.Write(&body, order, values); err != nil {
		panic(err)
	}
	return append(b, body.Bytes()...)
}

var inf, nan = math.Inf(1), math.NaN()
