package dataset

import (
	"fmt"
	"slices"

	"golang.org/x/text/encoding/htmlindex"
)

// Reading is how a text is read as a whole. A model keeps that of the rows it was made from, so
// that new rows are read alike.
type Reading struct {
	Decimal   string   `json:"decimal,omitempty"`    // mark of numbers, "." or ","; "": not known
	DateOrder string   `json:"date_order,omitempty"` // dmy, mdy or ymd; "": not known
	NA        []string `json:"na,omitempty"`         // words set to mean a missing value; nil: none
	// Encoding is the WHATWG name of an encoding that no byte order mark shows; "": UTF-8, or not known
	Encoding string `json:"encoding,omitempty"`
}

// Empty reports whether nothing is known.
func (r Reading) Empty() bool {
	return r.Decimal == "" && r.DateOrder == "" && len(r.NA) == 0 && r.Encoding == ""
}

// check reports whether the reading is one that exists.
func (r Reading) check() error {
	if !slices.Contains([]string{"", ".", ","}, r.Decimal) {
		return fmt.Errorf("the decimal mark %q is not known", r.Decimal)
	}
	if r.Encoding != "" {
		if _, err := htmlindex.Get(r.Encoding); err != nil {
			return fmt.Errorf("the encoding %q is not known", r.Encoding)
		}
	}
	_, err := parseDateOrder(r.DateOrder)
	return err
}

// Reading returns how the text was read: what options set, else what its first rows show. It is
// empty for formats that state what their values are.
func (t *Table) Reading() (r Reading) {
	for i := range t.Columns {
		if found := t.Columns[i].store.reading; found != nil {
			r = *found
			break
		}
	}
	r.Encoding = t.charset
	return r
}
