package competitive

import (
	"context"
	"os"
	"reflect"
	"testing"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/scale/engine"
	"github.com/kindred-go/kindred/scale/fold"
)

func TestMain(m *testing.M) {
	engine.Init()
	os.Exit(m.Run())
}

// brief stops learning after some rounds, as one who is interrupted does.
type brief struct {
	fold.Runner
	rounds int
}

func (b brief) Rounds(ctx context.Context, p fold.Plan) (fold.Outcome, error) {
	if p.Job == learnJob {
		p.Rounds = min(p.Rounds, b.rounds)
	}
	return b.Runner.Rounds(ctx, p)
}

// On an engine learning comes to the bits that it comes to here, and to the same when it is stopped
// in the midst of passes and goes on, each time by an engine of its own: the state between rounds
// has all there is.
func TestStoppedInTheMidstOfAPass(t *testing.T) {
	if testing.Short() {
		t.Skip("runs an engine for a few seconds")
	}
	src, sv := lay(t, groups(400), 3, 30, 10)
	links, _ := some(400)
	for _, rule := range []competitive.Rule{competitive.CRPCL, competitive.OLCVQE} {
		cfg := Config{Config: competitive.Config{Rule: rule, Clusters: 4, Seed: 6,
			Rate: competitive.Rate{Schedule: competitive.Power, HalfWay: 50}}, Links: links,
			Passes: 2, Learners: 3}
		want, err := Fit(t.Context(), fold.Local{}, src, sv, cfg)
		if err != nil {
			t.Fatal(err)
		}
		turns := want.Rounds / cfg.Passes
		if turns < 3 {
			t.Fatalf("%d rounds a pass", turns)
		}
		work := t.TempDir()
		fit := func(rounds int) *Result {
			e, err := engine.New(engine.Options{Work: work})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			got, err := Fit(t.Context(), brief{e, rounds}, src, sv, cfg)
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		if first := fit(turns - 1); first.Rounds != turns-1 || len(first.Trace) != 0 {
			t.Fatalf("%d rounds before it was stopped, passes %v", first.Rounds, first.Trace)
		}
		if second := fit(turns + 1); second.Resumed != turns-1 || len(second.Trace) != 1 {
			t.Fatalf("%d rounds gone on from, passes %v", second.Resumed, second.Trace)
		}
		got := fit(2 * turns)
		if got.Resumed != turns+1 {
			t.Errorf("%v: %d rounds gone on from", rule, got.Resumed)
		}
		got.Resumed = 0
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%v: stopped twice %+v, at once %+v", rule, got, want)
		}
	}
}
