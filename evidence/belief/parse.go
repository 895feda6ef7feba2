package belief

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// ParseSets reads focal sets on c clusters, one per line: clusters, counted from 1, joined by +
// ("1+3"), with or without braces; "{}" or "empty" is ∅, and "all" or "omega" the frame. What
// follows a # is a comment; blank lines are left out. The sets come back as [Sort] orders them,
// each once. An error names the file (name) and the line.
func ParseSets(r io.Reader, name string, c int) ([]Set, error) {
	if err := checkClusters(c); err != nil {
		return nil, err
	}
	seen := map[Set]bool{}
	var sets []Set
	lines := bufio.NewScanner(r)
	n := 0
	for lines.Scan() {
		n++
		text, _, _ := strings.Cut(lines.Text(), "#")
		if n == 1 {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		set, problem := parseSet(text, c)
		if problem != "" {
			return nil, &fault.Input{File: name, Line: n, Problem: problem,
				Fix: fmt.Sprintf("write the clusters of a set, from 1 to %d, joined by +, such "+
					"as 1+2", c)}
		}
		if seen[set] {
			continue
		}
		if seen[set] = true; len(sets) == MaxFocal {
			return nil, &fault.Input{File: name, Line: n,
				Problem: fmt.Sprintf("there are more than %d focal sets", MaxFocal),
				Fix:     "keep those that matter"}
		}
		sets = append(sets, set)
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, &fault.Input{File: name, Line: n + 1, Problem: "the line is too long for a set",
			Fix: "write one set a line"}
	case err != nil:
		return nil, err
	case len(sets) == 0:
		return nil, &fault.Input{File: name, Problem: "there are no focal sets in it",
			Fix: "write one set a line, such as 1+2"}
	}
	return Sort(c, sets)
}

// ParseSet reads one set on c clusters as [ParseSets] does. It is the inverse of [Set.String].
func ParseSet(text string, c int) (Set, error) {
	if err := checkClusters(c); err != nil {
		return 0, err
	}
	set, problem := parseSet(strings.TrimSpace(text), c)
	if problem != "" {
		return 0, &fault.Input{Problem: problem,
			Fix: fmt.Sprintf("write the clusters of a set, from 1 to %d, joined by +, such as "+
				"{1+2}", c)}
	}
	return set, nil
}

func parseSet(text string, c int) (set Set, problem string) {
	switch strings.ToLower(text) {
	case "empty", "{}", "∅":
		return 0, ""
	case "all", "omega", "ω":
		return Omega(c), ""
	}
	inner := text
	if strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") {
		inner = text[1 : len(text)-1]
	}
	for part := range strings.SplitSeq(inner, "+") {
		k, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			return 0, fmt.Sprintf("%.60q is no set of clusters", text)
		}
		if k < 1 || k > c {
			return 0, fmt.Sprintf("there is no cluster %d", k)
		}
		if set.Has(k - 1) {
			return 0, fmt.Sprintf("cluster %d is named twice", k)
		}
		set |= Singleton(k - 1)
	}
	return set, ""
}
