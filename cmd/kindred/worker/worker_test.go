package worker

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/linalg"
)

func TestHello(t *testing.T) {
	c := start(t)
	c.send(fields{"id": 1, "do": "hello"})
	r := c.next()
	if string(r.OK) != `{"arrays":0,"protocol":1,"version":"test"}` || r.ID != 1 {
		t.Errorf("hello is answered by %s, id %d", r.OK, r.ID)
	}
}

// The labels are those of the front door, and so those of the command.
func TestFitsAsTheLibrary(t *testing.T) {
	x := blobs(t, 300, 3, 3)
	single := dataset.Matrix{Rows: x.Rows, Cols: x.Cols, F32: make([]float32, len(x.F64))}
	for i, v := range x.F64 {
		single.F32[i] = float32(v)
	}
	for _, tc := range []struct {
		method string
		params kindred.Params
		data   dataset.Matrix
	}{
		{"kmeans", kindred.Params{"clusters": "3", "scale": "none"}, x},
		{"kmeans", kindred.Params{"clusters": "3", "scale": "none"}, single},
		{"kmeans", kindred.Params{"clusters": "3"}, x},
		{"dbscan", kindred.Params{"eps": "0.2", "scale": "none"}, x},
		{"hdbscan", kindred.Params{"min-cluster-size": "10", "metric": "manhattan"}, x},
		{"agglomerative", kindred.Params{"clusters": "3", "linkage": "ward"}, x},
		{"evclus", kindred.Params{"clusters": "3"}, x},
		{"kmeans", kindred.Params{"clusters": "3", "metric": "cosine"}, x},
	} {
		c := start(t)
		c.send(fields{"id": 7, "do": "fit", "method": tc.method, "params": tc.params},
			rows(tc.data))
		got := c.next().labels(t)
		table, err := kindred.FromMatrix(t.Context(), tc.data, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := table.Cluster(t.Context(), tc.method, tc.params)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want.Labels) {
			t.Errorf("%s %v: the worker has other labels", tc.method, tc.params)
		}
	}
}

// A fit, its model, and what the model makes of the rows go together.
func TestPredicts(t *testing.T) {
	x := blobs(t, 200, 2, 4)
	for _, tc := range []struct {
		method string
		params fields
	}{{"kmeans", fields{"clusters": "4"}}, {"evclus", fields{"clusters": "4"}},
		{"hdbscan", fields{"min-cluster-size": "8"}}} {
		c := start(t)
		c.send(fields{"id": 1, "do": "fit", "method": tc.method, "params": tc.params,
			"columns": []string{"width", "height"}}, rows(x))
		r := c.next()
		labels := r.labels(t)
		var rep report
		if err := json.Unmarshal(r.OK, &rep); err != nil || rep.Clusters != 4 || !rep.Model ||
			!slices.Equal(rep.Columns, []string{"width", "height"}) {
			t.Fatalf("%s: %s: %v", tc.method, r.OK, err)
		}
		model := r.arrays["model"]
		c.send(fields{"id": 2, "do": "predict", "columns": []string{"width", "height"}}, model,
			rows(x))
		if got := c.next().labels(t); !slices.Equal(got, labels) {
			t.Errorf("%s: the model places the rows otherwise", tc.method)
		}
		c.send(fields{"id": 3, "do": "model", "result": rep.Result})
		if r := c.next(); r.arrays["model"] == nil || !bytes.Equal(r.arrays["model"].bytes,
			model.bytes) {
			t.Errorf("%s: the model is another one later", tc.method)
		}
		c.send(fields{"id": 4, "do": "predict", "columns": []string{"width", "depth"}}, model,
			rows(x))
		if r := c.next(); r.Error == nil || r.Error.Kind != "input" || r.Error.Column != "height" {
			t.Errorf("%s: a column is missing, and the reply is %+v", tc.method, r.Error)
		}
	}
}

