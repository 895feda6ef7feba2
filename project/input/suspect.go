package input

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/words"
)

const (
	mostSuspected = 10_000 // rows that are looked at for what may be wrong, spread evenly
	fewestRows    = 20     // that show that something may be
	outlying      = 1000   // how many times as large as nearly all others a mistaken number may be
	mostWords     = 5      // different words among numbers that are named
	nearly        = 0.9    // the share of values that are "nearly all"
	mostCompared  = 1000   // rows by which columns are compared
	apart         = 30     // how many times as large the numbers in a larger unit are
)

// looked returns the rows that are looked at.
func looked(t *dataset.Table) []int {
	var rows []int
	step := max(1, t.Rows/mostSuspected)
	for row := 0; row < t.Rows; row += step {
		rows = append(rows, row)
	}
	return rows
}

// suspect adds what may be wrong with the values of a column.
func (p *ColumnProfile) suspect(t *dataset.Table, i int) {
	c := &t.Columns[i]
	add := func(what string) {
		if what != "" {
			p.Suspicions = append(p.Suspicions, what)
		}
	}
	switch {
	case t.HasValues(i) && c.Type == dataset.Number && c.Missing < t.Rows:
		var values []float64
		for _, row := range looked(t) {
			if v := t.Value(row, i); !math.IsNaN(v) {
				values = append(values, v)
			}
		}
		if len(values) >= fewestRows {
			slices.Sort(values)
			add(tooLarge(values))
			add(twoUnits(values))
			add(daysAsNumbers(t, c, values))
			if len(values) == t.Rows {
				add(numbersOfThings(c, values))
			}
		}
		for _, what := range standIns(t, i) {
			add(what)
		}
	case c.Type == dataset.Category || c.Type == dataset.Text && c.Role != dataset.ID:
		cells := make(map[string]int)
		present := 0
		for _, row := range looked(t) {
			if cell := t.Cell(row, i); cell != "" {
				cells[cell]++
				present++
			}
		}
		if present >= fewestRows {
			add(numbersAsText(c, cells, present))
			add(units(cells, present))
			if c.Type == dataset.Category {
				add(variants(cells))
			}
		}
	}
}

// tooLarge finds numbers far larger than nearly all others, as where a decimal mark is missing.
func tooLarge(sorted []float64) string {
	var sizes []float64
	for _, v := range sorted {
		if v != 0 {
			sizes = append(sizes, math.Abs(v))
		}
	}
	if len(sizes) < fewestRows {
		return ""
	}
	slices.Sort(sizes)
	high := sizes[len(sizes)*95/100]
	at, _ := slices.BinarySearch(sizes, high*outlying)
	n := len(sizes) - at
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n) + " of its numbers are over " + strconv.Itoa(outlying) +
		" times as large as nearly all others: a decimal mark may be missing, or units be mixed"
}

// twoUnits finds numbers in two heaps, of which one is about a known factor as large as the other,
// as of heights in metres and centimetres. Each heap is narrow, and has a tenth of the values.
func twoUnits(sorted []float64) string {
	n := len(sorted)
	if sorted[0] <= 0 {
		return ""
	}
	gap, at := 0.0, 0
	for i := 1; i < n; i++ {
		if g := sorted[i] / sorted[i-1]; g > gap {
			gap, at = g, i
		}
	}
	low, high := sorted[:at], sorted[at:]
	narrow := func(heap []float64) bool {
		return len(heap) >= n/10 && heap[len(heap)-1] < 4*heap[0] && distinct(heap) >= 5
	}
	middle := func(heap []float64) float64 { return heap[len(heap)/2] }
	if at == 0 || !narrow(low) || !narrow(high) {
		return ""
	}
	times := middle(high) / middle(low)
	if times < apart || gap < 4 {
		return ""
	}
	return fmt.Sprintf("%d of %d values looked at are about %s times as large as the others, "+
		"with none between: two units may be mixed", len(high), n, words.Round(times))
}

func distinct(sorted []float64) int {
	n := 1
	for i := 1; i < len(sorted); i++ {
		if sorted[i] != sorted[i-1] {
			n++
		}
	}
	return n
}

