package lsa

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
)

// FuzzModel: whatever is read as a model, it is refused or places texts.
func FuzzModel(f *testing.F) {
	m, _, err := Fit(f.Context(), []string{"red apple", "green apple", "red car"}, Config{})
	if err != nil {
		f.Fatal(err)
	}
	good, err := json.Marshal(m)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"words":["a"],"idf":[1],"dimensions":1,"basis":"AACAPw=="}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var m Model
		if err := json.Unmarshal(data, &m); err != nil {
			return
		}
		x, err := m.Transform(t.Context(), []string{"red apple", "a"})
		if err != nil || x.Cols != m.Dimensions() || x.Rows != 2 {
			t.Fatalf("%d × %d (%v)", x.Rows, x.Cols, err)
		}
		m.Notes()
	})
}

func TestModelsThatDoNotHoldTogether(t *testing.T) {
	for _, c := range []struct{ text, problem string }{
		{`[]`, "cannot be read"},
		{`{}`, "0 words"},
		{`{"words":["a","b"],"idf":[1],"dimensions":1,"basis":""}`, "2 words with 1 weights"},
		{`{"words":["a"],"idf":[1],"dimensions":2,"basis":""}`, "2 dimensions of 1 words"},
		{`{"words":["a"],"idf":[1],"dimensions":-1,"basis":""}`, "-1 dimensions"},
		{`{"words":["a"],"idf":[1],"dimensions":1,"basis":"AAA="}`, "2 bytes"},
		{`{"words":["b","a"],"idf":[1,1],"dimensions":1,"basis":"AACAPwAAgD8="}`, "not in order"},
		{`{"words":["a","a"],"idf":[1,1],"dimensions":1,"basis":"AACAPwAAgD8="}`, "not in order"},
		{`{"words":["a"],"idf":[-1],"dimensions":1,"basis":"AACAPw=="}`, "a weight of -1"},
		{`{"words":["a"],"idf":[1],"dimensions":1,"basis":"AADAfw=="}`, "a coordinate of NaN"},
		{`{"words":["a"],"idf":[1],"dimensions":1,"basis":"AAAgQQ=="}`, "a coordinate of 10"},
	} {
		var m Model
		if err := json.Unmarshal([]byte(c.text), &m); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}
