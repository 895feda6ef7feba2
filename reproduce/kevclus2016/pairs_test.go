package kevclus2016

import (
	"math"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
)

// TestSimilaritiesByHand: three clusters, four objects. Object 1 is in {1} by .6 and anywhere by
// .4; object 2 in {2}; object 3 half in no cluster and half in {1}, which normalises to {1}; object
// 4 in none.
func TestSimilaritiesByHand(t *testing.T) {
	focal, err := belief.Simple(3) // ∅, 1, 2, 3, Ω
	if err != nil {
		t.Fatal(err)
	}
	m := &credal.Partition{Clusters: 3, Focal: focal, Mass: []float64{
		0, .6, 0, 0, .4,
		0, 0, 1, 0, 0,
		.5, .5, 0, 0, 0,
		1, 0, 0, 0, 0,
	}}
	want := [3][3]float64{{1 + 1, .4, .4}, {.4, .16 + 1, .16}, {.4, .16, .16}}
	for j, row := range similarities(m) {
		for l, v := range row {
			if math.Abs(v-want[j][l]) > 1e-12 {
				t.Errorf("S(%d,%d) is %v, not %v", j+1, l+1, v, want[j][l])
			}
		}
	}
}

// TestExample6 checks what is transcribed: S is symmetric, clusters 1 and 4 are each other's
// nearest, and the table's order is by size.
func TestExample6(t *testing.T) {
	one, four := paperSimilar[0], paperSimilar[1]
	if one[3] != 61.4 || four[0] != 61.4 || one[3] != slices.Max(slices.Concat(one[1:])) {
		t.Error("clusters 1 and 4 are not each other's nearest")
	}
	ranks := paperRanks()
	if ranks[0][0] != 275.5 || ranks[0][2] != 59.8 || ranks[1][0] != 219.6 || ranks[1][2] != 34.2 ||
		ranks[1][14] != 5.8 {
		t.Errorf("%v", ranks)
	}
}

// TestAlikeFindsThePapersClusters: among clusters in another order, with others between.
func TestAlikeFindsThePapersClusters(t *testing.T) {
	s := make([][]float64, 15)
	order := []int{14, 4, 2, 3, 0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 1} // new number → the paper's
	for j, was := range order {
		s[j] = make([]float64, 15)
		for l, of := range order {
			switch was {
			case 0:
				s[j][l] = paperSimilar[0][of]
			case 3:
				s[j][l] = paperSimilar[1][of]
			default:
				s[j][l] = 20
			}
		}
	}
	rows, paper := alike(s), paperRanks()
	for i := range rows {
		if !slices.Equal(rows[i], paper[i]) {
			t.Errorf("%v, not %v", rows[i], paper[i])
		}
	}
}

// TestAlikeTakesClustersNearestToEachOther: not those of the paper's very figures, when one of them
// has another nearer.
func TestAlikeTakesClustersNearestToEachOther(t *testing.T) {
	s := make([][]float64, 15)
	for j := range s {
		s[j] = slices.Repeat([]float64{1}, 15)
	}
	copy(s[0], paperSimilar[0][:])
	copy(s[3], paperSimilar[1][:])
	for j := range s {
		s[j][0], s[j][3] = s[0][j], s[3][j]
	}
	s[0][5], s[5][0], s[5][5] = 70, 70, 20
	rows := alike(s)
	for _, r := range rows {
		if r[1] != 70 || r[2] > r[1] {
			t.Errorf("of clusters that have others nearer: %v", r)
		}
	}
}
