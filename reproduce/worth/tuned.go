package worth

import "slices"

// tunedOn are the sets on which the numbers in kin were chosen, by its areas there where answers
// are right.
var tunedOn = []string{
	"breast-cancer", "column_3C", "ecoli", "faces-sunglasses", "faces-pose", "9gauss",
	"hepatitis_112", "iris", "letterIJL",
	"news20_w100_1136", "news_similar3_lsi10", "optdigits_test", "pendigits_test", "sipu_a1",
	"sipu_compound", "sipu_flame",
	"sipu_pathbased", "sipu_s1", "sipu_spiral", "toys2c_like",
}

// tunedWrong are those that were looked at besides for the numbers that count where kin knows how
// many answers are wrong.
var tunedWrong = []string{"column_2C", "wine", "dermatology_complete", "optdigits389", "glass",
	"ionosphere", "pendigits389", "spambase"}

// likeTuned are sets of the same rows as one of tunedOn, of some of them, or of the same digits.
var likeTuned = []string{"column_2C", "faces-identity", "faces-expression",
	"news_similar3_lsi10_stripped", "optdigits389", "pendigits389"}

// fresh reports whether kin has never met the rows of a set when its numbers were chosen for a
// condition.
func (c condition) fresh(set string) bool {
	return !slices.Contains(tunedOn, set) && !slices.Contains(likeTuned, set) &&
		(c.errors == 0 || !slices.Contains(tunedWrong, set))
}

// apart returns those of some sets that are fresh, unless all or none are.
func (c condition) apart(sets []task) []task {
	out := slices.DeleteFunc(slices.Clone(sets), func(t task) bool { return !c.fresh(t.name) })
	if len(out) == len(sets) {
		return nil
	}
	return out
}

// tuned marks the name of a set that is not fresh.
const tuned = " †"

// titled returns the title of a set, marked unless it is fresh.
func (c condition) titled(t task) string {
	if c.fresh(t.name) {
		return t.title
	}
	return t.title + tuned
}

// tunedNote explains the mark.
const tunedNote = "†: kin was tuned on these rows, or rows of the same law, so that it may do " +
	"better here than on others."