// The degrees of the fitted rows by the model are those of the fit.
func TestPredictsDegrees(t *testing.T) {
	x := blobs(t, 200, 2, 4)
	for _, tc := range []fields{
		{"method": "gmm"}, {"method": "gmm", "covariance": "diagonal"},
		{"method": "gmm", "covariance": "tied"}, {"method": "gmm", "covariance": "spherical"},
		{"method": "ssnb"}, {"method": "ssnb", "likelihood": "multinomial"},
		{"method": "fcm"}, {"method": "fcm", "fuzziness": "1.5"},
	} {
		name := tc["method"]
		params := fields{"clusters": "4", "scale": "minmax"}
		for p, v := range tc {
			if p != "method" {
				params[p] = v
			}
		}
		c := start(t)
		c.send(fields{"id": 1, "do": "fit", "method": name, "params": params}, rows(x))
		r := c.next()
		labels := r.labels(t)
		mass, err := r.arrays["mass"].matrix()
		if err != nil {
			t.Fatal(err)
		}
		sets := r.arrays["focal"]
		c.send(fields{"id": 2, "do": "predict", "want": []string{"degrees"}}, r.arrays["model"],
			rows(x))
		a := c.next().arrays["degrees"]
		if a == nil || !slices.Equal(a.Shape, []int{200, 4}) {
			t.Fatalf("%v: the degrees are %+v", tc, a)
		}
		degrees, err := a.matrix()
		if err != nil {
			t.Fatal(err)
		}
		focal := sets.Shape[0]
		for i, l := range labels {
			row := degrees.F64[i*4:][:4]
			if linalg.ArgMax(row) != l-1 {
				t.Fatalf("%v: row %d has the degrees %v and the label %d", tc, i, row, l)
			}
			for j, m := range mass.F64[i*focal:][:focal] {
				members := sets.bytes[j*4:][:4]
				if k := slices.Index(members, 1); m > 0 && math.Abs(m-row[k]) > 1e-9 {
					t.Fatalf("%v: row %d has the degrees %v and the mass %v on %d", tc, i, row, m, k)
				}
			}
		}
	}
	c := start(t)
	c.send(fields{"id": 1, "do": "fit", "method": "kmeans", "params": fields{"clusters": "4"}},
		rows(x))
	c.send(fields{"id": 2, "do": "predict", "want": []string{"degrees"}},
		c.next().arrays["model"], rows(x))
	if r := c.next(); r.Error == nil || !strings.Contains(r.Error.Message, "no degrees") {
		t.Errorf("k-means has degrees: %+v", r)
	}
}

// Dissimilarities are taken from a matrix of either type, and stay as they were.
func TestTakesDissimilarities(t *testing.T) {
	const n = 60
	d := dataset.Matrix{Rows: n, Cols: n, F64: make([]float64, n*n)}
	s := dataset.Matrix{Rows: n, Cols: n, F32: make([]float32, n*n)}
	x := blobs(t, n, 1, 3)
	for i := range n * n {
		d.F64[i] = math.Abs(x.F64[i/n] - x.F64[i%n])
		s.F32[i] = float32(d.F64[i])
	}
	before := slices.Clone(s.F32)
	var found [2][]int
	for i, m := range []dataset.Matrix{d, s} {
		c := start(t)
		c.send(fields{"id": 1, "do": "fit", "method": "agglomerative",
			"params": fields{"clusters": "3", "dissimilarity": "true", "linkage": "complete"}},
			rows(m))
		r := c.next()
		found[i] = r.labels(t)
		if a := r.arrays["children"]; a == nil || !slices.Equal(a.Shape, []int{n - 1, 2}) {
			t.Errorf("the tree is %+v", a)
		}
	}
	if !slices.Equal(found[0], found[1]) || slices.Max(found[0]) != 3 {
		t.Errorf("float32 has other labels: %v, %v", found[0], found[1])
	}
	if !slices.Equal(before, s.F32) {
		t.Error("the matrix has changed")
	}
	for _, tc := range []struct {
		change func()
		row    int
		want   string
	}{
		{func() { d.F64[3*n+5] = -1 }, 3, "-1 is negative"},
		{func() { d.F64[3*n+5] = math.NaN() }, 3, "missing"},
		{func() { d.F64[4*n+4] = 2 }, 4, "itself is 2, not 0"},
	} {
		kept := slices.Clone(d.F64)
		tc.change()
		c := start(t)
		c.send(fields{"id": 1, "do": "fit", "method": "agglomerative",
			"params": fields{"clusters": "3", "dissimilarity": "true"}}, rows(d))
		r := c.next()
		if r.Error == nil || r.Error.Kind != "input" || r.Error.Row == nil ||
			*r.Error.Row != tc.row || !strings.Contains(r.Error.Problem, tc.want) {
			t.Errorf("a damaged matrix is answered by %+v", r.Error)
		}
		copy(d.F64, kept)
	}
}

