package images

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/fault"
)

func TestCleanNames(t *testing.T) {
	for name, want := range map[string]string{
		"a.png": "a.png", "./a//b.png": "a/b.png", `cats\tom.png`: "cats/tom.png",
		"a..b/c..png": "a..b/c..png", "a/./b": "a/b",
		"Ünïcödé 猫.png": "Ünïcödé 猫.png", "with space.png": "with space.png", "...": "...",
	} {
		if got, err := CleanName(name); err != nil || got != want {
			t.Errorf("%q is %q (%v), not %q", name, got, err, want)
		}
	}
}

// FuzzCleanName: what it lets through stays within the folder, is clean, and is the same when
// cleaned again.
func FuzzCleanName(f *testing.F) {
	for _, s := range []string{"a/b.png", `..\..\x`, "C:x", "http://x", "//x", "a/../b", "\x00",
		"NUL", "a/./..", "x:..", ".", " \\", "./C:x", "./http://x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		clean, err := CleanName(name)
		if err != nil {
			if !fault.IsInput(err) {
				t.Fatalf("%q: %v", name, err)
			}
			return
		}
		if path.IsAbs(clean) || strings.Contains(clean, `\`) ||
			slices.Contains(strings.Split(clean, "/"), "..") || path.Clean(clean) != clean {
			t.Fatalf("%q became %q", name, clean)
		}
		if again, err := CleanName(clean); err != nil || again != clean {
			t.Fatalf("%q became %q and then %q (%v)", name, clean, again, err)
		}
	})
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		names, ids []string
		order      []int
	}{
		{[]string{"a.png", "b.png"}, []string{"b.png", "a.png"}, []int{1, 0}}, // by path
		// by bare name
		{[]string{"x/1.png", "x/2.png"}, []string{"2", "3", "1"}, []int{2, 0}},
		// 1.png may be either
		{[]string{"x/1.png", "y/1.png"}, []string{"1.png", "y/1.png"}, []int{-1, 1}},
		// other slashes and endings
		{[]string{"x/a.png"}, []string{`x\a.jpg`}, []int{0}},
		// stops within names
		{[]string{"v1.2.png", "v1.3.png"}, []string{"v1.3", "v1.2"}, []int{1, 0}},
		{[]string{"a.png", "a.jpg"}, []string{"a"}, []int{-1, -1}}, // two for one
		{[]string{"a.png"}, []string{"a.png", "a.png"}, []int{-1}}, // one for two
		{[]string{"a.png", "b.png"}, nil, []int{-1, -1}},           // nothing
	} {
		order, missing := Match(c.names, c.ids)
		if !slices.Equal(order, c.order) {
			t.Errorf("%v among %v: %v, not %v", c.names, c.ids, order, c.order)
		}
		if want := len(slices.DeleteFunc(slices.Clone(order),
			func(i int) bool { return i >= 0 })); len(missing) != want {
			t.Errorf("%v among %v: %v missing", c.names, c.ids, missing)
		}
	}
}

// TestMatchFindsEveryOrder: names that are all different find themselves, however they are mixed,
// and no id is used twice.
func TestMatchFindsEveryOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfDistinct(rapid.StringMatching(`[ab]{1,2}/[ab]{1,2}\.(png|jpg)`),
			rapid.ID[string]).Draw(t, "ids")
		names := rapid.Permutation(ids).Draw(t, "names")
		order, missing := Match(names, ids)
		for i, j := range order {
			if j < 0 || ids[j] != names[i] || len(missing) > 0 {
				t.Fatalf("%s went to %d, %v missing", names[i], j, missing)
			}
		}
		other := rapid.SliceOf(rapid.StringMatching(`([ab]/)?[ab]{1,2}(\.png)?`)).Draw(t, "other")
		used := map[int]bool{}
		order, missing = Match(names, other)
		for _, j := range order {
			if j >= 0 && used[j] {
				t.Fatalf("%d goes to two", j)
			}
			used[j] = j >= 0
		}
		for _, name := range missing {
			if order[slices.Index(names, name)] >= 0 {
				t.Fatalf("%s is missing and found", name)
			}
		}
	})
}

func ExampleMatch() {
	order, missing := Match([]string{"cats/tom.png", "cats/kit.png", "dogs/rex.png"},
		[]string{"kit", "tom"})
	fmt.Println(order, missing)
	// Output: [1 0 -1] [dogs/rex.png]
}
