package elementary

import (
	"math"
	"math/rand/v2"
	"testing"
)

// apart returns by how many units in the last place of want two numbers differ.
func apart(got, want float64) float64 {
	if got == want {
		return 0
	}
	return math.Abs(got-want) / (math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want))
}

func TestExpAndLogAreThoseOfMath(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300_000 {
		x := (rng.Float64() - 0.5) * math.Exp2(float64(rng.IntN(12)))
		if off := apart(Exp(x), math.Exp(x)); off > 2 && x > -708 && x < 709 {
			t.Fatalf("Exp(%v) is %v, %v units from %v", x, Exp(x), off, math.Exp(x))
		}
		y := math.Exp2(40*(rng.Float64()-0.5)) * (1 + rng.Float64())
		if off := apart(Log(y), math.Log(y)); off > 2 {
			t.Fatalf("Log(%v) is %v, %v units from %v", y, Log(y), off, math.Log(y))
		}
		y = 1 + (rng.Float64()-0.5)/16
		if off := apart(Log(y), math.Log(y)); off > 2 {
			t.Fatalf("Log(%v) is %v, %v units from %v", y, Log(y), off, math.Log(y))
		}
	}
}

func TestEnds(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct{ got, want float64 }{
		{Exp(0), 1}, {Exp(-746), 0}, {Exp(-inf), 0}, {Exp(inf), inf}, {Exp(710), inf},
		{Log(1), 0}, {Log(0), -inf}, {Log(inf), inf}, {Log(2), math.Ln2},
		{Log(5e-324), -744.4400719213812},
		{Power(4, 0.5), 2}, {Power(3, 0), 1},
	} {
		if apart(c.got, c.want) > 1 {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
	if v := Exp(-744); v <= 0 || v > 2e-323 {
		t.Errorf("Exp(-744) is %v", v)
	}
	if v := Exp(709.7); apart(v, math.Exp(709.7)) > 2 {
		t.Errorf("Exp(709.7) is %v", v)
	}
	for _, v := range []float64{Exp(math.NaN()), Log(math.NaN()), Log(-1)} {
		if v == v {
			t.Errorf("%v is a number", v)
		}
	}
}

func BenchmarkExp(b *testing.B) {
	x, sum := 0.0, 0.0
	for b.Loop() {
		x -= 1e-6
		sum += Exp(x)
	}
	b.ReportMetric(sum/float64(b.N), "mean")
}

func BenchmarkLog(b *testing.B) {
	x, sum := 1.0, 0.0
	for b.Loop() {
		x += 1e-6
		sum += Log(x)
	}
	b.ReportMetric(sum/float64(b.N), "mean")
}
