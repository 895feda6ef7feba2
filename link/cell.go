package link

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/kindred-go/kindred/fault"
)

// Numbered resolves ids of n rows that are numbered from 1.
func Numbered(n int) func(id string) (row int, ok bool) {
	return func(id string) (int, bool) {
		i, err := strconv.Atoi(id)
		if err != nil || i < 1 || i > n || strconv.Itoa(i) != id {
			return 0, false
		}
		return i - 1, true
	}
}

// row finds the row of an id, in a CSV cell or in JSON.
func row(column, id string, resolve func(string) (int, bool)) (int, error) {
	if i, ok := resolve(id); ok {
		return i, nil
	}
	problem := fmt.Sprintf("no row has the id %s", quote(id))
	if id == "" {
		problem = "the id is empty"
	}
	fix := "use the ids of the data at hand"
	trimmed := strings.TrimSpace(id)
	for _, near := range []string{
		trimmed, strings.ToLower(trimmed), strings.ToUpper(trimmed),
		strings.TrimSuffix(trimmed, ".0"), strings.TrimLeft(trimmed, "0"),
	} {
		if _, ok := resolve(near); ok {
			fix = fmt.Sprintf("did you mean %s", quote(near))
			break
		}
	}
	return 0, &fault.Input{Column: column, Problem: problem, Fix: fix}
}

// parsePlausibility reads a plain decimal number in (0, 1]; an empty cell is 0, which means 1.
func parsePlausibility(cell string) (float64, error) {
	if cell == "" {
		return 0, nil
	}
	p, err := strconv.ParseFloat(cell, 64)
	if strings.Trim(cell, "0123456789.eE+-") == "" && err == nil && validPlausibility(p) {
		return p, nil
	}
	in := &fault.Input{
		Column:  "p",
		Problem: fmt.Sprintf("%s is not a confidence in (0, 1]", quote(cell)),
		Fix: "say how sure the stated link is, 1 for certain; for the opposite, state the " +
			"opposite link",
	}
	if strings.Contains(cell, ",") {
		in.Fix = "write the decimals after a point, as in 0.9"
	}
	return 0, in
}

// parseTime reads a moment; an empty cell is the zero time.
func parseTime(cell string) (time.Time, error) {
	if cell == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, cell)
	if err != nil {
		return time.Time{}, &fault.Input{
			Column:  "time",
			Problem: fmt.Sprintf("%s is not a time", quote(cell)),
			Fix:     "write it as in 2024-05-01T12:30:00Z (RFC 3339)",
		}
	}
	return t, nil
}

// assemble makes a link of its cells, all but the ids and kind possibly empty.
func assemble(cells map[string]string, resolve func(string) (int, bool)) (l Link, err error) {
	if l.A, err = row("a", cells["a"], resolve); err != nil {
		return l, err
	}
	if l.B, err = row("b", cells["b"], resolve); err != nil {
		return l, err
	}
	if l.Kind, err = ParseKind(cells["link"]); err != nil {
		return l, err
	}
	if l.Plausibility, err = parsePlausibility(cells["p"]); err != nil {
		return l, err
	}
	if l.Time, err = parseTime(cells["time"]); err != nil {
		return l, err
	}
	l.Source = cells["source"]
	if l.A == l.B {
		return l, fault.Inputf("link two different rows or remove the line",
			"%s is linked to itself", quote(cells["a"]))
	}
	return l, nil
}
