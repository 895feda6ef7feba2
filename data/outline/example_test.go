package outline_test

import (
	"fmt"
	"image"
	"image/color"

	"github.com/kindred-go/kindred/data/outline"
)

func ExampleFrom() {
	img := image.NewGray(image.Rect(0, 0, 60, 60))
	for y := 10; y < 51; y++ {
		for x := 10; x < 51; x++ {
			img.SetGray(x, y, color.Gray{255})
		}
	}
	angles, _ := outline.From(img, outline.Options{Segment: 40})
	fmt.Println(angles)
	// Output: [90 90 90 90]
}
