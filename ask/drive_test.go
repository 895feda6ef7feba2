package ask_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// list asks fixed questions, and may fail after some answers.
type list struct {
	questions []link.Question
	fails     int // 0: at no time
}

var errBroken = errors.New("broken")

func (l *list) Questions(_ context.Context, known *ask.Ledger, most int) (open []ask.Prompt,
	err error) {
	if l.fails > 0 && len(known.Answers()) >= l.fails {
		return nil, errBroken
	}
	for _, q := range l.questions {
		if _, said := known.Answered(q.A, q.B); !said && len(open) < most {
			open = append(open, ask.Prompt{Question: q})
		}
	}
	return open, nil
}

func (l *list) Remaining(known *ask.Ledger) (likely, most int) {
	n := len(l.questions) - len(known.Answers())
	return n, n
}

// calm is a list that is settled after some answers.
type calm struct {
	*list
	after int
}

func (c calm) Settled(known *ask.Ledger) bool { return len(known.Answers()) >= c.after }

var _ ask.Settler = calm{}

// begin starts a session of three rows, in which answers may contradict each other.
func begin(c ask.Chooser) *ask.Session {
	s, err := ask.Begin(context.Background(), 3, nil, link.Keep, c)
	if err != nil {
		panic(err)
	}
	return s
}

func questions() *list {
	return &list{questions: []link.Question{{A: 0, B: 1}, {A: 1, B: 2}, {A: 0, B: 2}}}
}

func three() *ask.Session { return begin(questions()) }

// kinds are the answers of a session.
func kinds(s *ask.Session) (out []link.Kind) {
	for _, l := range s.Answers() {
		out = append(out, l.Kind)
	}
	return out
}

const same, different, unknown = link.MustLink, link.CannotLink, link.Unknown

func TestLabelsAnswer(t *testing.T) {
	l := three()
	if err := ask.Drive(t.Context(), l, ask.Labels([]int32{4, 4, -1}), 0, nil); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(kinds(l), []link.Kind{same, unknown, unknown}) {
		t.Errorf("answers %v", kinds(l))
	}
	if err := ask.Drive(t.Context(), three(), ask.Labels([]int32{1}), 0, nil); err == nil {
		t.Error("labels for too few rows answer")
	}
}

func TestBudgetCountsAnswersInEffect(t *testing.T) {
	l := three()
	if err := ask.Drive(t.Context(), l, ask.Labels([]int32{1, 1, 2}), 2, nil); err != nil ||
		len(l.Answers()) != 2 {
		t.Errorf("%v %v", kinds(l), err)
	}
}

func TestRecordComesBeforeTheNextQuestion(t *testing.T) {
	l := three()
	kept := 0
	oracle := ask.Func(func(_ context.Context, q link.Question) (ask.Reply, error) {
		if kept != q.Number-1 {
			t.Errorf("question %d is asked when %d answers are kept", q.Number, kept)
		}
		return ask.Same, nil
	})
	if err := ask.Drive(t.Context(), l, oracle, 0,
		func(ask.Event) error { kept++; return nil }); err != nil {
		t.Fatal(err)
	}
	full := errors.New("disk full")
	if err := ask.Drive(t.Context(), three(), ask.Labels([]int32{1, 1, 1}), 0,
		func(ask.Event) error { return full }); err != full {
		t.Errorf("a failing record gave %v", err)
	}
}

func terminal(keys string) (*ask.Terminal, *strings.Builder) {
	var out strings.Builder
	return ask.NewTerminal(strings.NewReader(keys), &out, ask.TerminalConfig{
		Show:      func(q link.Question) string { return "the two rows\n" },
		Remaining: func() (int, int) { return 2, 5 },
	}), &out
}