// daysAsNumbers finds whole numbers that are days, as 20241231; a text has been read so already.
func daysAsNumbers(t *dataset.Table, c *dataset.Column, sorted []float64) string {
	if distinct(sorted) < fewestRows {
		return ""
	}
	days := 0
	for _, v := range sorted {
		if v != math.Trunc(v) || v < 1e7 || v >= 3e7 {
			return ""
		}
		if dataset.IsCompactDay(strconv.FormatFloat(v, 'f', 0, 64)) {
			days++
		}
	}
	if float64(days) < 0.95*float64(len(sorted)) {
		return ""
	}
	return "its numbers look like dates such as 20241231, whose differences mean nothing: leave " +
		"it out (--drop " + words.Shell(c.Name) + "), or write them as 2024-12-31"
}

const (
	fewestThings = 129 // ages, percents and seven bits take no more numbers
	mostOfThing  = 4   // rows of one of them, on average, and half of the rows of any
)

// numbersOfThings finds whole numbers without a gap of which each stands in few rows, more than one
// on average and none in many, as those of the persons in a table of records: measurements leave
// gaps, or some of their values are frequent.
func numbersOfThings(c *dataset.Column, sorted []float64) string {
	low, high := sorted[0], sorted[len(sorted)-1]
	things := distinct(sorted)
	if low != 0 && low != 1 || things < fewestThings || high-low != float64(things-1) ||
		len(sorted) == things || len(sorted) > mostOfThing*things {
		return ""
	}
	for i, v := range sorted {
		if v != math.Trunc(v) || i >= 2*mostOfThing && v == sorted[i-2*mostOfThing] {
			return ""
		}
	}
	name := words.Shell(c.Name)
	return fmt.Sprintf("its numbers run from %v to %v without a gap, in %s rows each, as numbers of "+
		"persons or things do: leave it out (--drop %s), or take it as true classes (--label %s)", low,
		high, words.Round(float64(len(sorted))/float64(things)), name, name)
}

// standIns finds one number at the end of the range, far from all others, as -999 for none.
func standIns(t *dataset.Table, i int) (found []string) {
	c := &t.Columns[i]
	for _, none := range []float64{-999, -9999, -99, 9999, 99999} {
		if none != c.Min && none != c.Max {
			continue
		}
		n, next := 0, math.Inf(1)
		for row := range t.Rows {
			switch v := t.Value(row, i); {
			case v == none:
				n++
			case !math.IsNaN(v):
				next = min(next, math.Abs(v-none))
			}
		}
		if n > 0 && next > (c.Max-c.Min)/2 && n < t.Rows {
			text := strconv.FormatFloat(none, 'f', -1, 64)
			found = append(found, text+" stands in "+words.Count(n, "row")+
				", far from all others: --na "+text+" reads it as missing")
		}
	}
	return found
}

// numbersAsText finds numbers among which a few words stand, in a column that is no number.
func numbersAsText(c *dataset.Column, cells map[string]int, present int) string {
	numbers, different := 0, 0
	var others []string
	for cell, n := range cells {
		if len(cell) > 1 && cell[0] == '0' && cell[1] >= '0' && cell[1] <= '9' {
			return "" // codes
		}
		if _, ok := dataset.ParseNumber([]byte(cell)); ok {
			numbers, different = numbers+n, different+1
		} else if others = append(others, cell); len(others) > mostWords {
			return ""
		}
	}
	if others == nil || different < 10 || 2*numbers < present ||
		strings.Contains(c.Why, "codes") {
		return ""
	}
	slices.Sort(others)
	name := words.Shell(c.Name)
	return fmt.Sprintf("%s of its values are numbers, the others %s: --na %s --types %s=number "+
		"reads it as numbers", share(numbers, present), quoted(others),
		words.Shell(strings.Join(others, ",")), name)
}

func quoted(texts []string) string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = strconv.Quote(text)
	}
	return strings.Join(out, ", ")
}

