//go:build !darwin && !windows

package memory

import (
	"os"
	"path/filepath"
)

// kernel returns the bytes that are free, by Linux; 0 where it does not say.
func kernel(root string) int64 {
	text, err := os.ReadFile(filepath.Join(root, "proc/meminfo"))
	if err != nil {
		return 0
	}
	return numberAfter(text, "MemAvailable:") << 10
}
