package kin

import "testing"

// TestStatedSuperInstances: where more groups are expected there are more super-instances, so that
// no number is stated as the default.
func TestStatedSuperInstances(t *testing.T) {
	if got := (Config{}).parts(100_000, 25).SuperInstances; got != DefaultSuperInstances {
		t.Errorf("%d super-instances for 25 groups, want %d", got, DefaultSuperInstances)
	}
	for groups, want := range map[int]int{50: 786, 77: 1582, 150: 3000, 300: 3000, 5000: 40_000} {
		if got := (Config{}).parts(200_000, groups).SuperInstances; got != want {
			t.Errorf("%d super-instances for %d groups, want %d", got, groups, want)
		}
	}
	for _, p := range Methods()[0].Params() {
		if p.Name == "super-instances" && (p.Default != "" || p.Auto == "") {
			t.Errorf("the default is %q, %q", p.Default, p.Auto)
		}
	}
}