// Links and known classes count, and rows in errors are those of the data.
func TestLinksAndClasses(t *testing.T) {
	x := blobs(t, 90, 2, 3)
	c := start(t)
	same := of("same", []int64{0, 1, 1, 2}, 2, 2)
	c.send(fields{"id": 1, "do": "fit", "method": "pckmeans", "params": fields{"clusters": "3"}},
		rows(x), same)
	r := c.next()
	if l := r.labels(t); l[0] != l[1] || l[1] != l[2] {
		t.Errorf("must-links are not met: %v", l[:3])
	}
	c.send(fields{"id": 2, "do": "fit", "method": "pckmeans", "params": fields{"clusters": "3"}},
		rows(x), same, of("different", []int32{0, 2}, 1, 2))
	if r := c.next(); r.Error == nil || r.Error.Kind != "input" || len(r.Error.Chain) != 3 {
		t.Errorf("a contradiction is answered by %+v", r.Error)
	}
	c.send(fields{"id": 3, "do": "fit", "method": "pckmeans", "params": fields{"clusters": "3"}},
		rows(x), of("same", []int64{0, 90}, 1, 2))
	if r := c.next(); r.Error == nil || r.Error.Kind != "input" ||
		!strings.Contains(r.Error.Message, "row 90") {
		t.Errorf("a link to row 90 is answered by %+v", r.Error)
	}
	known := slices.Repeat([]int32{-1}, 90)
	for i := range 30 {
		known[i] = int32(i % 3 * 5)
	}
	c.send(fields{"id": 4, "do": "fit", "method": "ssnb", "params": fields{}}, rows(x),
		of("known", known, 90))
	r = c.next()
	if r.Error != nil || slices.Max(r.labels(t)) != 3 {
		t.Errorf("known classes are answered by %+v", r.Error)
	}
	classes, err := r.arrays["class_of"].ints()
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range r.labels(t)[:30] {
		if classes[l-1] != int64(known[i]) {
			t.Errorf("row %d of class %d is in a cluster of class %d", i, known[i], classes[l-1])
		}
	}
	c.send(fields{"id": 5, "do": "fit", "method": "ssnb", "params": fields{}}, rows(x),
		of("known", known[:4], 4))
	if r := c.next(); r.Error == nil || r.Error.Kind != "input" {
		t.Errorf("four classes of 90 rows are answered by %+v", r.Error)
	}
}

// Rows that are left out for missing values have label 0, and the others keep their places.
func TestRowsLeftOut(t *testing.T) {
	x := blobs(t, 90, 2, 3)
	x.F64[2*4] = math.NaN()
	c := start(t)
	c.send(fields{"id": 1, "do": "fit", "method": "kmeans", "params": fields{"clusters": "3"}},
		rows(x))
	if r := c.next(); r.Error == nil || r.Error.Row == nil || *r.Error.Row != 4 ||
		r.Error.Column != "x1" {
		t.Errorf("a missing value is answered by %+v", r.Error)
	}
	c.send(fields{"id": 2, "do": "fit", "method": "evclus",
		"params": fields{"clusters": "3", "missing": "drop"}}, rows(x))
	r := c.next()
	if l := r.labels(t); l[4] != 0 || l[3] != l[6] || slices.Contains(l[5:], 0) {
		t.Errorf("labels: %v", l)
	}
	if m := r.arrays["mass"]; m == nil || m.Shape[0] != 90 {
		t.Errorf("masses: %+v", m)
	}
	known := slices.Repeat([]int32{-1}, 90)
	for i := 6; i < 36; i++ {
		known[i] = int32(i % 3 * 5)
	}
	c.send(fields{"id": 3, "do": "fit", "method": "ssnb",
		"params": fields{"missing": "drop"}}, rows(x), of("known", known, 90))
	r = c.next()
	l := r.labels(t)
	classes, err := r.arrays["class_of"].ints()
	if err != nil {
		t.Fatal(err)
	}
	for i := 6; i < 36; i++ {
		if classes[l[i]-1] != int64(known[i]) {
			t.Errorf("row %d of class %d is in a cluster of class %d", i, known[i], classes[l[i]-1])
		}
	}
}

func TestRefusesSettings(t *testing.T) {
	x := blobs(t, 30, 2, 3)
	c := start(t)
	for i, header := range []fields{
		{"do": "fit", "method": "kmeans", "params": fields{"clusters": "many"}},
		{"do": "fit", "method": "kmeans", "params": fields{"clusters": "3", "colour": "red"}},
		{"do": "fit", "method": "kmeans"},
		{"do": "fit", "method": "nothing"},
		{"do": "fit", "method": 5},
		{"do": "fly"},
		{"do": "predict"},
		{"do": "draw", "format": "gif"},
		{"do": "fit", "method": "kmeans", "params": fields{"clusters": "3"}, "table": "iris"},
	} {
		header["id"] = i + 1
		c.send(header, rows(x))
		if r := c.next(); r.Error == nil || r.Error.Kind != "setting" || r.ID != int64(i+1) {
			t.Errorf("%v is answered by %+v %s", header, r.Error, r.OK)
		}
	}
}

