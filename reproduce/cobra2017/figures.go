package cobra2017

// What the paper prints.

// paperOrders is table 1: rows; pairs; and questions when exploiting transitivity and entailment in
// random order, when asking about the closest pairs first, and of COBRA with 25 super-instances.
var paperOrders = map[string]struct {
	rows, pairs                    int
	random, closest, superInstance float64
}{
	"iris":                 {147, 10731, 409, 155, 34},
	"wine":                 {178, 15753, 457, 187, 35},
	"dermatology_complete": {358, 63903, 1660, 379, 42},
	"hepatitis_112":        {112, 6216, 173, 140, 39},
	"ecoli":                {336, 56280, 1343, 440, 51},
	"optdigits389":         {1151, 661825, 3380, 1164, 54},
}

// paperTasks is the number of clustering tasks of the paper.
const paperTasks = 21

// duel is a cell of table 2: wins and losses of COBRA over the tasks, the mean margins, and the
// asterisk.
type duel struct {
	won, lost             int
	marginWon, marginLost float64
	significant           bool
}

// paperDuels is table 2, by number of super-instances.
var paperDuels = map[string]map[int]duel{
	mpckMinMax: {25: {13, 8, .14, .12, false}, 50: {13, 8, .16, .09, false},
		100: {12, 9, .19, .05, false}},
	mpckNPU: {25: {11, 10, .16, .11, false}, 50: {17, 4, .12, .09, true},
		100: {12, 9, .17, .06, false}},
	coscMinMax: {25: {15, 6, .21, .05, true}, 50: {16, 5, .21, .06, true},
		100: {14, 7, .21, .04, true}},
	coscNPU: {25: {15, 6, .20, .04, true}, 50: {14, 7, .23, .04, true},
		100: {13, 8, .23, .03, true}},
}

// rank is a line of table 3.
type rank struct {
	mean        float64
	significant bool // its difference from COBRA
}

// paperRanks is table 3, by number of super-instances.
var paperRanks = map[int]map[string]rank{
	25: {ours: {2.43, false}, mpckNPU: {3.00, false}, mpckMinMax: {3.07, false},
		coscMinMax: {3.12, true}, coscNPU: {3.40, true}},
	50: {ours: {2.14, false}, mpckMinMax: {3.00, true}, coscNPU: {3.02, true},
		coscMinMax: {3.26, true}, mpckNPU: {3.57, true}},
	100: {ours: {2.52, false}, coscNPU: {2.98, true}, mpckNPU: {3.00, true},
		mpckMinMax: {3.19, true}, coscMinMax: {3.31, true}},
}
