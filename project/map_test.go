package project

import (
	"testing"

	"github.com/kindred-go/kindred/fault"
)

func TestMostMapped(t *testing.T) {
	if err := mappable(MostMapped); err != nil {
		t.Error(err)
	}
	if err := mappable(MostMapped + 1); !fault.IsInput(err) {
		t.Errorf("one more: %v", err)
	}
}
