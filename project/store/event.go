package store

import (
	"fmt"
	"regexp"
	"time"
	"unicode/utf8"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// Step is what happened in an event.
type Step string

// The steps. The first three are answers.
const (
	Same      Step = "same"
	Different Step = "different"
	Unknown   Step = "unknown"
	Undo      Step = "undo"   // takes back the step that Target is of
	Redo      Step = "redo"   // brings back the step that Target is of
	Skip      Step = "skip"   // puts a pair off
	Bad       Step = "bad"    // leaves the object A out as bad data
	Name      Step = "name"   // names the group that A is in by Text
	Drop      Step = "drop"   // takes the event Target out
	Groups    Step = "groups" // says how many groups are to be found: Text is a [Number]
)

// IsAnswer reports whether the step is same, different or unknown.
func (s Step) IsAnswer() bool { return s == Same || s == Different || s == Unknown }

// Kind returns the link that an answer states; unknown for other steps.
func (s Step) Kind() link.Kind {
	switch s {
	case Same:
		return link.MustLink
	case Different:
		return link.CannotLink
	}
	return link.Unknown
}

// StepOf returns the answer that states a link.
func StepOf(k link.Kind) Step {
	switch k {
	case link.MustLink:
		return Same
	case link.CannotLink:
		return Different
	}
	return Unknown
}

// Event is one step of a session. Rows are named by id, so that answers outlive a change of the
// order of rows.
type Event struct {
	Seq      int64     // order in the project, from 1; set when it is added
	ID       string    // as the client named it, unique in the project; "" when it did not
	At       time.Time // when; set when it is added if zero. Clocks jump: the order is that of Seq
	Step     Step
	A, B     string // ids of the two rows it is about; Bad and Name have A alone
	Question int    // number of the question on the screen
	Why      string // why it was asked
	Who      string // who did it; may be empty
	// of Undo, Redo and Drop: the event they are about; of an answer: the one it replaces; else 0
	Target int64
	// Seq of the first of the events done together as one step; 0 for a step of one event
	Batch  int64
	Doubt  bool // kept although it contradicts other answers
	Repeat bool // asked a second time
	// of Name: the name, empty to take it away; of Groups: a [Number]; of an answer: one, or empty
	Text string
}

// Number is what a step makes of the number of groups that the method finds: the first answer of it
// has that as Text, or Groups where the step has no answer. From 0: the method chose it.
type Number struct{ From, To int }

const numberFormat = "groups %d to %d"

// String returns the text of an event.
func (n Number) String() string { return fmt.Sprintf(numberFormat, n.From, n.To) }

// Number returns what the step makes of the number of groups; ok is false where it leaves that as
// it is.
func (e *Event) Number() (n Number, ok bool) {
	if e.Text == "" || !e.Step.IsAnswer() && e.Step != Groups {
		return n, false
	}
	_, err := fmt.Sscanf(e.Text, numberFormat, &n.From, &n.To)
	return n, err == nil
}

// The most bytes that an event takes. Ids of rows come from data and may be paths or sentences.
const (
	mostRowID = 1 << 16
	mostWho   = 256
	mostWhy   = 1 << 12
	mostText  = 1 << 10
)

// StepID is what a client may call a step.
var StepID = regexp.MustCompile(`^[A-Za-z0-9_-]{0,64}$`)

// check refuses what is no event. Targets are looked at by [File.Submit].
func (e *Event) check() error {
	pair, one := false, false
	switch e.Step {
	case Same, Different, Unknown, Skip:
		pair = true
	case Bad, Name:
		one = true
	case Undo, Redo, Drop:
		if e.Target == 0 {
			return fault.Inputf("", "a step of %s names no event", e.Step)
		}
	case Groups:
		if _, ok := e.Number(); !ok || e.A != "" || e.B != "" {
			return fault.Inputf("", "a step of %s names a number of groups alone", e.Step)
		}
	default:
		return fault.Inputf("", "there is no step %.20q", string(e.Step))
	}
	switch {
	case !StepID.MatchString(e.ID):
		return fault.Inputf("ids are at most 64 letters a–z and A–Z, digits, - and _",
			"the id %.80q of a step is not one", e.ID)
	case pair && (e.A == "" || e.B == "" || e.A == e.B):
		return fault.Inputf("", "a step of %s is about two different objects, not %.80q and %.80q",
			e.Step, e.A, e.B)
	case one && (e.A == "" || e.B != ""):
		return fault.Inputf("", "a step of %s is about one object", e.Step)
	case e.Target < 0 || e.Target > 0 && (one || e.Step == Skip || e.Step == Groups):
		return fault.Inputf("", "a step of %s has no target %d", e.Step, e.Target)
	case e.At.Year() < 0 || e.At.Year() > 9999:
		return fault.Inputf("", "the year %d is none that can be kept", e.At.Year())
	}
	for _, x := range []struct {
		what, text string
		most       int
	}{
		{"an object's id", e.A, mostRowID}, {"an object's id", e.B, mostRowID},
		{"the name of who answers", e.Who, mostWho}, {"the reason of a question", e.Why, mostWhy},
		{"the name of a group", e.Text, mostText},
	} {
		if len(x.text) > x.most {
			return fault.Inputf(fmt.Sprintf("shorten it to %d", x.most), "%s has %d bytes", x.what,
				len(x.text))
		}
	}
	if !utf8.ValidString(e.Who) || !utf8.ValidString(e.Text) {
		return fault.Inputf("", "a name is not text in UTF-8")
	}
	return nil
}
