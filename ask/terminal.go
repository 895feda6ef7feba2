package ask

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"golang.org/x/term"

	"github.com/kindred-go/kindred/link"
)

// ErrInterrupted is returned when Ctrl-C was typed at a question.
var ErrInterrupted = errors.New("ask: interrupted")

// Terminal asks a person, one key an answer. It is made by [NewTerminal].
type Terminal struct {
	out       io.Writer
	show      func(q link.Question) string
	name      func(row int) string
	steps     bool
	remaining func() (likely, most int)
	estimated bool
	raw       func() (restore func(), err error)
	keys      chan key
	want      chan struct{}
	styled    bool
	blank     bool     // of a stream: the line under way has no key yet
	rest      []string // of a stream: what may be left of the word that the last key began
	reading   bool     // a byte is wanted and has not come yet
	ended     error    // what ended the input
}

type key struct {
	char byte
	err  error
}

// TerminalConfig sets where and how to ask. Show is needed; the rest may be zero.
type TerminalConfig struct {
	// Show returns the picture of a question: the two objects, ending in a line break.
	Show func(q link.Question) string
	// Name returns what the reason of a question calls a row; nil: the first and the second.
	Name func(row int) string
	// Remaining, if set, estimates how many answers are left; see [Session.Remaining].
	Remaining func() (likely, most int)
	// Estimated means that neither number of Remaining is a bound, as answers may raise new
	// questions.
	Estimated bool
	// Steps offers [Later], and to leave an object out; else k is [DontKnow].
	Steps bool
	// FD is the file descriptor of the input where it is a terminal: keys are then taken without
	// Enter.
	FD int
	// IsTerminal reports that FD is a terminal, as file descriptor 0 often is. Else the input is
	// read as a stream, in which blanks and line breaks are skipped. A choice may be written out
	// there, as in "same", and a word that begins with another letter is no choice as a whole.
	IsTerminal bool
	// Styled allows bold text.
	Styled bool
}

// NewTerminal asks on out and takes keys from in.
func NewTerminal(in io.Reader, out io.Writer, cfg TerminalConfig) *Terminal {
	t := &Terminal{
		out:       out,
		show:      cfg.Show,
		name:      cfg.Name,
		steps:     cfg.Steps,
		remaining: cfg.Remaining,
		estimated: cfg.Estimated,
		keys:      make(chan key, 1),
		want:      make(chan struct{}),
		styled:    cfg.Styled,
		blank:     true,
	}
	if cfg.IsTerminal {
		t.raw = func() (func(), error) {
			state, err := term.MakeRaw(cfg.FD)
			if err != nil {
				return nil, err
			}
			return func() { term.Restore(cfg.FD, state) }, nil
		}
	}
	go t.read(in)
	return t
}

// Close ends the reading of keys. A read under way goes on until its key, which is lost.
func (t *Terminal) Close() { close(t.want) }

// read takes one byte each time one is wanted, so that nothing is read ahead of a question.
func (t *Terminal) read(in io.Reader) {
	buf := make([]byte, 1)
	for range t.want {
		_, err := io.ReadFull(in, buf)
		t.keys <- key{buf[0], err}
		if err != nil {
			return
		}
	}
}

const (
	choices = "[s] same   [d] different   [?] don't know   "
	further = "[k] later   [b] bad data   "
	others  = "[u] undo   [r] redo   [q] quit  › "
)

// bad stands for the key that leads to [LeaveFirst] and [LeaveSecond], help for the one that lists
// the keys.
const (
	bad  = LeaveSecond + 1
	help = bad + 1
)

// replies are the keys of Ask. A blank means something on a terminal alone.
var replies = map[byte]Reply{
	's': Same, '=': Same, 'd': Different, '!': Different, '?': DontKnow, ' ': DontKnow,
	'k': DontKnow, 'u': Undo, 'r': Redo, 'q': Quit, 'h': help,
}

// helped are the keys, one per line; those of further are offered with steps alone.
const (
	helpedChoices = `
  s or =      same: the two belong to one group
  d or !      different: they belong to two groups
  %-11s don't know: it cannot be told from what is shown
`
	helpedFurther = `  k           later: ask about the pair when nothing else is left
  b           bad data: leave one of the two out, which is asked next
`
	helpedOthers = `  u           undo: take the last step back
  r           redo: do again what was undone
  q           quit: show the groups
  h           this list

`
)

