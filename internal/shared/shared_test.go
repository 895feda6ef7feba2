package shared_test

import (
	"slices"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/internal/shared"
)

// TestListsStayAsTheyWere, however elements are cut off and others come in their place.
func TestListsStayAsTheyWere(t *testing.T) {
	type version struct{ list, want []int }
	rapid.Check(t, func(t *rapid.T) {
		var list []int
		var held []version
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if v := rapid.IntRange(0, 4).Draw(t, "value"); v > 0 {
				want := append(slices.Clone(list), v)
				if list = shared.Append(list, v); !slices.Equal(list, want) {
					t.Fatalf("got %v, want %v", list, want)
				}
			} else if len(list) > 0 {
				list = list[:len(list)-1]
			}
			held = append(held, version{list, slices.Clone(list)})
			for _, h := range held {
				if !slices.Equal(h.list, h.want) {
					t.Fatalf("%v became %v", h.want, h.list)
				}
			}
		}
	})
}

// TestTheSameAgain: what was cut off and comes back is where it was.
func TestTheSameAgain(t *testing.T) {
	var list []int
	for v := range 100 {
		list = shared.Append(list, v+1)
	}
	again := shared.Append(list[:99], 100)
	if unsafe.SliceData(again) != unsafe.SliceData(list) {
		t.Error("the list was copied")
	}
}
