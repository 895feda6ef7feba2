package model_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method/model"
)

// shaped is a model of one mean in a learnt metric.
func shaped(metric string) string {
	return `{"format":"kindred model","version":3,"columns":1,"means":[[1]],"cluster_of":[1],` +
		metric + `,` + recipe + `}`
}

// massive is a model of two means that is to place rows by masses.
func massive(fields string) string {
	return `{"format":"kindred model","version":6,"means":[[1],[2]],"cluster_of":[1,2],` + fields +
		`,` + recipe + `}`
}

const recipe = `"encoding":{"scale":"none","missing":"refuse","columns":[{"source":"x",` +
	`"type":"number"}]}`

func TestModelsThatAreNone(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"empty":    "",
		"csv":      "a,b\n1,2\n",
		"other":    `{"format":"something"}`,
		"newer":    `{"format":"kindred model","version":99}`,
		"no means": `{"format":"kindred model","version":1,"columns":1}`,
		"ragged": `{"format":"kindred model","version":1,"columns":1,"means":[[1,2]],` +
			`"cluster_of":[1],` + recipe + `}`,
		"noise": `{"format":"kindred model","version":1,"columns":1,"means":[[1]],` +
			`"cluster_of":[0],` + recipe + `}`,
		"clusters": `{"format":"kindred model","version":1,"columns":1,"means":[[1]],` +
			`"cluster_of":[1,2],` + recipe + `}`,
		"garbage": `{"format":"kindred model","version":1,"columns":1,"means":[[1]],` +
			`"cluster_of":[1],` + recipe + `} and more`,
		"no metric":   shaped(`"metric":"round","roots":[[1]]`),
		"plain":       shaped(`"metric":"euclidean","roots":[[1]]`),
		"no roots":    shaped(`"metric":"full"`),
		"other roots": shaped(`"metric":"full","roots":[[1,2]]`),
		"little fuzziness": `{"format":"kindred model","version":1,"columns":1,"means":[[1]],` +
			`"cluster_of":[1],"degrees":{"fuzziness":1},` + recipe + `}`,
		"fuzzy offsets": `{"format":"kindred model","version":4,"columns":1,"means":[[1]],` +
			`"cluster_of":[1],"offsets":[0],"degrees":{"fuzziness":2},` + recipe + `}`,
		"degrees of another cluster": `{"format":"kindred model","version":1,"columns":1,` +
			`"means":[[1]],"cluster_of":[1000000000000],"degrees":{"fuzziness":2},` + recipe + `}`,
		"no masses": massive(`"columns":1`),
		"masses of no set": massive(`"columns":1,"masses":{"fuzziness":2,"noise_distance":1,` +
			`"focal":[1]}`),
		"masses of far noise": massive(`"columns":1,"masses":{"fuzziness":2,"focal":[1,2]}`),
		"little fuzziness of masses": massive(`"columns":1,"masses":{"fuzziness":1,` +
			`"noise_distance":1,"focal":[1,2]}`),
		"masses and offsets": massive(`"columns":1,"offsets":[0,0],"masses":{"fuzziness":2,` +
			`"noise_distance":1,"focal":[1,2]}`),
		"columns": `{"format":"kindred model","version":1,"columns":1,"means":[[1]],` +
			`"cluster_of":[1],"encoding":{"columns":[]}}`,
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := model.Load(path); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	good := filepath.Join(folder, "good")
	if err := os.WriteFile(good,
		[]byte(`{"format":"kindred model","version":1,"columns":1,"means":[[1]],`+
			`"cluster_of":[1],`+recipe+`}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := model.Load(good); err != nil {
		t.Errorf("a good model: %v", err)
	}
	if m, err := model.Parse([]byte(massive(`"columns":1,"masses":{"fuzziness":2,`+
		`"noise_distance":1,"focal":[1,2]}`)), "good"); err != nil || !m.Credal() {
		t.Errorf("a good model of masses: %v", err)
	}
	if _, err := model.Load(filepath.Join(folder, "none")); !fault.IsInput(err) {
		t.Errorf("a missing model: %v", err)
	}
}