// Ask shows the two objects and waits for a key. The end of the input is [Quit].
func (t *Terminal) Ask(ctx context.Context, q link.Question) (Reply, error) {
	why := q.Why
	if t.name != nil {
		why = Why(q, t.name)
	}
	fmt.Fprintf(t.out, "\n%s%s\n%s\n", t.bold(fmt.Sprintf("Question %d", q.Number)), t.outlook(),
		why)
	fmt.Fprint(t.out, t.show(q))
	prompt, keys := choices, maps.Clone(replies)
	if t.raw != nil {
		prompt = strings.Replace(prompt, "[?]", "[space]", 1)
	}
	if t.steps {
		prompt += further
		keys['k'], keys['b'] = Later, bad
	}
	for {
		reply, err := choose(ctx, t, prompt+others, keys, Quit)
		if reply == bad && err == nil {
			reply, err = t.which(ctx, q)
		}
		switch {
		case err != nil, reply != bad && reply != help:
			return reply, err
		case reply == help:
			t.help()
		}
	}
}

// help lists the keys of a question.
func (t *Terminal) help() {
	unknown := "? or k"
	switch {
	case t.raw != nil && t.steps:
		unknown = "space or ?"
	case t.raw != nil:
		unknown = "space, ?, k"
	case t.steps:
		unknown = "?"
	}
	fmt.Fprintf(t.out, helpedChoices, unknown)
	if t.steps {
		fmt.Fprint(t.out, helpedFurther)
	}
	fmt.Fprint(t.out, helpedOthers)
}

// which asks which of two objects is bad data; the reply is bad where neither is.
func (t *Terminal) which(ctx context.Context, q link.Question) (Reply, error) {
	first, second := "the first", "the second"
	if t.name != nil {
		first, second = t.name(q.A), t.name(q.B)
	}
	prompt := fmt.Sprintf("Which is bad data and left out?   [1] %s   [2] %s   [b] back   "+
		"[q] quit  › ", first, second)
	return choose(ctx, t, prompt, map[byte]Reply{'1': LeaveFirst, '2': LeaveSecond, 'b': bad,
		'q': Quit}, Quit)
}

// Nothing reports that there is nothing to undo, or to redo.
func (t *Terminal) Nothing(reply Reply) {
	what := "undo"
	if reply == Redo {
		what = "redo"
	}
	fmt.Fprintf(t.out, "\nThere is nothing to %s.\n", what)
}

// Heed marks the groups as settled.
func (t *Terminal) Heed() {
	fmt.Fprint(t.out, "\nThe last answers changed nothing, so more are unlikely to change the "+
		"groups: [q] shows them, or answer on.\n")
}

// Finish lets the last answer be taken back at the end.
func (t *Terminal) Finish(ctx context.Context, more bool) (Reply, error) {
	if more {
		fmt.Fprint(t.out, "\nThe budget of answers is used up; questions are left.\n")
	} else {
		fmt.Fprint(t.out, "\nNo question is left.\n")
	}
	return choose(ctx, t, "[u] undo   [Enter] show the groups  › ", map[byte]Reply{
		'u': Undo, '\r': Quit, '\n': Quit, 'q': Quit,
	}, Quit)
}

func (t *Terminal) outlook() string {
	if t.remaining == nil {
		return ""
	}
	likely, most := t.remaining()
	switch {
	case t.estimated && most == 0:
		return " · no row is between groups"
	case t.estimated && likely == 0: // settled, which is shown elsewhere
		return ""
	case t.estimated:
		switch least, upto := Between(likely, most); upto {
		case 0:
			return " · stop when the groups are right: [q] shows them"
		case least:
			return fmt.Sprintf(" · perhaps %d more", upto)
		default:
			return fmt.Sprintf(" · perhaps %d to %d more", least, upto)
		}
	case likely == most:
		return fmt.Sprintf(" · %d more at most", most)
	}
	return fmt.Sprintf(" · at least about %d more, %d at most", likely, most)
}

// spelled is what is left of the choices that begin with a key, written out.
var spelled = map[byte][]string{'s': {"ame"}, 'd': {"ifferent"}, 'u': {"ndo"}, 'r': {"edo"},
	'q': {"uit"}, 't': {"ake"}, 'k': {"eep"}, 'c': {"orrect"}, 'b': {"ack", "ad"},
	'h': {"elp"}}

