package survey

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
)

// BenchmarkRun surveys 200 000 rows of 16 columns of CSV on one core.
func BenchmarkRun(b *testing.B) {
	var lines []string
	bytes := 0
	for i := range 200000 {
		var line []string
		for j := range 16 {
			line = append(line, fmt.Sprintf("%.6f", math.Sin(float64(16*i+j))))
		}
		lines = append(lines, strings.Join(line, ","))
		bytes += len(lines[i]) + 1
	}
	folder := parts(b, "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p", lines, 2)
	ctx := context.Background()
	src, splits, err := shard.Plan(ctx, shard.Source{Paths: []string{folder}})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Run(ctx, fold.Local{Threads: 1}, src, splits); err != nil {
			b.Fatal(err)
		}
	}
}
