package dataset

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestRecipesThatLie(t *testing.T) {
	for text, problem := range map[string]string{
		`{"columns":[{"source":"x","type":"number","shift":[1],"divisor":[2]},{"source":"c",` +
			`"type":"category","levels":["a","b"],"fill":1,"shift":[0,0],"divisor":[1,0]}]}`: "",
		`{"columns":[{"source":"x","type":"number","shift":[],"divisor":[]}]}`:       "0 shifts",
		`{"columns":[{"source":"x","type":"number","shift":[1,2],"divisor":[1,2]}]}`: "2 shifts",
		`{"columns":[{"source":"x","type":"number","shift":[1],` +
			`"divisor":[-2]}]}`: "divided by -2",
		`{"columns":[{"source":"c","type":"category","levels":["a"],"fill":99,"shift":[0],` +
			`"divisor":[1]}]}`: "filled with 99",
		`{"columns":[{"source":"c","type":"category","levels":["a","b"],"fill":0.5,"shift":[0,` +
			`0],"divisor":[1,1]}]}`: "filled with 0.5",
		`{"columns":[{"source":"c","type":"category","shift":[],"divisor":[]}]}`: "0 levels",
		`{"columns":[{"source":"c","type":"text","shift":[0],"divisor":[1]}]}`:   "no type",
		`{"columns":[{"source":"x","type":"number","shift":[1],"divisor":[2]},{"source":"x",` +
			`"type":"number","shift":[1],"divisor":[2]}]}`: "twice",
	} {
		var e Encoding
		err := json.Unmarshal([]byte(text), &e)
		if err == nil {
			err = e.Check()
		}
		if problem == "" && err != nil ||
			problem != "" && (err == nil || !strings.Contains(err.Error(), problem)) {
			t.Errorf("%s: %v, want %q", text, err, problem)
		}
	}
}