// spell goes on with a letter of the word that the last key began, and reports whether the letter
// belongs to it.
func (t *Terminal) spell(letter byte) bool {
	var rest []string
	for _, word := range t.rest {
		if word != "" && word[0] == letter {
			rest = append(rest, word[1:])
		}
	}
	t.rest = rest
	return rest != nil
}

// choose waits for a key of choices and returns what it stands for, or end at the end of the input.
func choose[T any](ctx context.Context, t *Terminal, prompt string, choices map[byte]T,
	end T) (T, error) {
	k, err := t.Key(ctx, prompt, string(slices.Sorted(maps.Keys(choices))))
	if errors.Is(err, io.EOF) {
		return end, nil
	}
	if err != nil {
		return end, err
	}
	return choices[k], nil
}

// Key prompts for one of some keys and returns it; letters are small. The end of the input, or of
// what shows the prompt, is [io.EOF], and Ctrl-C is [ErrInterrupted].
func (t *Terminal) Key(ctx context.Context, prompt, keys string) (byte, error) {
	if _, err := fmt.Fprint(t.out, prompt); err != nil {
		return 0, io.EOF // whoever would press a key sees no question
	}
	refused := false // the word under way is no choice
	var escape byte  // what an escape sequence, such as an arrow key's, has come to
	for {
		k, err := t.key(ctx)
		if errors.Is(err, io.EOF) {
			fmt.Fprintln(t.out, "(end of input)")
			return 0, err
		}
		if err != nil {
			fmt.Fprintln(t.out)
			return 0, err
		}
		if escape, k = inSequence(escape, k); k == 0 {
			continue
		}
		blank := t.blank // nothing but blanks before it on its line
		t.blank = k == '\n' || blank && strings.IndexByte(" \t\r", k) >= 0
		if k >= 'A' && k <= 'Z' {
			k += 'a' - 'A'
		}
		letter := t.raw == nil && k >= 'a' && k <= 'z'
		if refused = refused && letter; refused {
			continue
		}
		if letter && t.spell(k) {
			continue
		}
		t.rest = nil
		switch {
		case strings.IndexByte(keys, k) >= 0 && (t.raw != nil || k != ' '):
			if letter {
				t.rest = spelled[k]
			}
			fmt.Fprintln(t.out, strings.TrimSpace(string(k)))
			return k, nil
		case t.raw == nil && k == '\n' && blank:
			fmt.Fprintf(t.out, "(an empty line is no choice)\n%s", prompt)
		case t.raw == nil && strings.IndexByte(" \t\r\n", k) >= 0:
			// A stream has a line break after each key, and may have blanks.
		case k >= ' ' && k < 0x7f:
			refused = letter
			hint := ""
			if strings.IndexByte(keys, 'h') >= 0 {
				hint = ": h lists the keys"
			}
			fmt.Fprintf(t.out, "%c is no choice%s\n%s", k, hint, prompt)
		}
	}
}

// inSequence follows an escape sequence, whose letters are no answers: ESC [ … up to a letter or ~,
// ESC O and a letter, or ESC and one character. It returns the state of the sequence, and the
// key, or 0 when it belongs to a sequence.
func inSequence(so, k byte) (byte, byte) {
	const esc = 0x1b
	switch {
	case k == esc:
		return esc, 0
	case so == esc && (k == '[' || k == 'O'):
		return k, 0
	case so == '[' && (k < '@' || k > '~'):
		return '[', 0
	case so != 0:
		return 0, 0
	}
	return 0, k
}

// key waits for one byte, in raw mode where the input is a terminal.
func (t *Terminal) key(ctx context.Context) (byte, error) {
	if t.raw != nil {
		restore, err := t.raw()
		if err != nil {
			return 0, err
		}
		defer restore()
	}
	if t.ended != nil {
		return 0, t.ended
	}
	// A byte wanted for a question that was cancelled is still on its way.
	if !t.reading {
		select {
		case t.want <- struct{}{}:
			t.reading = true
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	select {
	case k := <-t.keys:
		t.reading = false
		const ctrlC, ctrlD = 3, 4
		switch {
		case k.err != nil:
			t.ended = k.err
			return 0, k.err
		case k.char == ctrlC:
			return 0, ErrInterrupted
		case k.char == ctrlD:
			return 0, io.EOF
		}
		return k.char, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func (t *Terminal) bold(s string) string {
	if !t.styled {
		return s
	}
	return "\x1b[1m" + s + "\x1b[0m"
}
