package reproduce

import (
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
)

func TestFind(t *testing.T) {
	if e, err := Find("COBRA-2017"); err != nil || e.Name != "cobra-2017" {
		t.Errorf("%q, %v", e.Name, err)
	}
	if _, err := Find("nothing"); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "competitive-learning-2013") {
		t.Errorf("got %v", err)
	}
}
