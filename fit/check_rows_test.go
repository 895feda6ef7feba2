package fit_test

import (
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fit"
)

func TestOneRowIsNamedInTheSingular(t *testing.T) {
	err := fit.CheckClusters("clusters", 3, 1)
	if err == nil || !strings.Contains(err.Error(), "3 clusters asked for and only 1 row given") {
		t.Errorf("%v", err)
	}
}
