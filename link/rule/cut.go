package rule

// cutter cuts texts into words.
type cutter struct {
	words  []string
	joined []bool // of each word: a point alone is between it and the one before, as in 1.5
}

// text cuts a text, whose words stay until the next.
func (c *cutter) text(text string) {
	c.words, c.joined = c.words[:0], c.joined[:0]
	start, end := -1, -2 // of the word at hand, and of the one before
	for i, r := range text {
		switch {
		case !isBreak(r) && start < 0:
			start = i
			c.joined = append(c.joined, i == end+1 && text[end] == '.')
		case isBreak(r) && start >= 0:
			c.words = append(c.words, text[start:i])
			start, end = -1, i
		}
	}
	if start >= 0 {
		c.words = append(c.words, text[start:])
	}
}

// numbers calls yield for each number of the text. Two words of digits joined by a point are one
// number; of more, as in dates and addresses, each is one.
func (c *cutter) numbers(yield func(number)) {
	digits := func(i int) bool { return isDigits(c.words[i]) }
	for from := 0; from < len(c.words); {
		to := from + 1
		for to < len(c.words) && c.joined[to] && startsWithDigit(c.words[to-1]) &&
			startsWithDigit(c.words[to]) {
			to++
		}
		switch {
		case to-from != 2:
			for i := from; i < to; i++ {
				if digits(i) {
					yield(newNumber(c.words[i], ""))
				}
			}
		case digits(from) && digits(from+1):
			yield(newNumber(c.words[from], c.words[from+1]))
		}
		from = to
	}
}

func startsWithDigit(word string) bool { return word[0] >= '0' && word[0] <= '9' }