// units finds numbers with units behind them, as 12 kg.
func units(cells map[string]int, present int) string {
	values := 0
	rows := make(map[string]int)
	different := make(map[string]bool)
	for cell, n := range cells {
		at := strings.LastIndexFunc(cell, unicode.IsDigit) + 1
		number, unit := cell[:at], strings.TrimSpace(cell[at:])
		if _, ok := dataset.ParseNumber([]byte(strings.ReplaceAll(number, ",", "."))); !ok ||
			unit == "" || len([]rune(unit)) > 6 || strings.ContainsFunc(unit, unicode.IsDigit) {
			continue
		}
		values += n
		rows[unit] += n
		different[number] = true
	}
	if float64(values) < nearly*float64(present) || len(rows) > mostWords || len(different) < 5 {
		return ""
	}
	names := slices.SortedFunc(maps.Keys(rows), func(a, b string) int {
		return cmp.Or(cmp.Compare(rows[b], rows[a]), strings.Compare(a, b))
	})
	if len(names) == 1 {
		return "its values are numbers of the unit " + strconv.Quote(names[0]) +
			", read as words: give the numbers alone to compare them"
	}
	for i, name := range names {
		names[i] = fmt.Sprintf("%q (%d)", name, rows[name])
	}
	return "its values are numbers of several units, " + strings.Join(names, ", ") +
		", read as words: give numbers of one unit to compare them"
}

// variants finds values that differ in case and blanks alone.
func variants(cells map[string]int) string {
	alike := make(map[string][]string)
	for cell := range cells {
		key := strings.ToLower(strings.Join(strings.Fields(cell), " "))
		alike[key] = append(alike[key], cell)
	}
	var groups []string
	for _, of := range alike {
		if len(of) > 1 {
			slices.Sort(of)
			groups = append(groups, quoted(of))
		}
	}
	if groups == nil {
		return ""
	}
	slices.Sort(groups)
	more := ""
	if len(groups) > 3 {
		more = fmt.Sprintf(" and %d more", len(groups)-3)
	}
	return "values differ in case or blanks alone, and count as different: " +
		strings.Join(groups[:min(3, len(groups))], "; ") + more
}

// suspectTable finds what may be wrong with a table as a whole: columns that say the same, and a
// last line of totals.
func suspectTable(ctx context.Context, t *dataset.Table, p *Profile) error {
	if err := suspectColumns(ctx, t, p); err != nil {
		return err
	}
	if looksAlike(ctx, t) {
		p.Suspicions = append(p.Suspicions, "the table looks like a matrix of similarities: of "+
			"similarities s from 0 to 1 give 1 - s, which --dissimilarity takes")
	}
	if what := totals(t); what != "" {
		p.Suspicions = append(p.Suspicions, what)
	}
	return ctx.Err()
}

// suspectColumns names features that hold what an earlier one does: numbers of which one is a
// multiple of the other plus a constant, or words of which one stands for the other.
func suspectColumns(ctx context.Context, t *dataset.Table, p *Profile) error {
	if t.Rows < fewestRows {
		return nil
	}
	rows := looked(t)
	if step := len(rows) / mostCompared; step > 1 {
		few := rows[:0]
		for i := 0; i < len(rows); i += step {
			few = append(few, rows[i])
		}
		rows = few
	}
	first := make(map[[sha256.Size]byte]int)
	for i := range p.Columns {
		if err := ctx.Err(); err != nil {
			return err
		}
		col := t.Column(p.Columns[i].Name)
		if col < 0 || t.Columns[col].Role != dataset.Feature || !t.HasValues(col) {
			continue
		}
		key, ok := pattern(t, col, rows)
		if !ok {
			continue
		}
		sum := sha256.Sum256([]byte(key))
		earlier, twice := first[sum]
		if !twice {
			first[sum] = col
			continue
		}
		c := &t.Columns[col]
		if c.Type == dataset.Number && !onLine(t, earlier, col, rows) {
			continue
		}
		what := "stands for the values of column "
		if c.Type == dataset.Number {
			what = "is correlated 1 with column "
			if sameNumbers(t, col, earlier, rows) {
				what = "equals column "
			}
		}
		p.Columns[i].Suspicions = append(p.Columns[i].Suspicions, what+
			words.Short(t.Columns[earlier].Name)+", which so counts twice: --drop "+
			words.Shell(c.Name)+" leaves it out")
	}
	return nil
}

