package dissim

import (
	"math"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/fault"
)

// slowEdit is the edit distance of linear strings by its recursion, without any short cut.
func slowEdit[T any](a, b []T, cost float64, replace func(a, b T) float64) float64 {
	d := make([][]float64, len(a)+1)
	for i := range d {
		d[i] = make([]float64, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0:
				d[i][j] = float64(j) * cost
			case j == 0:
				d[i][j] = float64(i) * cost
			default:
				d[i][j] = min(d[i-1][j]+cost, d[i][j-1]+cost, d[i-1][j-1]+replace(a[i-1], b[j-1]))
			}
		}
	}
	return d[len(a)][len(b)]
}

func distance(t interface{ Fatal(...any) }, src Source, err error) float64 {
	if err != nil {
		t.Fatal(err)
	}
	var there, back [2]float32
	src.Row(there[:], 0, nil)
	src.Row(back[:], 1, []int32{0, 1})
	if there[0] != 0 || back[1] != 0 || there[1] != back[0] {
		t.Fatal("not symmetric with a zero diagonal:", there, back)
	}
	return float64(there[1])
}

func TestLevenshteinCountsEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{{"kitten", "sitting", 3}, {"", "", 0}, {"", "αβγ", 3}, {"Äpfel", "Apfel", 1}, {"ab", "ba", 2},
		{"\xff", "a", 1}} {
		if got := distance(t, Texts([]string{c.a, c.b}), nil); got != c.want {
			t.Errorf("%q to %q takes %g, want %g", c.a, c.b, got, c.want)
		}
	}
	text := rapid.StringOfN(rapid.SampledFrom([]rune("abä")), 0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		want := slowEdit([]rune(a), []rune(b), 1,
			func(a, b rune) float64 { return float64(count(a != b)) })
		if got := distance(t, Texts([]string{a, b}), nil); got != want {
			t.Fatalf("%q to %q takes %g, want %g", a, b, got, want)
		}
	})
}

// slowCyclic tries all starting points of both strings.
func slowCyclic(a, b []float64, cost float64) float64 {
	best := math.Inf(1)
	for i := range a {
		for j := range b {
			x := append(append([]float64(nil), a[i:]...), a[:i]...)
			y := append(append([]float64(nil), b[j:]...), b[:j]...)
			best = min(best, slowEdit(x, y, cost, func(a, b float64) float64 {
				d := math.Mod(math.Abs(a-b), 360)
				return min(d, 360-d)
			}))
		}
	}
	return best
}

func TestCyclicEditIsTheLeastOverAllRotations(t *testing.T) {
	coarse := rapid.SampledFrom([]float64{-90, 0, 45, 90, 180, 271}) // ties, where paths touch
	fine := rapid.Float64Range(-360, 720)
	rapid.Check(t, func(t *rapid.T) {
		angles := rapid.SampledFrom([]*rapid.Generator[float64]{coarse, fine}).Draw(t, "angles")
		a := rapid.SliceOfN(angles, 1, 14).Draw(t, "a")
		b := rapid.SliceOfN(angles, 1, 14).Draw(t, "b")
		cost := rapid.SampledFrom([]float64{0, 10, 90, 200}).Draw(t, "cost")
		paid := cost
		if cost == 0 {
			paid = DefaultEditCost
		}
		src, err := Cycles([][]float64{a, b}, cost)
		want := slowCyclic(a, b, paid)
		if got := distance(t, src, err); math.Abs(got-want) > 1e-4*(1+want) {
			t.Fatalf("%v to %v costs %g, want %g", a, b, got, want)
		}
		k := rapid.IntRange(0, len(a)-1).Draw(t, "turn")
		src, err = Cycles([][]float64{append(append([]float64(nil), a[k:]...), a[:k]...), b}, cost)
		if got := distance(t, src, err); math.Abs(got-want) > 1e-4*(1+want) {
			t.Fatalf("turned by %d, %v to %v costs %g, want %g", k, a, b, got, want)
		}
	})
}

