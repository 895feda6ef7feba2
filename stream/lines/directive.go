package lines

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/stream"
)

// Fixes for lines with a link or a row to forget.
const (
	fixLink = "write it as @link,12,15,same,0.9: two ids, then same, different or unknown, " +
		"and the confidence where it is not 1"
	fixForget = "write it as @forget,12"
	fixJSON   = `write it as {"@link":"same","a":"12","b":"15","p":0.9} or {"@forget":"12"}`
)

// directiveCSV reads the line at text[i] where its first field is @link or @forget, and returns the
// next line; is is false where the line is a row.
func (d *Decoder) directiveCSV(text []byte, i int, b *stream.Block) (next int, is bool) {
	line := text[i:nextLine(text, i)]
	word, _, problem := d.field(line, 0)
	if problem != nil || string(word) != "@link" && string(word) != "@forget" {
		return i, false
	}
	forget := string(word) == "@forget"
	var cells []string
	for at := 0; ; {
		value, after, problem := d.field(line, at)
		if problem != nil {
			if problem == errOpen {
				problem = fault.Inputf("", "a quote opens in it and is never closed")
			}
			d.badLine(b, problem.Problem, fixLink)
			return i + len(line), true
		}
		cells = append(cells, string(value))
		if line[after] != d.sep {
			break
		}
		at = after + 1
	}
	fix := fixLink
	if forget {
		fix = fixForget
	}
	switch {
	case d.dirty(line):
		d.badLine(b, "it is not UTF-8 text", fix)
	case forget && len(cells) == 2:
		d.forget(b, cells[1], fix)
	case !forget && (len(cells) == 4 || len(cells) == 5):
		p := ""
		if len(cells) == 5 {
			p = cells[4]
		}
		d.link(b, cells[1], cells[2], cells[3], p, fix)
	default:
		d.badLine(b, "it has "+strconv.Itoa(len(cells))+" fields", fix)
	}
	return i + len(line), true
}

// directiveJSON reads an object with a key that begins with @.
func (d *Decoder) directiveJSON(line []byte, b *stream.Block) {
	var directive struct {
		Link   *string `json:"@link"`
		Forget any     `json:"@forget"`
		A, B   any
		P      json.Number `json:"p"`
	}
	r := json.NewDecoder(bytes.NewReader(line))
	r.UseNumber()
	r.DisallowUnknownFields()
	err := r.Decode(&directive)
	switch {
	case err != nil:
		d.badLine(b, "it cannot be read", fixJSON)
	case directive.Link != nil && directive.Forget == nil:
		d.link(b, id(directive.A), id(directive.B), *directive.Link, directive.P.String(), fixJSON)
	case directive.Forget != nil && directive.Link == nil && directive.A == nil &&
		directive.B == nil:
		d.forget(b, id(directive.Forget), fixJSON)
	default:
		d.badLine(b, "it holds neither one link nor one row to forget", fixJSON)
	}
}

// id returns an id of JSON: a string or a number; "" for anything else.
func id(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// link makes a note of a link.
func (d *Decoder) link(b *stream.Block, x, y, kind, p, fix string) {
	n := stream.Note{Before: b.Len(), Kind: stream.LinkNote, A: x, B: y}
	var err error
	if n.Link, err = link.ParseKind(strings.TrimSpace(kind)); err != nil {
		var in *fault.Input
		problem := err.Error()
		if errors.As(err, &in) {
			problem = in.Problem
		}
		d.badLine(b, problem, fix)
		return
	}
	if p != "" {
		n.Confidence, err = strconv.ParseFloat(p, 64)
		if err != nil || strings.Trim(p, "0123456789.eE+-") != "" ||
			!(n.Confidence > 0 && n.Confidence <= 1) {
			d.badLine(b, quote([]byte(p))+" is not a confidence in (0, 1]", fix)
			return
		}
	}
	switch {
	case x == "" || y == "":
		d.badLine(b, "an id is missing", fix)
	case x == y:
		d.badLine(b, quote([]byte(x))+" is linked to itself", "link two different rows")
	default:
		b.Notes = append(b.Notes, n)
	}
}

// forget makes a note of a row that leaves.
func (d *Decoder) forget(b *stream.Block, x, fix string) {
	if x == "" {
		d.badLine(b, "the id is missing", fix)
		return
	}
	b.Notes = append(b.Notes, stream.Note{Before: b.Len(), Kind: stream.ForgetNote, A: x})
}

// badLine makes a note of a line that is no row and cannot be read.
func (d *Decoder) badLine(b *stream.Block, problem, fix string) {
	b.Bad(fault.Inputf(fix, "in a line with @ before row %d %s", d.rows+1, problem).In(d.name))
}
