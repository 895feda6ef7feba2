package dissim_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
)

func ExampleVectors() {
	x, _ := dataset.NewMatrix(3, 2, []float64{0, 0, 3, 4, 6, 8})
	src, _ := dissim.Vectors(x, dissim.Euclidean)
	dst := make([]float32, 3)
	src.Row(dst, 0, nil)
	fmt.Println(dst)
	src.Row(dst[:1], 1, []int32{2})
	fmt.Println(dst[0])
	// Output:
	// [0 5 10]
	// 5
}

func ExampleReadStream() {
	in := strings.NewReader("0 1 4\n1 0 2\n6 2 0\n")
	m, report, err := dissim.ReadStream(context.Background(), in, "-", dissim.ReadOptions{})
	fmt.Println(m.D, err)
	fmt.Println(report.Notes[0])
	// Output:
	// [0 1 5 1 0 2 5 2 0] <nil>
	// the matrix is not symmetric, so the means of both directions are used; the largest difference, 2, is between row 1, column 3 and row 3, column 1
}

func ExampleTexts() {
	m, _ := dissim.NewDense(context.Background(),
		dissim.Texts([]string{"kitten", "sitting", "mitten"}), 1, nil)
	fmt.Println(m.D)
	// Output: [0 3 1 3 0 3 1 3 0]
}

func ExampleCycles() {
	square := []float64{90, 90, 90, 90}
	flag := []float64{90, 0, 90, 90, 0, 90} // twice as wide
	turned := []float64{90, 90, 0, 90, 90, 0}
	src, _ := dissim.Cycles([][]float64{square, flag, turned}, 90)
	dst := make([]float32, 3)
	src.Row(dst, 1, nil)
	fmt.Println(dst)
	// Output: [180 0 0]
}