// slowDTW tries every path.
func slowDTW(a, b []float64, i, j int, allowed func(i, j int) bool) float64 {
	if i >= len(a) || j >= len(b) || !allowed(i, j) {
		return math.Inf(1)
	}
	d := math.Abs(a[i] - b[j])
	if i == len(a)-1 && j == len(b)-1 {
		return d
	}
	return d + min(slowDTW(a, b, i+1, j, allowed), slowDTW(a, b, i, j+1, allowed),
		slowDTW(a, b, i+1, j+1, allowed))
}

func TestWarpingFindsTheBestPath(t *testing.T) {
	values := rapid.SliceOfN(rapid.Float64Range(-9, 9), 1, 7)
	rapid.Check(t, func(t *rapid.T) {
		a, b := values.Draw(t, "a"), values.Draw(t, "b")
		band := rapid.IntRange(0, 4).Draw(t, "band")
		long, short := a, b
		if len(a) < len(b) {
			long, short = b, a
		}
		want := slowDTW(long, short, 0, 0, func(i, j int) bool {
			if band == 0 || len(long) == 1 {
				return true
			}
			middle := i * (len(short) - 1) / (len(long) - 1)
			return j-middle <= band && middle-j <= band
		})
		src, err := Series([][]float64{a, b}, band)
		if got := distance(t, src, err); math.Abs(got-want) > 1e-5*(1+want) {
			t.Fatalf("%v to %v within %d is %g, want %g", a, b, band, got, want)
		}
	})
}

func TestSequencesRefuse(t *testing.T) {
	ok := []float64{1, 2}
	for name, bad := range map[string][]float64{"empty": {}, "NaN": {1, math.NaN()},
		"infinite": {math.Inf(-1)}, "too large": {1e31}} {
		if _, err := Series([][]float64{ok, bad}, 0); !fault.IsInput(err) {
			t.Errorf("series, %s: %v", name, err)
		}
		if _, err := Cycles([][]float64{ok, bad}, 0); !fault.IsInput(err) {
			t.Errorf("cycles, %s: %v", name, err)
		}
	}
	if _, err := Series([][]float64{ok}, -1); !fault.IsInput(err) {
		t.Error("a band of -1:", err)
	}
	if _, err := Cycles([][]float64{ok}, math.Inf(1)); !fault.IsInput(err) {
		t.Error("an infinite cost:", err)
	}
	if _, err := Cycles([][]float64{make([]float64, longestCycle+1)}, 0); !fault.IsInput(err) {
		t.Error("a very long string:", err)
	}
}

// TestNewObjectsAgainstOld, from several goroutines at a time, cost what they cost among one
// another.
func TestNewObjectsAgainstOld(t *testing.T) {
	texts := []string{"one", "two", "three", "four", "five", "six"}
	series := [][]float64{{1, 2, 3}, {3, 2}, {0}, {5, 5, 5, 1}, {2, 2}, {7}}
	pairs := map[string][2]Rows{"texts": {Texts(texts), TextsTo(texts[2:], texts)}}
	for name, make := range map[string]func(from, to [][]float64) (Rows, error){
		"series": func(from, to [][]float64) (Rows, error) { return SeriesTo(from, to, 1) },
		"cycles": func(from, to [][]float64) (Rows, error) { return CyclesTo(from, to, 50) },
	} {
		among, err := make(series, series)
		if err != nil {
			t.Fatal(err)
		}
		cross, err := make(series[2:], series)
		if err != nil {
			t.Fatal(err)
		}
		pairs[name] = [2]Rows{among, cross}
	}
	for name, p := range pairs {
		var wait sync.WaitGroup
		for i := range 4 {
			wait.Go(func() {
				var old, fresh [6]float32
				for range 20 {
					p[0].Row(old[:], i+2, nil)
					p[1].Row(fresh[:], i, nil)
					if old != fresh || old[i+2] != 0 {
						t.Errorf("%s: row %d is %v among and %v across", name, i+2, old, fresh)
					}
				}
			})
		}
		wait.Wait()
	}
}