// Many requests run at the same time, and each has the reply to its own.
func TestManyAtOnce(t *testing.T) {
	c := start(t)
	for id := range 12 {
		n := 30 + 3*id
		go c.send(fields{"id": id + 1, "do": "fit", "method": "kmeans",
			"params": fields{"clusters": "3"}}, rows(blobs(t, n, 2, 3)))
	}
	seen := map[int64]bool{}
	for range 12 {
		r := c.next()
		if n := len(r.labels(t)); int64(n) != 30+3*(r.ID-1) {
			t.Errorf("the reply to %d has %d labels", r.ID, n)
		}
		seen[r.ID] = true
	}
	if len(seen) != 12 {
		t.Errorf("%d requests have replies", len(seen))
	}
}

// long is a request that takes very long.
func long(t *testing.T, id int) (fields, *array) {
	return fields{"id": id, "do": "fit", "method": "evclus",
		"params": fields{"clusters": "6", "starts": "1000000"}}, rows(blobs(t, 400, 4, 7))
}

func TestCancel(t *testing.T) {
	c := start(t)
	header, x := long(t, 1)
	c.send(header, x)
	c.send(fields{"id": 2, "do": "hello"})
	if r := c.next(); r.ID != 2 {
		t.Errorf("the first reply is to %d", r.ID)
	}
	c.send(fields{"do": "cancel", "id": 9}) // of which there is none
	c.send(fields{"do": "cancel", "id": 1})
	if r := c.next(); r.ID != 1 || r.Error == nil || r.Error.Kind != "cancelled" {
		t.Errorf("the reply is %+v %+v", r, r.Error)
	}
	c.send(fields{"id": 1, "do": "hello"}) // the id is free again
	if r := c.next(); r.ID != 1 || r.OK == nil {
		t.Errorf("the reply is %+v", r)
	}
}

// A worker whose input ends while it fits is done at once.
func TestEndOfInput(t *testing.T) {
	c := start(t)
	header, x := long(t, 1)
	c.send(header, x)
	c.to.Close()
	go io.Copy(io.Discard, c.in)
	if err := <-c.end; err != nil {
		t.Errorf("Serve returns %v", err)
	}
}

// Questions reach the client, and its answers the method.
func TestAsks(t *testing.T) {
	x := blobs(t, 60, 2, 3)
	for _, name := range []string{"kin", "cobra", "evclus"} {
		c := start(t)
		params := fields{}
		if name == "evclus" {
			params["clusters"] = "3"
		}
		c.send(fields{"id": 1, "do": "ask", "method": name, "params": params, "budget": 25},
			rows(x))
		asked := 0
		r := c.next()
		for ; r.Question != nil; r = c.next() {
			if q := r.Question; q.A%3 == q.B%3 {
				c.send(fields{"id": 1, "do": "answer", "answer": "same"})
			} else {
				c.send(fields{"id": 1, "do": "answer", "answer": "different"})
			}
			asked++
		}
		if a := r.arrays["asked"]; asked == 0 || a == nil || a.Shape[0] != asked {
			t.Errorf("%s: %d questions, and %+v, %+v", name, asked, a, r.Error)
		}
		r.labels(t)
		c.send(fields{"id": 2, "do": "ask", "method": name, "params": params}, rows(x))
		c.next()
		c.send(fields{"id": 2, "do": "answer", "answer": "perhaps"})
		if r := c.next(); r.Error == nil || r.Error.Kind != "setting" {
			t.Errorf("%s: a wrong answer is answered by %+v", name, r.Error)
		}
		c.send(fields{"id": 3, "do": "ask", "method": name, "params": params}, rows(x))
		c.next()
		c.send(fields{"id": 3, "do": "cancel"})
		if r := c.next(); r.Error == nil || r.Error.Kind != "cancelled" {
			t.Errorf("%s: a question that is cancelled is answered by %+v", name, r.Error)
		}
	}
}

