package studio

import (
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/project/input"
)

// TestPagesSendNoTexts: where texts may be sent, and what is written beside a project, is for the
// command line to say.
func TestPagesSendNoTexts(t *testing.T) {
	for name, value := range map[string]string{"allow-remote": "true", "encoder-cache": "x",
		"encoder": "http://127.0.0.1:9/v1"} {
		for _, served := range []bool{true, false} {
			err := settings{name: value}.put(input.New(), served)
			if !fault.IsInput(err) || !strings.Contains(err.Error(), "cannot come from a page") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	x := open(t, Config{})
	x.put("stories.csv", "id,story\n"+strings.Repeat("a,the card was lost in the rain\n", 12))
	for _, body := range []string{
		`{"data":"stories.csv","settings":{"text":"story","encoder":"http://127.0.0.1:9/v1"}}`,
		`{"data":"stories.csv","settings":{"text":"story","allow-remote":"true"}}`,
	} {
		x.post("/api/v1/projects", body).wants(422)
	}
}
