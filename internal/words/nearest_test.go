package words

import "testing"

// TestNearest: near names are suggested, and no others.
func TestNearest(t *testing.T) {
	names := []string{"label", "labels", "scale", "seed", "clusters", "min-points", "x", "place",
		"min-cluster-size", "ID", "table"}
	for name, want := range map[string]string{
		"lable": "label", "tabel": "table", "LABEL": "label", "sacle": "scale",
		"min-point": "min-points",
		"clutser":   "clusters", "min-cluster": "min-cluster-size", "id": "ID",
		"price": "", "y": "", "ix": "", "speed": "seed", "min": "", "people": "", "": "",
		"clus": "clusters",
	} {
		if got, ok := Nearest(name, names); got != want || ok != (want != "") {
			t.Errorf("%q is near %q, want %q", name, got, want)
		}
	}
}
