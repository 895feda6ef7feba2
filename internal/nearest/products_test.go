package nearest_test

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/nearest"
)

// Products are those of all pairs, also of rows of very different length, and of equal ones.
func TestProductsAreTheLargest(t *testing.T) {
	x := cloud(900, 7, 1)
	for i := range x.F64 {
		switch i / 7 % 3 {
		case 0:
			x.F64[i] *= 40
		case 1:
			x.F64[i] = math.Round(x.F64[i])
		}
	}
	for name, x := range map[string]dataset.Matrix{"double": x, "single": narrow(x)} {
		for _, threads := range []int{1, 2, 7} {
			got, err := nearest.Products(ctx, x, 6, threads, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i := range x.Rows {
				type end struct {
					j int32
					p float32
				}
				var all []end
				for j := range x.Rows {
					s := 0.0
					for c := range x.Cols {
						s += float64(x.At(i, c) * x.At(j, c))
					}
					if j != i {
						all = append(all, end{int32(j), float32(s)})
					}
				}
				slices.SortStableFunc(all, func(a, b end) int { return cmp.Compare(b.p, a.p) })
				for q := range 6 {
					at := i*6 + q
					if all[q] != (end{got.Index[at], got.Dist[at]}) {
						t.Fatalf("%s, %d threads, row %d: %d at %g, want %v", name, threads, i,
							got.Index[at], got.Dist[at], all[q])
					}
				}
			}
		}
	}
}

func TestProductsThatCannotBeHad(t *testing.T) {
	bad := cloud(5, 3, 1)
	bad.F64[7] = math.NaN()
	var input *fault.Input
	_, err := nearest.Products(ctx, bad, 2, 1, nil)
	if !errors.As(err, &input) || input.Row != 3 || input.Column != "2" {
		t.Errorf("not a number: %v", err)
	}
	bad.F64[7] = 1e60
	if _, err = nearest.Products(ctx, bad, 2, 1, nil); !errors.As(err, &input) {
		t.Errorf("large numbers: %v", err)
	}
	if _, err = nearest.Products(ctx, cloud(5, 3, 1), 5, 1, nil); !errors.As(err, &input) {
		t.Errorf("five of four: %v", err)
	}
}
