package layout

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
)

func npy(path string) dataset.Matrix {
	b, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	h := int(binary.LittleEndian.Uint16(b[8:]))
	var r, c int
	head := string(b[10 : 10+h])
	for i := range head {
		if head[i] == '(' {
			fmt.Sscanf(head[i:], "(%d, %d)", &r, &c)
		}
	}
	b = b[10+h:]
	m := dataset.Matrix{Rows: r, Cols: c, F32: make([]float32, r*c)}
	for i := range m.F32 {
		m.F32[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return m
}

func cpu() float64 {
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

func TestProto(t *testing.T) {
	ep := 0
	fmt.Sscan(os.Getenv("E"), &ep)
	for _, s := range []string{"made", "banking77", "clinc150"} {
		x := npy("/tmp/lay/" + s + ".npy")
		src, _ := dissim.Vectors(x, dissim.Euclidean)
		if _, err := os.Stat("/tmp/lay/" + s + "_umap.npy"); err == nil && os.Getenv("U") != "" {
			u := npy("/tmp/lay/" + s + "_umap.npy")
			q, err := Measure(t.Context(), src, u, 15, 2)
			fmt.Println(s, "umap", q, err)
		}
		if os.Getenv("U") == "2" {
			continue
		}
		t0, c0 := time.Now(), cpu()
		r, err := Fit(t.Context(), src, Config{Threads: 2, Epochs: ep})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("%s wall %.2f cpu %.2f\n", s, time.Since(t0).Seconds(), cpu()-c0)
		t0, c0 = time.Now(), cpu()
		q, err := Measure(t.Context(), src, r.Points, 15, 2)
		fmt.Printf("%s measure wall %.2f cpu %.2f %+v %v\n", s, time.Since(t0).Seconds(), cpu()-c0, q, err)
		b := make([]byte, 0)
		for _, v := range r.Points.F64 {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		os.WriteFile("/tmp/lay/"+s+"_ours.bin", b, 0o644)
	}
}
