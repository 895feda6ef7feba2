package ask

import (
	"context"
	"fmt"
	"strings"
)

// Clash is an answer that earlier ones contradict, to be shown to who gave it.
type Clash struct {
	Chain  []Stated // the earlier answers, from one end of the answer to the other
	Answer string   // the new one in words, as in "12 ≠ 7"
}

// Stated is an answer of the chain of a [Clash].
type Stated struct {
	Words    string // as in "12 = 40"
	Opposite string // "they differ" or "they are the same"
	Fixed    bool   // it is a link given with the data, or someone else's: it stays
}

// Remedy is what becomes of a [Clash].
type Remedy uint8

// The remedies. The zero value takes the new answer back.
const (
	TakeBack Remedy = iota // the new answer does not count
	// the new answer is kept, and counts once nothing contradicts it, or at once where answers that
	// contradict each other are weighed
	KeepDoubt
	Correct // an answer of the chain becomes its opposite
	Drop    // an answer of the chain is taken back
)

// Arbiter is an oracle that decides what becomes of an answer that earlier ones contradict.
type Arbiter interface {
	// Settle returns the remedy, and for Correct and Drop the place in the chain of the answer that
	// it is about.
	Settle(ctx context.Context, c Clash) (r Remedy, at int, err error)
}

// mostNumbered is how many answers of a chain have a key: the digits from 1.
const mostNumbered = 9

// Settle shows the chain, and waits for a key. At the end of the input the answer is taken back.
func (t *Terminal) Settle(ctx context.Context, c Clash) (Remedy, int, error) {
	const taken, doubt, ended = -1, -2, -3
	keys := map[byte]int{'t': taken, 'k': doubt}
	var numbers []string
	fmt.Fprint(t.out, "\nThis contradicts earlier answers. Not all of these can hold:\n")
	for i, s := range c.Chain {
		number := " "
		if i < mostNumbered && !s.Fixed {
			number = fmt.Sprint(i + 1)
			keys[number[0]] = i
			numbers = append(numbers, "["+number+"]")
		}
		fmt.Fprintf(t.out, "  %s  %s\n", number, s.Words)
	}
	fmt.Fprintf(t.out, "     %s, your answer now\n", c.Answer)
	prompt := "[t] take mine back   [k] keep mine as doubt  › "
	if len(numbers) > 0 {
		prompt = strings.Join(numbers, " ") + " change that answer   " + prompt
	}
	for {
		at, err := choose(ctx, t, prompt, keys, ended)
		switch {
		case err != nil || at == taken:
			return TakeBack, 0, err
		case at == ended:
			fmt.Fprintln(t.out, "Your answer was taken back.")
			return TakeBack, 0, nil
		case at == doubt:
			return KeepDoubt, 0, nil
		}
		s := c.Chain[at]
		const back = TakeBack
		r, err := choose(ctx, t, fmt.Sprintf("%s: [c] correct, %s   [x] drop it   [b] back  › ",
			s.Words, s.Opposite), map[byte]Remedy{'c': Correct, 'x': Drop, 'b': back}, back)
		if r != back || err != nil {
			return r, at, err
		}
	}
}
