package link

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// ReadJSONL reads links from JSON lines, one object per line, as in
//
//	{"a":"12","b":"40","link":"same","p":0.9,"source":"ann","time":"2024-05-01T12:30:00Z"}
//
// a, b and link are needed; a and b are strings or integers. Empty lines are passed over. Values,
// ids and faults are as in [Read]; nothing is taken off an id.
func ReadJSONL(ctx context.Context, r io.Reader, file string,
	resolve func(id string) (row int, ok bool)) ([]Link, error) {
	if resolve == nil {
		resolve = Numbered(1<<31 - 1)
	}
	in, err := dataset.OpenSmallText(r, file)
	if err != nil {
		return nil, readFault(err, file)
	}
	var links []Link
	lines := bufio.NewScanner(&lineEnds{r: in})
	lines.Buffer(nil, recordMost)
	n := 0
	for lines.Scan() {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n++
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 {
			continue
		}
		if err := checkText(string(text)); err != nil {
			return nil, place(err, file, n)
		}
		cells, err := object(text)
		if err != nil {
			return nil, place(err, file, n)
		}
		l, err := assemble(cells, resolve)
		if err != nil {
			return nil, place(err, file, n)
		}
		links = append(links, l)
	}
	if err := lines.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			return nil, &fault.Input{File: file, Line: n + 1,
				Problem: fmt.Sprintf("the line is longer than %d bytes", recordMost),
				Fix:     "put one link on each line"}
		}
		return nil, readFault(err, file)
	}
	return links, ctx.Err()
}

// object reads one line. It is stricter than [json.Unmarshal], which lets the last of two equal
// keys win.
func object(text []byte) (map[string]string, error) {
	if text[0] != '{' || !json.Valid(text) {
		return nil, fault.Inputf(`write it as in {"a":"12","b":"40","link":"same"}`,
			"the line is not one JSON object")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	cells := map[string]string{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		key, _ := token.(string)
		if !slices.Contains(columns, key) {
			return nil, fault.Inputf("keep only "+strings.Join(columns, ", "),
				"nothing is known of the key %s", quote(key))
		}
		if _, twice := cells[key]; twice {
			return nil, &fault.Input{Column: key, Problem: "the key is there twice",
				Fix: "keep one"}
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		if cells[key], err = cell(key, value); err != nil {
			return nil, err
		}
	}
	for _, key := range columns[:needed] {
		if _, ok := cells[key]; !ok {
			return nil, &fault.Input{Column: key, Problem: "the key is missing",
				Fix: "give a, b and link"}
		}
	}
	return cells, nil
}

// cell returns the text of a value, which must be of the type that its key asks for.
func cell(key string, value json.RawMessage) (string, error) {
	isText := value[0] == '"'
	isNumber := value[0] == '-' || value[0] >= '0' && value[0] <= '9'
	switch {
	case isText && key != "p":
		var s string
		return s, json.Unmarshal(value, &s)
	case isNumber && key == "p":
		return string(value), nil
	case isNumber && (key == "a" || key == "b") && !bytes.ContainsAny(value, ".eE"):
		return string(value), nil
	}
	want := map[string]string{"a": "a string or a whole number", "b": "a string or a whole number",
		"p": "a number"}[key]
	if want == "" {
		want = "a string"
	}
	return "", &fault.Input{Column: key,
		Problem: fmt.Sprintf("%s is not %s", quote(string(value)), want),
		Fix:     "write " + want}
}
