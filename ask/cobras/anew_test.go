package cobras

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// TestPlaysKeptUpToDate: however answers come, asked for or not, right or wrong, and are taken back
// and changed, and rows are left out: a play that keeps up to date what it knows asks the same and
// has the same groups as one that works it out anew after each answer.
func TestPlaysKeptUpToDate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(6, 60).Draw(t, "rows")
		x := dataset.Matrix{Rows: n, Cols: 2, F64: make([]float64, 2*n)}
		class := make([]int, n)
		for i := range n {
			class[i] = rapid.IntRange(0, 4).Draw(t, "class")
			x.F64[2*i] = float64(5*(class[i]%3) + rapid.IntRange(0, 4).Draw(t, "x"))
			x.F64[2*i+1] = float64(5*(class[i]/3) + rapid.IntRange(0, 4).Draw(t, "y"))
		}
		// links about few rows are often about the same pair, and replace each other
		few := rapid.SampledFrom([]int{n, min(n, 8), 4}).Draw(t, "rows with links")
		row := rapid.IntRange(0, few-1)
		right := rapid.SampledFrom([]int{15, 3}).Draw(t, "right for one that is not")
		kindOf := func(a, b int) link.Kind {
			kind := link.CannotLink
			if class[a] == class[b] {
				kind = link.MustLink
			}
			switch rapid.IntRange(0, right).Draw(t, "mistake") {
			case 0:
				return link.Unknown
			case 1:
				return link.MustLink + link.CannotLink - kind
			}
			return kind
		}
		any := func() link.Link {
			a := row.Draw(t, "a")
			b := (a + rapid.IntRange(1, few-1).Draw(t, "b")) % few
			return link.Link{A: a, B: b, Kind: kindOf(a, b)}
		}
		cfg := Config{Options: fit.Options{Threads: 1}, Limits: fit.Limits{Starts: 1},
			ErrorRate: rapid.SampledFrom([]float64{0, 0.1}).Draw(t, "error rate")}
		cfg.Contradictions = rapid.SampledFrom([]link.Policy{link.Refuse, link.Keep}).Draw(t,
			"policy")
		for range rapid.IntRange(0, 12).Draw(t, "given") {
			cfg.Links = append(cfg.Links, any())
		}
		r, err := New(t.Context(), x, cfg)
		if err != nil {
			t.Skip("the given links contradict each other")
		}
		anew, err := New(t.Context(), x, cfg)
		if err != nil {
			t.Fatal(err)
		}
		anew.chooser.anew = true
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			do := func(*Run) {}
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0, 1, 4:
				for range rapid.IntRange(1, 6).Draw(t, "answers") {
					l := any()
					for _, r := range []*Run{r, anew} {
						_ = r.Tell(l) // or it is refused
					}
				}
			case 2:
				do = func(r *Run) { r.Undo() }
			case 3:
				out := rapid.SliceOfN(row, 0, 4).Draw(t, "out")
				do = func(r *Run) { r.Exclude(out) }
			default:
				if q, ok := r.Next(); ok {
					kind := kindOf(q.A, q.B)
					do = func(r *Run) { _ = r.Answer(kind) }
				}
			}
			do(r)
			do(anew)
			got, want := r.Queue(3), anew.Queue(3)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("asks %+v, and worked out anew %+v", got, want)
			}
			now, errNow := r.Result(t.Context())
			then, errThen := anew.Result(t.Context())
			if errNow != nil || errThen != nil || !reflect.DeepEqual(now, then) {
				t.Fatalf("%+v (%v), and worked out anew\n%+v (%v)", now, errNow, then, errThen)
			}
		}
	})
}
