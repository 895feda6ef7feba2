package dataset

import (
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
)

// sampled is what the first rows show about a column.
type sampled struct {
	name    string
	unnamed bool // the file has no name for it
	typ     Type
	never   string // why it cannot be a feature at all (a date, a list, bytes); "" when it can
	hidden  bool   // and cannot be kept as text either

	look  *look    // what its first values show; nil: nothing
	seeds []string // of a text or category, the values among them, sorted

	judged  bool     // the type was found from the values, by judge
	odd     []string // words among numbers that mean no missing value, a few of them
	na      *naWords // that mean a missing value; nil: none
	soft    softness
	words   bool    // the type was asked for: true and false are words like others
	moments moments // of type Time
	// turns a cell that is not missing into a number of the block; nil: a plain number is
	read  func(cell []byte) (float64, *fault.Input)
	scan  bool // and ScanNumber may be tried first
	comma bool // read takes a decimal comma

	reading *Reading // of the whole text; nil: of another format

	amount bool     // of money, per cents or seconds
	empty  []string // words among the first values that mean nothing in this column
	said   []string // notes on how a column of type Time is read
}

// assignRoles sets the type and role of every column, and how each is kept.
func assignRoles(file string, cols []sampled, o ReadOptions) ([]Column, *plan, error) {
	if err := checkNames(file, cols, o); err != nil {
		return nil, nil, err
	}
	asked, dropped := set(o.Features), set(o.Drop)
	id := -1 // named by the options
	for i, c := range cols {
		if c.name == o.ID && o.ID != "" {
			id = i
		}
	}
	columns := make([]Column, len(cols))
	p := &plan{columns: make([]columnPlan, len(cols))}
	for i, s := range cols {
		c := Column{Name: s.name, Type: s.typ,
			store: store{unnamed: s.unnamed, words: s.words, moments: s.moments, read: s.read,
				soft: s.soft, reading: s.reading, empty: s.empty, said: s.said, amount: s.amount}}
		if s.hidden {
			c.store.hidden = s.never
		}
		keep := forget
		switch {
		case i == id:
			c.Role, keep = ID, asIDs
		case o.ID == "" && !asked[s.name] && !dropped[s.name] && s.name != o.Label &&
			o.asID(i, s) != notID:
			c.Role, keep = ID, asIDs
			c.store.rank = o.asID(i, s)
			c.Why = c.store.rank.why(s)
		case o.Label != "" && s.name == o.Label:
			c.Role, keep = Label, asCodes
		case dropped[s.name]:
			c.Role = Unused
		default:
			c.Role, c.Why = o.featureOrNot(s, asked)
		}
		if c.Role != Unused && s.never != "" {
			return nil, nil, &fault.Input{File: file, Column: s.name,
				Problem: "cannot be the " + c.Role.String() + ": it " + s.never,
				Fix:     "write it as numbers or texts, or name another column"}
		}
		if c.Role == Feature {
			switch {
			case s.typ != Number && s.typ != Time:
				keep = asSlot
			case s.read != nil:
				keep = asRead
			default:
				keep = asNumber
			}
		}
		if c.Role == Unused && o.Keep && !s.hidden {
			keep = asText
			if s.typ == Category || s.typ == Boolean {
				keep = asCodes
			}
		}
		var limit *levelLimit
		// with too many levels it is no feature, and is not shown
		if keep == asSlot && !asked[s.name] && !o.Keep {
			limit = &levelLimit{seeds: s.seeds}
		}
		if keep == asSlot && !o.Plain && (s.typ != Text || limit != nil) {
			c.store.seeds = s.seeds
		}
		columns[i] = c
		p.place(i, s.name, keep, limit)
		how := &p.columns[i]
		how.read, how.na, how.soft, how.judged = s.read, s.na, s.soft, s.judged
		how.odd = s.odd
		how.comma = keep == asRead && s.comma
		how.scan = keep == asNumber && !s.na.numbers() || keep == asRead && s.scan
		if keep == asRead && s.typ == Time && o.Keep { // to be shown as it is written
			how.also, p.texts = p.texts, p.texts+1
		}
	}
	return columns, p, nil
}

// place returns a column its slot, dictionary (with a limit, unless that is nil) or text.
func (p *plan) place(i int, name string, keep keeping, limit *levelLimit) {
	c := columnPlan{name: name, keep: keep, also: -1}
	switch keep {
	case asNumber, asRead:
		c.slot = p.width
		p.width++
	case asSlot:
		c.slot, c.part = p.width, p.dicts
		p.width++
		p.dicts++
		p.limits = append(p.limits, limit)
	case asCodes:
		c.part = p.dicts
		p.dicts++
		p.limits = append(p.limits, limit)
	case asText, asIDs:
		c.part = p.texts
		p.texts++
	}
	p.columns[i] = c
}

// featureOrNot decides on a column that is neither id, label nor dropped.
func (o *ReadOptions) featureOrNot(s sampled, asked map[string]bool) (Role, string) {
	_, typed := o.Types[s.name]
	switch {
	case asked[s.name]:
		return Feature, ""
	case len(asked) > 0 && s.name == o.Beside:
		return Unused, ""
	case len(asked) > 0:
		return Unused, "is not among the features asked for"
	case looksLikeLabel(s.name):
		return Unused, LikeClasses(s.name)
	case s.never != "":
		return Unused, s.never
	case s.typ == Time && o.Dates == DatesNone:
		return Unused, "holds " + s.moments.kind.String() + ": --dates auto compares them"
	case s.typ == Time:
		return Feature, "holds " + s.moments.kind.String()
	case !o.plainRoles() && !typed && s.isCode(o.Earlier):
		return Unused, "is named like ids or codes, whose size means nothing: --types " +
			words.Shell(s.name) + "=category compares it"
	case !o.plainRoles() && !typed && (s.typ == Text || s.typ == Category) &&
		namesOf(s.name, o.Earlier) == namedShown:
		return Unused, "is named like names or addresses: --features " + words.Shell(s.name) +
			" compares it"
	case s.typ == Text:
		return Unused, "is text with many different values: --text compares it"
	case s.typ == Number:
		return Feature, "holds numbers"
	case s.typ == Boolean:
		return Feature, "holds true and false"
	}
	return Feature, "holds few different values"
}

