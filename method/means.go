package method

import (
	"fmt"

	"github.com/kindred-go/kindred/internal/words"
)

// Clashing returns the note that n links contradict others, and what all links do, such as "are
// kept"; nil for 0.
func Clashing(n int, do string) []string {
	if n == 0 {
		return nil
	}
	verb := "contradict"
	if n == 1 {
		verb = "contradicts"
	}
	return []string{fmt.Sprintf("%s %s others; all links %s", words.Count(n, "link"), verb, do)}
}
