package model_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method/model"
)

// A file that is larger than any model is refused for that, before it is read.
func TestLargestModel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.model")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 1<<30+1); err != nil {
		t.Fatal(err)
	}
	if _, err := model.Load(path); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "has 1073741825 bytes, and models have up to 1073741824") {
		t.Errorf("%v", err)
	}
}