func TestDraws(t *testing.T) {
	x := blobs(t, 60, 2, 3)
	c := start(t)
	c.send(fields{"id": 1, "do": "fit", "method": "kmeans", "params": fields{"clusters": "3"}},
		rows(x))
	c.next()
	for _, tc := range []struct {
		header fields
		arrays []*array
		want   string
	}{
		{fields{"result": 1, "format": "svg", "title": "Three groups"}, nil, "Three groups"},
		{fields{"result": 1, "format": "png", "picture": "silhouette"}, nil, "\x89PNG"},
		{fields{"method": "kmeans", "params": fields{"clusters": "2"}, "format": "svg"},
			[]*array{rows(x)}, "2 groups"},
		{fields{"method": "kmeans", "params": fields{"clusters": "3"}, "format": "svg"},
			[]*array{rows(x), of("labels", slices.Repeat([]int32{1, 0}, 30), 60)}, "1 group"},
	} {
		tc.header["id"], tc.header["do"] = 2, "draw"
		c.send(tc.header, tc.arrays...)
		r := c.next()
		if p := r.arrays["picture"]; p == nil || !bytes.Contains(p.bytes, []byte(tc.want)) {
			t.Errorf("%v is answered by %+v", tc.header, r.Error)
		}
	}
	c.send(fields{"id": 3, "do": "draw", "result": 5, "format": "svg"})
	if r := c.next(); r.Error == nil || r.Error.Kind != "gone" {
		t.Errorf("a result that is not kept is answered by %+v", r.Error)
	}
}

// A stream in blocks learns what it does in one, and its state is all that it goes on from.
func TestStreams(t *testing.T) {
	x := blobs(t, 90, 2, 3)
	learn := func(cuts ...int) (labels []int, means []byte) {
		var state *array
		from := 0
		for _, to := range cuts {
			c := start(t)
			arrays := []*array{of(called, x.F64[2*from:2*to], to-from, 2)}
			if state != nil {
				arrays = append(arrays, state)
			}
			c.send(fields{"id": 1, "do": "stream", "method": "olcvqe",
				"params": fields{"clusters": "3", "seed": "4"}}, arrays...)
			r := c.next()
			labels = append(labels, r.labels(t)...)
			state, means, from = r.arrays["state"], r.arrays["means"].bytes, to
		}
		return labels, means
	}
	labels, means := learn(30, 90)
	again, others := learn(30, 31, 50, 90)
	if !slices.Equal(labels, again) || !bytes.Equal(means, others) {
		t.Error("blocks change what is learnt")
	}
	c := start(t)
	for i, tc := range []struct {
		links *array
		want  string
	}{{of("same", []int64{0, 40}, 1, 2), "input"}, {of("same", []int64{0, 3}, 1, 2), ""}} {
		c.send(fields{"id": i + 1, "do": "stream", "method": "crpcl",
			"params": fields{"clusters": "3"}}, of(called, x.F64[:60], 30, 2), tc.links)
		r := c.next()
		if kind := ""; r.Error != nil {
			if kind = r.Error.Kind; kind != tc.want {
				t.Errorf("%v is answered by %+v", tc.links.bytes, r.Error)
			}
		} else if tc.want != "" {
			t.Errorf("%v is taken", tc.links.bytes)
		}
	}
}

func TestIndices(t *testing.T) {
	c := start(t)
	c.send(fields{"id": 1, "do": "indices"}, of("a", []int32{1, 1, 2, 2}, 4),
		of("b", []int64{5, 5, 3, 3}, 4))
	if r := c.next(); !bytes.Contains(r.OK, []byte(`"ari":1,`)) {
		t.Errorf("equal partitions are answered by %s %+v", r.OK, r.Error)
	}
}

// TestTable reads a file as the command does.
func TestTable(t *testing.T) {
	c := start(t)
	c.send(fields{"id": 1, "do": "fit", "method": "kmeans", "table": "iris",
		"params": fields{"clusters": "3", "label": "class"}})
	r := c.next()
	table, err := kindred.Read(t.Context(), "iris", kindred.Params{"label": "class"})
	if err != nil {
		t.Fatal(err)
	}
	want, err := table.Cluster(t.Context(), "kmeans", kindred.Params{"clusters": "3"})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.labels(t), want.Labels) {
		t.Error("the labels of a table are others")
	}
}

// TestUnscaled: beside a column that is not compared, numbers are compared as they are where a
// request says so.
func TestUnscaled(t *testing.T) {
	c := start(t)
	objective := map[bool]float64{}
	for _, unscaled := range []bool{false, true} {
		c.send(fields{"id": 1, "do": "fit", "method": "kmeans", "table": "iris",
			"unscaled": unscaled, "params": fields{"clusters": "3", "label": "class"}})
		var found report
		if err := json.Unmarshal(c.next().OK, &found); err != nil {
			t.Fatal(err)
		}
		objective[unscaled] = found.Objective
	}
	if objective[true] < 78 || objective[true] > 80 || objective[false] > 10 {
		t.Errorf("sums of squares %v: want 78.85 unscaled and 6.98 scaled", objective)
	}
}