func TestKeysOnAStream(t *testing.T) {
	for keys, want := range map[string][]link.Kind{
		"sds":                    {same, different, same},
		"s\nd\n?\n":              {same, different, unknown},
		"SuDkk":                  {different, unknown, unknown},
		"x s!=":                  {same, different, same}, // x is no choice
		"same\nDifferent\nsame":  {same, different, same}, // choices written out
		"yes\nsd":                {same, different},       // is no choice
		"s\nundo\nd\nredo\nquit": {different},
		"uurs":                   {same}, // nothing to undo or redo; then the end of the input
		"dsurq":                  {different, same},
		"sssud\n":                {same, same, different}, // undo after the last
		"":                       nil,
		"s\x1b[As":               {same, same}, // an arrow key
		"dd\x04s":                {different, different, same},
	} {
		l := three()
		term, out := terminal(keys)
		var kept []ask.Reply
		err := ask.Drive(t.Context(), l, term, 0,
			func(e ask.Event) error { kept = append(kept, e.Reply); return nil })
		term.Close()
		if keys == "dd\x04s" {
			want = want[:2] // Ctrl-D ends the questions
		}
		if err != nil && !errors.Is(err, ask.ErrQuit) {
			t.Errorf("%q: %v", keys, err)
		}
		if !slices.Equal(kinds(l), want) {
			t.Errorf("%q: answers %v, want %v", keys, kinds(l), want)
		}
		if keys == "uurs" && len(kept) != 1 {
			t.Errorf("%q: events without effect were kept: %v", keys, kept)
		}
		if keys == "sds" && !strings.Contains(out.String(), "at least about 2 more, 5 at most") {
			t.Errorf("the outlook is missing:\n%s", out)
		}
	}
}

func TestUndoAndRedoOfNothingAreReported(t *testing.T) {
	term, out := terminal("u\nr\nq\n")
	defer term.Close()
	if err := ask.Drive(t.Context(), three(), term, 0, nil); err != ask.ErrQuit {
		t.Fatal(err)
	}
	for _, line := range []string{"There is nothing to undo.", "There is nothing to redo."} {
		if strings.Count(out.String(), line) != 1 {
			t.Errorf("%q is not shown once:\n%s", line, out)
		}
	}
}

// TestAnEmptyLineIsNoAnswer, and that is stated: who writes answers line by line sees that they are
// one behind.
func TestAnEmptyLineIsNoAnswer(t *testing.T) {
	for keys, want := range map[string]int{"s\n\n \nd\n": 2, "\ns\n": 1, "s\r\nd\r\nq\r\n": 0,
		"s d s": 0} {
		term, out := terminal(keys)
		ask.Drive(t.Context(), three(), term, 0, nil)
		term.Close()
		if n := strings.Count(out.String(), "(an empty line is no choice)"); n != want {
			t.Errorf("%q: stated %d times, not %d:\n%s", keys, n, want, out)
		}
	}
}

func TestCtrlCInterrupts(t *testing.T) {
	l := three()
	term, _ := terminal("s\x03s")
	defer term.Close()
	if err := ask.Drive(t.Context(), l, term, 0, nil); !errors.Is(err, ask.ErrInterrupted) ||
		len(l.Answers()) != 1 {
		t.Errorf("%v after %v", err, kinds(l))
	}
}

// TestEventsNameThePairTheyChange, also for undo, which is asked for at another question.
func TestEventsNameThePairTheyChange(t *testing.T) {
	term, _ := terminal("sdu?q")
	defer term.Close()
	var got []string
	ask.Drive(t.Context(), three(), term, 0, func(e ask.Event) error {
		got = append(got, fmt.Sprint(e.Reply, e.Question.A, e.Question.B))
		return nil
	})
	want := []string{fmt.Sprint(ask.Same, 0, 1), fmt.Sprint(ask.Different, 1, 2),
		fmt.Sprint(ask.Undo, 1, 2), fmt.Sprint(ask.DontKnow, 1, 2)}
	if !slices.Equal(got, want) {
		t.Errorf("events %v, want %v", got, want)
	}
}

// TestASettledSessionIsNotAskedOn, unless there is a budget.
func TestASettledSessionIsNotAskedOn(t *testing.T) {
	for budget, want := range map[int]int{0: 2, 1: 1, 3: 3} {
		c := calm{questions(), 2}
		s := begin(c)
		if err := ask.Drive(t.Context(), s, ask.Labels([]int32{1, 1, 1}), budget,
			nil); err != nil || len(s.Answers()) != want {
			t.Errorf("budget %d: %d answers, want %d (%v)", budget, len(s.Answers()), want, err)
		}
	}
}

// TestAPersonDecidesWhenItIsSettled: it is said once, and again after an answer was taken back and
// another given.
func TestAPersonDecidesWhenItIsSettled(t *testing.T) {
	for keys, said := range map[string]int{"sdsq": 1, "sq": 0, "ssusq": 2} {
		c := calm{questions(), 2}
		if keys == "sdsq" {
			c.after = 1
		}
		term, out := terminal(keys)
		ask.Drive(t.Context(), begin(c), term, 0, nil)
		term.Close()
		if n := strings.Count(out.String(), "more are unlikely to change the groups"); n != said {
			t.Errorf("%q: said %d times, want %d\n%s", keys, n, said, out)
		}
	}
}