// pattern returns what the values of a feature are but for a factor and a constant, or but for how
// words are called. ok is false where there is too little to tell columns apart.
func pattern(t *dataset.Table, col int, rows []int) (key string, ok bool) {
	c := &t.Columns[col]
	var b []byte
	if c.Type != dataset.Number {
		codes := make(map[float64]int)
		for _, row := range rows {
			v := t.Value(row, col)
			code, there := codes[v]
			if math.IsNaN(v) {
				code = -1
			} else if !there {
				code = len(codes)
				codes[v] = code
			}
			b = append(strconv.AppendInt(b, int64(code), 10), ' ')
		}
		return "words " + string(b), len(codes) > 1
	}
	// even numbers fall on borders of parts that begin at 0 or a half, on either side by rounding
	const parts, offGrid = 1000, 1 / math.Pi
	low, high, different := math.Inf(1), math.Inf(-1), make(map[float64]bool)
	for _, row := range rows {
		if v := t.Value(row, col); !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
			if len(different) < 3 {
				different[v] = true
			}
		}
	}
	if len(different) < 3 || math.IsInf(high-low, 0) {
		return "", false
	}
	down := false
	begun := false
	for _, row := range rows {
		u := (t.Value(row, col) - low) / (high - low)
		if !begun && !math.IsNaN(u) && math.Abs(u-0.5) > 1e-4 {
			begun, down = true, u > 0.5
		}
	}
	for _, row := range rows {
		u := (t.Value(row, col) - low) / (high - low)
		if down {
			u = 1 - u
		}
		if math.IsNaN(u) {
			b = append(b, "- "...)
		} else {
			b = append(strconv.AppendInt(b, int64(math.Floor(parts*u+offGrid)), 10), ' ')
		}
	}
	return "numbers " + string(b), true
}

// onLine reports whether the numbers of column b are those of a times a factor plus a constant, but
// for a hundredth of how they usually differ: a single large number must not hide the others.
func onLine(t *dataset.Table, a, b int, rows []int) bool {
	var x, y []float64
	for _, row := range rows {
		if u, v := t.Value(row, a), t.Value(row, b); !math.IsNaN(u) && !math.IsNaN(v) {
			x, y = append(x, u), append(y, v)
		}
	}
	i, j := 0, 0
	for k := range x {
		if x[k] < x[i] {
			i = k
		}
		if x[k] > x[j] {
			j = k
		}
	}
	factor := (y[j] - y[i]) / (x[j] - x[i])
	middle := slices.Sorted(slices.Values(y))[len(y)/2]
	spread := make([]float64, len(y))
	for k, v := range y {
		spread[k] = math.Abs(v - middle)
	}
	slices.Sort(spread)
	allowed := max(spread[len(y)/2]/100, 1e-9*spread[len(y)-1])
	for k := range x {
		if !(math.Abs(y[i]+factor*(x[k]-x[i])-y[k]) <= allowed) {
			return false
		}
	}
	return true
}

func sameNumbers(t *dataset.Table, a, b int, rows []int) bool {
	for _, row := range rows {
		u, v := t.Value(row, a), t.Value(row, b)
		if u != v && !(math.IsNaN(u) && math.IsNaN(v)) {
			return false
		}
	}
	return true
}

// totals reports a last row that holds totals: one of its words says so.
func totals(t *dataset.Table) string {
	if t.Rows < 3 {
		return ""
	}
	last := t.Rows - 1
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Type != dataset.Category && c.Type != dataset.Text && c.Role != dataset.ID {
			continue
		}
		cell := t.Cell(last, i)
		if !dataset.MeansTotal(cell) {
			continue
		}
		for row := range last { // a word like others
			if t.Cell(row, i) == cell {
				return ""
			}
		}
		return fmt.Sprintf("the last row, %d, has %q in column %s, and may hold totals of the "+
			"others: it is a row like them, and no setting leaves it out; take it out of the "+
			"file", t.Rows, cell, words.Short(c.Name))
	}
	return ""
}
