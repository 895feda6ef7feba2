package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
)

// checkQuery refuses settings that name both a table and a query, and queries that are no question.
func checkQuery(name string, o ReadOptions) error {
	if o.Query == "" {
		return nil
	}
	if o.Table != "" {
		return &fault.Input{File: name, Problem: "--table and --query both say what to read",
			Fix: "give one of them"}
	}
	first := strings.TrimLeft(o.Query, " \t\r\n(")
	if end := strings.IndexAny(first, " \t\r\n(*'\""); end >= 0 {
		first = first[:end]
	}
	switch strings.ToUpper(first) {
	case "SELECT", "WITH", "VALUES":
		return nil
	}
	return &fault.Input{File: name, Problem: "the query does not begin with SELECT, WITH or VALUES",
		Fix: "give a statement that returns rows, such as SELECT * FROM name"}
}

// quoteName quotes a name in SQL.
func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// chooseTable finds the table that is named, whatever its case where no other has the same, or the
// only one, and notes them all in t.
func chooseTable(file string, names []string, asked string, t *Table) (name, note string,
	err error) {
	t.Parts = &Parts{What: "table", Names: names}
	defer func() { t.Parts.Chosen = name }()
	switch {
	case asked != "":
		var alike []string
		for _, n := range names {
			if n == asked {
				return n, "", nil
			}
			if strings.EqualFold(n, asked) {
				alike = append(alike, n)
			}
		}
		if len(alike) == 1 {
			return alike[0], "", nil
		}
		in := &fault.Input{File: file, Problem: "has no table " + quote([]byte(asked)),
			Fix: "the tables are " + words.UpTo(names, 20)}
		near, ok := words.Nearest(asked, names)
		switch {
		case len(names) == 0:
			in.Fix = "it has none that may be read"
		case len(alike) > 1:
			in.Fix = "give one of " + words.UpTo(alike, 20) + " as it is written"
		case ok:
			in.Fix = "did you mean " + strconv.Quote(near) + "? " + in.Fix
		}
		return "", "", in
	case len(names) == 0:
		return "", "", &fault.Input{File: file, Problem: "has no tables",
			Fix: "give a database with one"}
	case len(names) > 1:
		return "", "", &fault.Input{File: file,
			Problem: "has " + itoa(len(names)) + " tables: " + words.UpTo(names, 20),
			Fix:     "choose one with --table NAME, or give --query SQL"}
	}
	return names[0], "table " + names[0], nil
}

// withQuery takes what was asked of a database into its fingerprint.
func withQuery(fingerprint string, o ReadOptions) string {
	sum := sha256.Sum256([]byte(fingerprint + "\n" + o.Table + "\n" + o.Query))
	return hex.EncodeToString(sum[:])
}

// allowance bounds the bytes that the cells of a query may have together.
type allowance struct {
	of          string
	limit, left int64
}

func newAllowance(name string, limit int64) allowance { return allowance{name, limit, limit} }

func (a *allowance) spend(n int) { a.left -= int64(n) }

// over returns an error where more was spent than there was.
func (a *allowance) over() error {
	if a.left >= 0 {
		return nil
	}
	return &fault.Input{File: a.of,
		Problem: "the rows have more than " + strconv.FormatInt(a.limit, 10) + " bytes",
		Fix:     "ask for fewer, or raise --inflate-limit if the data can be trusted"}
}