// isCode reports whether a column is named as ids or codes are, and its values do not contradict:
// numbers that are not whole measure something. earlier is as in [ReadOptions].
func (s *sampled) isCode(earlier bool) bool {
	whole := s.typ != Number || s.look == nil || s.look.whole
	switch namesOf(s.name, earlier) {
	case namedID, namedKey:
		return whole && s.typ != Boolean
	case namedNumber: // with leading zeros, as only numbers that are codes have
		return (s.typ == Text || s.typ == Category) && s.look != nil && s.look.whole
	case namedCode:
		return whole && s.typ != Boolean && (s.look == nil || !s.look.small)
	}
	return false
}

// idRank is how likely a column is to name the rows: the least before others, and the first column
// of those that are alike.
type idRank int

const (
	notID      idRank = iota
	idByName          // id, index or uuid
	idUnnamed         // the first column, without a name
	idByKey           // as customer_id
	idByNumber        // as order_no, number or key
	idByCodes         // its values are codes
)

// why returns why a column names the rows.
func (r idRank) why(s sampled) string {
	switch r {
	case idUnnamed:
		return "is the first column, has no name and all its values differ"
	case idByCodes:
		return "holds " + s.look.codes + ", which all differ"
	}
	return "is named like an id and all its values differ"
}

// asID ranks a column among those that may name the rows.
func (o *ReadOptions) asID(i int, s sampled) idRank {
	_, typed := o.Types[s.name]
	name := namesOf(s.name, o.Earlier)
	// the first rows do not contradict
	unique := s.look == nil || s.look.distinct && s.look.values > 1
	whole := s.typ != Number || s.look == nil || s.look.whole
	switch {
	case s.never != "" || s.typ == Time || !o.plainRoles() && name == namedShown:
		return notID
	case name == namedID:
		return idByName
	case i == 0 && s.unnamed:
		return idUnnamed
	case o.plainRoles() || typed || s.typ == Boolean || looksLikeLabel(s.name):
		return notID
	case name == namedKey && unique && whole:
		return idByKey
	case name == namedNumber && s.look != nil && unique && whole && s.typ != Category:
		return idByNumber
	case s.typ == Text && s.look != nil && s.look.codes != "":
		return idByCodes
	}
	return notID
}

func looksLikeLabel(name string) bool {
	switch strings.ToLower(name) {
	case "class", "label", "target", "species":
		return true
	}
	return false
}

// LikeClasses returns why a column that looks like the true classes is no feature, see
// [Column.Why].
func LikeClasses(name string) string {
	return "looks like the true classes: --label " + words.Shell(name) +
		" uses it, --features puts it in"
}

func set(names []string) map[string]bool {
	s := make(map[string]bool, len(names))
	for _, name := range names {
		s[name] = true
	}
	return s
}

// checkNames refuses columns with the same name, names in the options that no column has, and
// options that contradict each other.
func checkNames(file string, cols []sampled, o ReadOptions) error {
	known := make(map[string]int, len(cols))
	for i, c := range cols {
		if j, twice := known[c.name]; twice {
			return &fault.Input{File: file, Column: c.name,
				Problem: "the " + ordinal(j) + " and the " + ordinal(i) +
					" column have the same name",
				Fix: "rename one of them"}
		}
		known[c.name] = i
	}
	dropped := set(o.Drop)
	find := func(option, name string) error {
		if _, ok := known[name]; ok {
			return nil
		}
		in := &fault.Input{File: file,
			Problem: option + " names " + quote([]byte(name)) + ", but there is no such column"}
		names := make([]string, len(cols))
		for i, c := range cols {
			names[i] = c.name
		}
		in.Fix = suggest(name, names)
		return in
	}
	if o.ID != "" {
		if err := find("--id", o.ID); err != nil {
			return err
		}
	}
	if o.Label != "" {
		if err := find("--label", o.Label); err != nil {
			return err
		}
		if o.Label == o.ID {
			return &fault.Input{File: file, Column: o.ID,
				Problem: "is named both as the id and as the label", Fix: "give it one role"}
		}
	}
	for _, name := range o.Features {
		if err := find("--features", name); err != nil {
			return err
		}
		for role, other := range map[string]string{"the id": o.ID, "the label": o.Label} {
			if name == other {
				return &fault.Input{File: file, Column: name,
					Problem: "is named both as a feature and as " + role, Fix: "give it one role"}
			}
		}
		if dropped[name] {
			return &fault.Input{File: file, Column: name,
				Problem: "is named both as a feature and to be dropped", Fix: "give it one role"}
		}
	}
	for _, name := range o.Drop {
		if err := find("--drop", name); err != nil {
			return err
		}
		if name == o.ID || name == o.Label {
			return &fault.Input{File: file, Column: name,
				Problem: "is to be dropped but has a role as well", Fix: "give it one role"}
		}
	}
	return nil
}
