package dataset

import "errors"

// Parts are what a file holds of which one is read: the sheets of a workbook, the arrays of an .npz
// file, or the tables of a database.
type Parts struct {
	What   string   `json:"what"`             // "sheet", "array" or "table"
	Names  []string `json:"names"`            // in the order of the file; tables by name
	Chosen string   `json:"chosen,omitempty"` // the one that is read; "" where none is chosen yet
}

// Setting returns the name of the option by which one of the parts is chosen, "sheet" or "table".
func (p *Parts) Setting() string {
	if p.What == "table" {
		return "table"
	}
	return "sheet"
}

// partsError is an error of a file of which the parts are known.
type partsError struct {
	error
	parts *Parts
}

func (e *partsError) Unwrap() error { return e.error }

// PartsOf returns the parts of the file that could not be read with err, or nil where it has none
// or they are not known.
func PartsOf(err error) *Parts {
	if e, ok := errors.AsType[*partsError](err); ok {
		return e.parts
	}
	return nil
}

// withParts adds the parts of the file, where they are known, to an error of reading it.
func (t *Table) withParts(err error) error {
	if err == nil || t.Parts == nil {
		return err
	}
	return &partsError{err, t.Parts}
}
