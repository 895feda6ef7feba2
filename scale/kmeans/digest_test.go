package kmeans

import (
	"testing"

	"github.com/kindred-go/kindred/scale/fold"
)

// All labels that four rows of two splits can have in three clusters have digests of their own.
func TestDigestsTellLabelsApart(t *testing.T) {
	seen := map[uint64][4]int32{}
	for code := range 81 {
		var l [4]int32
		for i := range l {
			l[i] = int32(code % 3)
			code /= 3
		}
		var parts []fold.Part
		for split := range 2 {
			var a account
			a.add(l[2*split : 2*split+1]) // in blocks of one row
			a.add(l[2*split+1 : 2*split+2])
			parts = append(parts, fold.Part{Split: split, Data: fold.AppendNumbers(nil, a)})
		}
		data, err := mergeAccounts(parts)
		if err != nil {
			t.Fatal(err)
		}
		var a account
		if err := fold.Numbers(data, &a); err != nil {
			t.Fatal(err)
		}
		if was, ok := seen[a.Digest]; ok || a.Rows != 4 {
			t.Errorf("labels %v of %d rows have the digest of %v", l, a.Rows, was)
		}
		seen[a.Digest] = l
	}
}
