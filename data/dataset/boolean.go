package dataset

import "strings"

// truths are the words for true and false that belong together: a column of yes and no has those of
// one entry. Single letters that are as likely something else, such as S and N, are not there.
var truths = []struct{ yes, no string }{
	{"true yes t y", "false no f n"},
	{"on", "off"},
	{"ja j wahr", "nein n falsch"},
	{"ja j sann", "nej n falsk"},
	{"ja", "nee"},
	{"oui vrai", "non faux"},
	{"si sí verdadero", "no falso"},
	{"sim verdadeiro", "não nao falso"},
	{"sì si vero", "no falso"},
	{"tak prawda", "nie fałsz"},
	{"ano", "ne"},
	{"да", "нет"},
	{"evet", "hayır"},
}

// truthOf returns the words of the first entry that has all the levels, each with what it means;
// nil where none has.
func truthOf(levels []string) map[string]bool {
	if len(levels) == 0 || len(levels) > 16 {
		return nil
	}
next:
	for i := range truths {
		known := make(map[string]bool)
		for _, level := range levels {
			low := strings.ToLower(level)
			yes, no := hasWord(truths[i].yes, low), hasWord(truths[i].no, low)
			if !yes && !no {
				continue next
			}
			known[level] = yes
		}
		return known
	}
	return nil
}

// plainTruth is truthOf of the English words without y and n.
func plainTruth(levels []string) map[string]bool {
	known := make(map[string]bool)
	for _, level := range levels {
		v, ok := parseBool(level)
		if !ok {
			return nil
		}
		known[level] = v
	}
	if len(known) == 0 {
		return nil
	}
	return known
}

// hasWord reports whether a word is one of those in a list, which blanks separate.
func hasWord(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// parseBool reads true, yes, t, false, no and f, in any case.
func parseBool(s string) (value, ok bool) {
	switch strings.ToLower(s) {
	case "true", "yes", "t":
		return true, true
	case "false", "no", "f":
		return false, true
	}
	return false, false
}
