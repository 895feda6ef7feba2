package intake

import (
	"context"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/dissim"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
)

// Data are objects as a method takes them. Fields and what methods return are not to be changed. Any number of goroutines may
// use it.
type Data struct {
	Table   *dataset.Table    // nil for a matrix of dissimilarities
	Ready   *dataset.Prepared // vectors; nil where there are none
	Classes []int32           // true classes, negative where missing; nil when there are none
	Objects method.Objects    // what is compared, where a method is to take dissimilarities
	Dissim  dissim.Source     // those; nil where none are taken
}

// Name is what the person called the data, Fingerprint tells them from others, Read counts the objects before
// preparation, N those that take part.
func (d *Data) Name() string        { return "" }
func (d *Data) Fingerprint() string { return "" }
func (d *Data) Read() int           { return 0 }
func (d *Data) N() int              { return 0 }

// ID names a row; Row finds it.
func (d *Data) ID(row int) string             { return "" }
func (d *Data) Row(id string) (int, bool)     { return 0, false }
func (d *Data) Problem() method.Problem       { return method.Problem{} }
func (d *Data) Notes() []string               { return nil }
func (d *Data) Kind() string                  { return "" }
func (d *Data) Card(row int) Card             { return Card{} }
func (d *Data) Compare(a, b int) []Difference { return nil }

// Picture gives the picture of a row, at most size pixels wide and high.
func (d *Data) Picture(ctx context.Context, row, size int) (data []byte, contentType string, err error) {
	return nil, "", nil
}

// Links reads a file of links between rows.
func (d *Data) Links(ctx context.Context, path string) (links []link.Link, note string, err error) {
	return nil, "", nil
}