// TestAFailureIsNoEnd of questions.
func TestAFailureIsNoEnd(t *testing.T) {
	c := calm{questions(), 9}
	c.fails = 2
	s := begin(c)
	if err := ask.Drive(t.Context(), s, ask.Labels([]int32{1, 1, 1}), 0, nil); err != errBroken ||
		len(s.Answers()) != 2 {
		t.Errorf("%v after %d answers", err, len(s.Answers()))
	}
}

// TestAnEstimateSaysSo, and rows are called by name.
func TestAnEstimateSaysSo(t *testing.T) {
	for _, c := range []struct {
		likely, most int
		want         string
	}{
		{2, 7, "Question 1 · perhaps 1 to 3 more\nrow 5 is near row 6\n"},
		{0, 7, "Question 1\nrow 5 is near row 6\n"}, // settled
		{0, 0, "Question 1 · no row is between groups\n"},
	} {
		var out strings.Builder
		term := ask.NewTerminal(strings.NewReader("q"), &out, ask.TerminalConfig{
			Show:      func(link.Question) string { return "" },
			Name:      func(row int) string { return fmt.Sprint("row ", row+5) },
			Remaining: func() (int, int) { return c.likely, c.most }, Estimated: true,
		})
		ask.Drive(t.Context(), begin(&list{questions: []link.Question{
			{A: 0, B: 1, Why: "the first is near the second"}}}), term, 0, nil)
		term.Close()
		if !strings.Contains(out.String(), c.want) {
			t.Errorf("got %q, want %q in it", out.String(), c.want)
		}
	}
}

func TestTheEndSaysWhy(t *testing.T) {
	for budget, want := range map[int]string{0: "No question is left",
		2: "The budget of answers is used up"} {
		term, out := terminal("sss")
		ask.Drive(t.Context(), three(), term, budget, nil)
		term.Close()
		if !strings.Contains(out.String(), want) {
			t.Errorf("budget %d: it does not say %q", budget, want)
		}
	}
}

