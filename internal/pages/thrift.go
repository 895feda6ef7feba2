package pages

import (
	"encoding/binary"
	"errors"
	"io"
)

// The types of the compact protocol of Thrift.
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
const (
	thriftTrue    = 1
	thriftFalse   = 2
	thriftByte    = 3
	thriftShort   = 4
	thriftInteger = 5
	thriftLong    = 6
	thriftDouble  = 7
	thriftBinary  = 8
	thriftList    = 9
	thriftSet     = 10
	thriftMap     = 11
	thriftStruct  = 12
)

// deepestThrift is how deep records may lie in one another. Those of Parquet lie eight deep.
const deepestThrift = 32

var (
	errThrift = errors.New("its metadata cannot be understood")
	errDeep   = errors.New("the records of its metadata lie too deep in one another")
)

// thriftWalker walks over records as they are written, so that what they state is held against the
// bytes that are there before anything is allocated for it. It allocates nothing itself, whatever
// the bytes are. io.ErrUnexpectedEOF is returned where they end too early.
type thriftWalker struct {
	data []byte
	at   int
}

func (w *thriftWalker) byte() (byte, error) {
	if w.at >= len(w.data) {
		return 0, io.ErrUnexpectedEOF
	}
	w.at++
	return w.data[w.at-1], nil
}

func (w *thriftWalker) varint() (uint64, error) {
	v, n := binary.Uvarint(w.data[w.at:])
	switch {
	case n == 0:
		return 0, io.ErrUnexpectedEOF
	case n < 0:
		return 0, errThrift
	}
	w.at += n
	return v, nil
}

// integer reads a signed integer.
func (w *thriftWalker) integer() (int64, error) {
	v, err := w.varint()
	return int64(v>>1) ^ -int64(v&1), err
}

func (w *thriftWalker) pass(n uint64) error {
	if n > uint64(len(w.data)-w.at) {
		return io.ErrUnexpectedEOF
	}
	w.at += int(n)
	return nil
}

// record walks over a record. do is called with each field; it walks over the value itself where it
// returns true.
func (w *thriftWalker) record(deep int,
	do func(id int16, typ byte) (walked bool, err error)) error {
	if deep < 0 {
		return errDeep
	}
	for id := int16(0); ; {
		head, err := w.byte()
		if err != nil {
			return err
		}
		if head == 0 {
			return nil
		}
		if delta := head >> 4; delta > 0 {
			id += int16(delta)
		} else {
			v, err := w.integer()
			if err != nil {
				return err
			}
			id = int16(v)
		}
		walked, typ := false, head&15
		if do != nil {
			if walked, err = do(id, typ); err != nil {
				return err
			}
		}
		if !walked && typ != thriftTrue && typ != thriftFalse {
			if err := w.value(deep, typ); err != nil {
				return err
			}
		}
	}
}

// value walks over a value; booleans in a list are bytes.
func (w *thriftWalker) value(deep int, typ byte) error {
	switch typ {
	case thriftTrue, thriftFalse, thriftByte:
		return w.pass(1)
	case thriftDouble:
		return w.pass(8)
	case thriftBinary:
		n, err := w.varint()
		if err != nil {
			return err
		}
		return w.pass(n)
	case thriftStruct:
		return w.record(deep-1, nil)
	case thriftList, thriftSet:
		return w.list(deep, 1, nil)
	case thriftMap:
		return w.entries(deep)
	case thriftShort, thriftInteger, thriftLong:
		_, err := w.varint()
		return err
	}
	return errThrift
}

// list walks over a list whose items have at least so many bytes each; records at least three. do,
// if not nil, walks over an item that is a record.
func (w *thriftWalker) list(deep, least int, do func() error) error {
	head, err := w.byte()
	if err != nil {
		return err
	}
	n, typ := uint64(head>>4), head&15
	if n == 15 {
		if n, err = w.varint(); err != nil {
			return err
		}
	}
	if typ == thriftStruct {
		least = max(least, 3)
	}
	if n > uint64(len(w.data)-w.at)/uint64(least) {
		return io.ErrUnexpectedEOF
	}
	if deep < 0 {
		return errDeep
	}
	for range n {
		if typ == thriftStruct && do != nil {
			err = do()
		} else {
			err = w.value(deep-1, typ)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// entries walks over a map.
func (w *thriftWalker) entries(deep int) error {
	n, err := w.varint()
	if err != nil || n == 0 {
		return err
	}
	types, err := w.byte()
	if err != nil {
		return err
	}
	if n > uint64(len(w.data)-w.at)/2 {
		return io.ErrUnexpectedEOF
	}
	if deep < 0 {
		return errDeep
	}
	for range n {
		for _, typ := range [2]byte{types >> 4, types & 15} {
			if err := w.value(deep-1, typ); err != nil {
				return err
			}
		}
	}
	return nil
}
