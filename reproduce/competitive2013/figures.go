package competitive2013

// What the paper prints, by data set.

// paperNMI is table I: NMI less that of LCVQE, at 0, 5, 10, 15 and 20 labelled objects a class, and
// the average.
var paperNMI = map[string]map[string][6]float64{
	crpcl: { // the first column is RPCL
		"9gauss":        {-.010, .005, -.015, -.005, -.007, -.006},
		"ionosphere":    {-.010, .004, -.004, .000, .017, .001},
		"iris":          {-.007, -.015, .001, -.037, -.019, -.015},
		"wine":          {.003, .008, .030, .035, .038, .023},
		"breast-cancer": {.000, .016, -.011, .007, .027, .008},
		"pendigits":     {.204, .184, .227, .280, .250, .229},
		"letters":       {.013, .010, .000, .008, .020, .010},
		"pima":          {.001, .000, -.011, -.005, .001, -.003},
	},
	olcvqe: { // the first column is WTA
		"9gauss":        {-.017, -.032, -.101, -.100, -.102, -.071},
		"ionosphere":    {-.010, -.007, -.028, -.077, -.057, -.036},
		"iris":          {.000, .013, .010, -.027, -.024, -.006},
		"wine":          {.000, .012, .020, .025, .028, .017},
		"breast-cancer": {-.018, .016, .013, -.023, -.013, -.005},
		"pendigits":     {.052, .031, .173, .128, .111, .099},
		"letters":       {-.006, .000, .010, .024, .052, .016},
		"pima":          {-.003, -.004, -.019, -.027, -.019, -.014},
	},
}

// paperPendigits is table II: means and standard deviations of NMI on Pendigits, at 0, 5, 10, 15
// and 20 labelled objects a class.
var paperPendigits = map[string][5][2]float64{
	crpcl:  {{.69, .00}, {.68, .00}, {.71, .02}, {.76, .00}, {.77, .00}},
	olcvqe: {{.53, .08}, {.52, .04}, {.66, .05}, {.61, .07}, {.63, .13}},
	lcvqe:  {{.48, .00}, {.49, .05}, {.49, .06}, {.48, .06}, {.52, .09}},
}

// paperViolated is table III: violated cannot-links less those of LCVQE, at 5, 10, 15 and 20
// labelled objects a class, and the average.
var paperViolated = map[string]map[string][5]float64{
	crpcl: {
		"9gauss":        {10.8, 39.8, 75.8, 108.5, 58.7},
		"ionosphere":    {1.1, -8.8, -9.3, -45.6, -15.7},
		"iris":          {5.6, 17.3, 42.7, 51.3, 29.2},
		"wine":          {4.5, 7.1, 6.4, 1.3, 4.8},
		"breast-cancer": {2.0, 1.4, 14.4, -22.0, -1.0},
		"pendigits":     {-6.5, -22.8, -81.9, -108.8, -55.0},
		"letters":       {4.3, 9.6, 22.0, 19.6, 13.9},
		"pima":          {3.8, 7.2, 12.4, 13.8, 9.3},
	},
	olcvqe: {
		"9gauss":        {12.6, 115.2, 225.4, 398.6, 188.0},
		"ionosphere":    {1.5, -7.6, 9.9, 26.6, 7.6},
		"iris":          {3.4, 9.7, 35.3, 57.7, 26.5},
		"wine":          {3.8, 5.0, -6.1, 94.5, 24.3},
		"breast-cancer": {2.0, -3.4, 14.2, 4.2, 4.2},
		"pendigits":     {10.1, -16.6, -43.0, -7.7, -14.3},
		"letters":       {4.8, 15.7, 11.6, 16.1, 12.1},
		"pima":          {4.2, 4.2, -6.2, -5.0, -.7},
	},
}

type paperRow struct{ nmi, seconds [2]float64 }

// paperStream is table IV: mean and standard deviation on KDD'99 of NMI and of seconds.
var paperStream = map[string]paperRow{
	crpcl:  {[2]float64{.82, .03}, [2]float64{40.2, .2}},
	olcvqe: {[2]float64{.84, .02}, [2]float64{28.5, .2}},
	lcvqe:  {[2]float64{.83, .02}, [2]float64{121.2, 26.6}},
}
