package dataset

import (
	"bytes"
	"maps"
	"slices"
)

// look is what the sampled values of a column show about what it is for.
type look struct {
	values   int    // that are present
	distinct bool   // no two are equal
	whole    bool   // all are whole numbers
	small    bool   // and none has more than two digits
	codes    string // what they are, as "UUIDs"; "": no codes
}

// fewestCodes is how many values at least make codes of texts, by how they are written.
const fewestCodes = 5

// seen returns what the sampled values are, and the different ones of them, sorted.
func (v *vote) seen() (*look, []string) {
	seeds := slices.Sorted(maps.Keys(v.distinct))
	l := &look{values: v.present, distinct: len(seeds) == v.present, whole: true, small: true}
	uuids, prefixed := true, true
	prefix := ""
	for i, s := range seeds {
		text := []byte(s)
		digits := bytes.TrimLeft(text, "+-")
		l.whole = l.whole && areDigits(digits)
		l.small = l.small && len(digits) < 3
		uuids = uuids && isUUID(text)
		before := bytes.TrimRight(text, "0123456789")
		if i == 0 {
			prefix = string(before)
		}
		prefixed = prefixed && string(before) == prefix && len(text)-len(before) > 1
	}
	prefixed = prefixed && prefix != "" && len(prefix) <= 6 && prefix[0] > '9' &&
		len(bytes.Fields([]byte(prefix))) == 1
	switch {
	case v.present < fewestCodes || !l.distinct:
	case uuids:
		l.codes = "UUIDs"
	case prefixed:
		l.codes = "codes such as " + seeds[0]
	}
	return l, seeds
}

// observe sets what the values show, for a column whose type is decided by them.
func (s *sampled) observe(v *vote) {
	s.look, s.seeds = v.seen()
	if s.typ != Category && s.typ != Boolean && s.typ != Text {
		s.seeds = nil
	}
}

func areDigits(s []byte) bool {
	for _, b := range s {
		if b-'0' > 9 {
			return false
		}
	}
	return len(s) > 0
}

// isUUID reports whether a text is 32 hexadecimal digits, in groups as UUIDs have them or in one.
func isUUID(s []byte) bool {
	if len(s) == 36 {
		for _, i := range [4]int{8, 13, 18, 23} {
			if s[i] != '-' {
				return false
			}
		}
		s = bytes.ReplaceAll(s, []byte("-"), nil)
	}
	for _, b := range s {
		if b|0x20 < 'a' && b-'0' > 9 || b|0x20 > 'f' {
			return false
		}
	}
	return len(s) == 32
}