// TestATerminalOutlivesACancelledQuestion: the next question gets the next key.
func TestATerminalOutlivesACancelledQuestion(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	term := ask.NewTerminal(r, io.Discard,
		ask.TerminalConfig{Show: func(link.Question) string { return "" }})
	defer term.Close()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := term.Ask(ctx, link.Question{}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	go w.Write([]byte("sd"))
	for _, want := range []ask.Reply{ask.Same, ask.Different} {
		if got, err := term.Ask(t.Context(), link.Question{}); got != want || err != nil {
			t.Fatalf("reply %v (%v), want %v", got, err, want)
		}
	}
	w.Close()
	for range 2 {
		if got, err := term.Ask(t.Context(), link.Question{}); got != ask.Quit || err != nil {
			t.Fatalf("at the end of the input: %v (%v)", got, err)
		}
	}
}

func ExampleDrive() {
	x := dataset.Matrix{Rows: 4, Cols: 1, F64: []float64{0, 1, 5, 7}}
	run, err := cobra.New(context.Background(), x, cobra.Config{})
	if err != nil {
		panic(err)
	}
	err = ask.Drive(context.Background(), run.Session, ask.Labels([]int32{0, 0, 1, 1}), 0,
		func(e ask.Event) error {
			fmt.Println(e.Question.Number, e.Question.A, e.Question.B)
			return nil
		})
	fmt.Println(run.Result().Labels, err)
	// Output:
	// 1 0 1
	// 2 2 3
	// 3 1 2
	// [1 1 2 2] <nil>
}

// TestCancellationNeedsNoKey: a signal ends a question that nobody answers.
func TestCancellationNeedsNoKey(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	term := ask.NewTerminal(r, io.Discard,
		ask.TerminalConfig{Show: func(link.Question) string { return "" }})
	defer term.Close()
	time.AfterFunc(20*time.Millisecond, cancel)
	if err := ask.Drive(ctx, three(), term, 0, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestSideBySide(t *testing.T) {
	got := ask.SideBySide("row 3", "row 17",
		[]ask.Field{{"length", "5.1", "5.1", ""}, {"kind", "a\x1b[2J", "木", "≠"},
			{"note", "", "x", "~"}}, 80)
	want := "" +
		"            row 3  row 17\n" +
		"    length  5.1    5.1\n" +
		"  ≠ kind    a�[2J  木\n" +
		"  ~ note           x\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	long := strings.Repeat("long ", 50)
	for line := range strings.Lines(ask.SideBySide(long, long, []ask.Field{{long, long, long, ""}},
		60)) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 60 {
			t.Errorf("a line of %d columns", n)
		}
	}
}

func TestBesideWraps(t *testing.T) {
	p := ask.Picture{Name: "one", Pixels: []float64{0, 0.5, 1, 0.2}, Width: 2, Height: 2}
	got := ask.Beside([]ask.Picture{p, p, p}, 21)
	block := "    one     one\n      ▒▒      ▒▒\n    ██░░    ██░░\n"
	if want := block + "    one\n      ▒▒\n    ██░░\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestRandomLinks(t *testing.T) {
	classes := []int32{0, 0, 1, -1, 1}
	links, err := ask.RandomLinks(classes, 6, 1)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[[2]int]bool{}
	for _, l := range links {
		if l.A == 3 || l.B == 3 || l.A >= l.B || seen[[2]int{l.A, l.B}] {
			t.Errorf("link %+v", l)
		}
		seen[[2]int{l.A, l.B}] = true
		if (l.Kind == same) != (classes[l.A] == classes[l.B]) {
			t.Errorf("link %+v is wrong", l)
		}
	}
	if _, err := ask.RandomLinks(make([]int32, 5000), 2_000_000, 1); !fault.IsInput(err) {
		t.Errorf("two million links: %v", err)
	}
	if _, err := ask.RandomLinks(classes, 7, 1); err == nil {
		t.Error("more links than pairs")
	}
	again, _ := ask.RandomLinks(classes, 6, 1)
	if !slices.Equal(links, again) {
		t.Error("the same seed gave other links")
	}
}

// A share of each class is drawn, and never none of one; all are drawn where the share is 1.
func TestClassShare(t *testing.T) {
	classes := []int32{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, -1, 2}
	for share, want := range map[float64]map[int32]int{
		0.25: {0: 2, 1: 1, 2: 1}, 1: {0: 8, 1: 2, 2: 1},
	} {
		got, seen := map[int32]int{}, map[int]bool{}
		for _, row := range ask.ClassShare(classes, share, 5) {
			got[classes[row]]++
			if seen[row] {
				t.Errorf("row %d is drawn twice", row)
			}
			seen[row] = true
		}
		if !maps.Equal(got, want) {
			t.Errorf("share %g: rows of classes %v, want %v", share, got, want)
		}
	}
}

func TestClassLinks(t *testing.T) {
	classes := []int32{0, 0, 0, 1, 1, -1, 2}
	both, err := ask.ClassLinks(classes, ask.ClassRows(classes, 2, 3), true)
	if err != nil {
		t.Fatal(err)
	}
	// Two rows of classes 0 and 1, one of class 2: 5 rows, 10 pairs, 2 of them must-links.
	musts := 0
	for _, l := range both {
		if l.Kind == same {
			musts++
		}
	}
	if len(both) != 10 || musts != 2 {
		t.Errorf("%d links, %d of them must-links", len(both), musts)
	}
	if cannot, _ := ask.ClassLinks(classes, ask.ClassRows(classes, 2, 3), false); len(cannot) != 8 {
		t.Errorf("%d cannot-links, want 8", len(cannot))
	}
	if _, err := ask.ClassLinks(make([]int32, 5000), ask.ClassRows(make([]int32, 5000), 5000, 3),
		true); !fault.IsInput(err) {
		t.Errorf("twelve million links: %v", err)
	}
}

// TestKnownLinks: of many rows few links imply what the links of all pairs say.
func TestKnownLinks(t *testing.T) {
	classes := make([]int32, 400)
	for i := range classes {
		classes[i] = int32(i % 7)
	}
	for _, each := range []int{3, 40} { // 21 rows, and 280
		rows := ask.ClassRows(classes, each, 5)
		links, err := ask.KnownLinks(classes, rows)
		if err != nil {
			t.Fatal(err)
		}
		if all := len(rows) * (len(rows) - 1) / 2; each == 3 && len(links) != all ||
			each == 40 && len(links) != 273+21 {
			t.Errorf("%d links of %d rows", len(links), len(rows))
		}
		set, against, err := link.Build(len(classes), links, link.Refuse)
		if err != nil || len(against) > 0 {
			t.Fatal(err, against)
		}
		for _, a := range rows {
			for _, b := range rows {
				want := link.MustLink
				if classes[a] != classes[b] {
					want = link.CannotLink
				}
				if got := set.Relation(a, b); got != want {
					t.Fatalf("%d rows of each class: rows %d and %d are %v", each, a, b, got)
				}
			}
		}
	}
}
