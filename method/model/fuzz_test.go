package model

import (
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
)

// FuzzModel: a model file that is taken can be used on any table without a panic.
func FuzzModel(f *testing.F) {
	f.Add([]byte(`{"format":"kindred model","version":1,"columns":1,"means":[[1]],` +
		`"cluster_of":[1],"encoding":{"scale":"none","missing":"refuse",` +
		`"columns":[{"source":"x","type":"number"}]}}`))
	f.Add([]byte(`{"format":"kindred model","version":1,"columns":2,"means":[[1,0]],` +
		`"cluster_of":[1],"encoding":{"scale":"minmax","missing":"mean",` +
		`"columns":[{"source":"c","type":"category","levels":["a","b"],"fill":1,"shift":[0,0],` +
		`"divisor":[1,0]}]}}`))
	f.Add([]byte(`{"format":"kindred model","version":2,"landmarks":{"clusters":2,"focal":[0,1,` +
		`2,3],"mass":[0,1,0,0,0.5,0,0.5,0],"transform":0,"d0":1,"gamma":3,"fitted":4,"which":[0,` +
		`3],"objects":{"metric":"euclidean","rows":[[1],[2]]}},"encoding":{"scale":"none",` +
		`"missing":"mean","columns":[{"source":"x","type":"number","fill":0}]}}`))
	f.Add([]byte(`{"format":"kindred model","version":2,"landmarks":{"clusters":2,"focal":[0,1,` +
		`2,3],"mass":[0,1,0,0],"transform":2,"ranks":[0,1],"fitted":4,"which":[0],` +
		`"objects":{"metric":"levenshtein","texts":["a"],"column":"c"}},` +
		`"encoding":{"columns":[]}}`))
	f.Add([]byte(`{"format":"kindred model","version":2,"landmarks":{"clusters":2,"focal":[1,2],` +
		`"mass":[0,1],"transform":1,"d0":2,"fitted":1,"which":[0],"objects":{"metric":"gower",` +
		`"rows":[[null]],"gower":{"columns":[{"name":"x","range":2}]}}},` +
		`"encoding":{"columns":[]}}`))
	f.Add([]byte(`{"format":"kindred model","version":4,"exemplars":{"fitted":1,"which":[0],` +
		`"cluster_of":[1],"reach":[0.5],"objects":{"metric":"euclidean","rows":[[9]]}},` +
		`"encoding":{"scale":"none","missing":"drop","columns":[{"source":"x","type":"number"}]}}`))
	f.Add([]byte(`{"format":"kindred model","version":5,"condensed":{"tree":{"min_points":1,"parent":` +
		`[-1],"birth":[0],"label":[1],"greatest":[1],"cluster":"AAAAAA==","lambda":"AAAAAAAA8D8=",` +
		`"core":"AAAAAAAAAAA="},"fitted":1,"objects":{"metric":"euclidean"},"columns":1,"values":` +
		`"AAAAAAAA8D8="},"encoding":{"scale":"none","missing":"drop","columns":[{"source":"x",` +
		`"type":"number"}]}}`))
	f.Add([]byte(`{"format":"kindred model","version":6,"columns":1,"means":[[1],[3]],` +
		`"cluster_of":[1,2],"metric":"full","roots":[[2],[0.5]],"masses":{"focal":[0,1,2,3],` +
		`"fuzziness":1.5,"set_penalty":2,"noise_distance":4},"encoding":{"scale":` +
		`"none","missing":"drop","columns":[{"source":"x","type":"number"}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parseModel(text)
		if err != nil {
			return
		}
		table, err := dataset.ReadStream(t.Context(), strings.NewReader("x,c\n1,a\n,\n3,zz\n"),
			"t.csv", dataset.ReadOptions{Keep: true})
		if err != nil {
			t.Fatal(err)
		}
		labels, _, err := Predict(t.Context(), m, table, 1)
		if err != nil {
			return
		}
		for _, l := range labels {
			noise := m.Credal() || m.Condensed != nil || m.Exemplars != nil && m.Exemplars.Reach != nil
			if l < 1 && !noise || l < 0 {
				t.Fatalf("cluster %d", l)
			}
		}
	})
}
