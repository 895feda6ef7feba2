package input

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/words"
)

// How much of what is quadratic is looked at.
const (
	mostPairs   = 1_000_000
	mostTriples = 100_000
)

// Of a matrix, the share of triples that break the triangle inequality above which its numbers may
// be similarities; and the largest difference of d(i,j) and d(j,i), as a share of the largest
// dissimilarity, above which they may be something else than dissimilarities.
const (
	manyBroken = 1.0 / 3
	fewAlike   = 0.01
)

// profileMatrix describes a matrix of dissimilarities.
func (r *Recipe) profileMatrix(ctx context.Context, place Place, name string,
	progress Progress) (*Profile, error) {
	d, err := r.matrix(ctx, place, name, progress)
	if err != nil {
		return nil, err
	}
	p := &Profile{Name: d.Name(), Kind: KindMatrix, Rows: d.N(), Fingerprint: d.Fingerprint(),
		Notes: d.Notes(), MatrixRows: d.N()}
	p.fact("objects", strconv.Itoa(d.N()))
	if names := d.matrix.Names; names != nil {
		p.fact("names", "from "+d.matrix.NamesFrom+", as "+words.Short(names[0]))
	} else {
		p.fact("names", "none: objects are numbered from 1")
	}
	if d.Classes != nil {
		p.fact("classes", d.classes()+", of "+r.Labels)
	}
	if d.images != nil {
		p.fact("pictures", strconv.Itoa(len(d.images)))
		p.Examples = d.images[:min(len(d.images), mostExample)]
	}
	values, sampled := pairs(d.Dissim)
	p.measure("dissimilarities", values, words.Round)
	zeros, largest := 0, 0.0
	for _, v := range values {
		if v == 0 {
			zeros++
		}
		largest = max(largest, v)
	}
	of := "of " + strconv.Itoa(len(values)) + " pairs"
	if sampled {
		of = "of " + strconv.Itoa(len(values)) + " sampled pairs"
	}
	p.fact("dissimilarities", span(values, words.Round))
	p.fact("pairs at 0", strconv.Itoa(zeros)+" "+of)
	if d.matrix.Asymmetric {
		p.fact("symmetric", "no: means of both directions are used; the largest difference is "+
			words.Round(d.matrix.Largest))
	} else {
		p.fact("symmetric", "yes")
	}
	broken, triples := d.triangles()
	which := "triples"
	if triples < d.N()*(d.N()-1)*(d.N()-2)/6 {
		which = "sampled triples"
	}
	text := "holds in all of " + strconv.Itoa(triples) + " " + which
	if broken > 0 {
		text = "broken in " + share(broken, triples) + " of " + strconv.Itoa(triples) + " " + which
	}
	p.fact("triangle inequality", text)
	if d.matrix.Largest > fewAlike*largest {
		p.Suspicions = append(p.Suspicions, "the two directions of a pair differ by up to "+
			words.Round(100*d.matrix.Largest/largest)+" % of the largest dissimilarity: the "+
			"matrix may hold something else than dissimilarities")
	}
	if float64(broken) > manyBroken*float64(triples) {
		p.Suspicions = append(p.Suspicions, "the triangle inequality is broken in "+
			share(broken, triples)+" of the triples: the numbers may be similarities, of which "+
			"the larger ones belong to closer objects; of similarities s from 0 to 1 give 1 - s")
	}
	if 2*zeros > len(values) {
		p.Suspicions = append(p.Suspicions, "more than half of the pairs are at 0: a 0 may stand "+
			"for pairs that were not compared")
	}
	if r.Labels == "" {
		p.Change = append(p.Change, "--labels FILE reads the true classes, one a line")
	}
	return p, ctx.Err()
}

// classes counts the true classes, and the objects without one.
func (d *Data) classes() string {
	seen, missing := map[int32]bool{}, 0
	for _, c := range d.Classes {
		if c < 0 {
			missing++
		} else {
			seen[c] = true
		}
	}
	text := strconv.Itoa(len(seen))
	if missing > 0 {
		text += ", missing of " + words.Count(missing, "object")
	}
	return text
}

// pairs returns the dissimilarities of all pairs, or of as many drawn with the same seed.
func pairs(of dissim.Source) (values []float64, sampled bool) {
	n := of.Len()
	var one [1]float32
	if n <= 1+int(math.Sqrt(2*mostPairs)) {
		row, all := make([]float32, n), make([]int32, n)
		for i := range all {
			all[i] = int32(i)
		}
		for i := range n {
			of.Row(row[:n-i-1], i, all[i+1:])
			for _, v := range row[:n-i-1] {
				values = append(values, float64(v))
			}
		}
		return values, false
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range mostPairs {
		i := rng.IntN(n)
		j := (i + 1 + rng.IntN(n-1)) % n
		of.Row(one[:], i, []int32{int32(j)})
		values = append(values, float64(one[0]))
	}
	return values, true
}

// triangles counts the triples, all or drawn with the same seed, in which one dissimilarity is
// larger than the other two together.
func (d *Data) triangles() (broken, triples int) {
	n := d.N()
	try := func(i, j, k int) {
		var to [2]float32
		d.Dissim.Row(to[:], i, []int32{int32(j), int32(k)})
		var third [1]float32
		d.Dissim.Row(third[:], j, []int32{int32(k)})
		a, b, c := float64(to[0]), float64(to[1]), float64(third[0])
		most := max(a, b, c)
		triples++
		if rest := a + b + c - most; most > rest*(1+1e-5) { // more than rounding
			broken++
		}
	}
	if n <= 80 {
		for i := range n {
			for j := range i {
				for k := range j {
					try(i, j, k)
				}
			}
		}
		return broken, triples
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range mostTriples {
		i := rng.IntN(n)
		j := (i + 1 + rng.IntN(n-1)) % n
		k := rng.IntN(n)
		for k == i || k == j {
			k = rng.IntN(n)
		}
		try(i, j, k)
	}
	return broken, triples
}
