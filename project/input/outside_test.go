package input

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/method/param"
)

// TestNoSettingLeavesTheRoot: of all settings that are declared, of data and of methods, none that
// names a file leads out of the root, by whatever path.
func TestNoSettingLeavesTheRoot(t *testing.T) {
	const text = "0,1,2\n1,0,3\n2,3,0\n"
	outside := write(t, map[string]string{"file": text})
	folder := write(t, map[string]string{"in.csv": "x,y\n1,2\n3,4\n5,7\n", "m.csv": text,
		"links.csv": "a,b,link\n1,2,same\n1,3,different\n",
		"texts.csv": "t\nthe card was lost\nit rains\nit snows\n"})
	link := filepath.Join(folder, "link")
	if err := os.Symlink(filepath.Join(outside, "file"), link); err != nil {
		t.Skip("no symbolic links here")
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	up, _ := filepath.Rel(folder, filepath.Join(outside, "file"))
	place := Place{Root: root, Folder: outside}
	try := func(data, name string, settings ...string) error {
		r := recipe(t, settings...)
		if err := r.Set(name, settings[1]); err != nil {
			return err
		}
		d, err := Open(t.Context(), place, data, r, nil)
		if err != nil {
			return err
		}
		begun, err := r.Begin(t.Context(), d, nil)
		if err == nil { // some read it when the fit begins
			_, err = begun.Method.Fit(t.Context(), begun.Problem)
		}
		return err
	}
	refused := map[string]bool{}
	check := func(name string, base ...string) {
		t.Helper()
		for _, path := range []string{"link", up, filepath.Join(outside, "file"), "./" + up} {
			sets := map[string][]string{"in.csv": nil, "m.csv": {"dissimilarity", "true"}}
			if name == "encoder" {
				sets = map[string][]string{"texts.csv": {"text", "t"}}
			}
			for data, more := range sets {
				settings := append(append([]string{name, path, "clusters", "2"}, base...), more...)
				err := try(data, name, settings...)
				if err == nil {
					settings[1] = "none"
					if err = try(data, name, settings...); err != nil {
						t.Errorf("--%s %s of %s is read, %v", name, path, data, settings)
					}
					continue
				}
				var setting fault.Setting
				if !fault.IsInput(err) && !errors.As(err, &setting) {
					t.Errorf("--%s %s of %s: %v", name, path, data, err)
				}
				for cause := err; cause != nil; cause = errors.Unwrap(cause) {
					if strings.Contains(cause.Error(), "path escapes from parent") { // of os.Root
						refused[name] = true
					}
				}
			}
		}
		if !refused[name] {
			t.Errorf("no way to read --%s was tried (%v)", name, base)
		}
	}
	for _, p := range New().General() {
		if p.Kind == param.File {
			check(p.Name)
		}
	}
	for _, m := range all.List() {
		c, err := m.With(nil)
		if err != nil {
			t.Fatal(err)
		}
		if !c.Asks() {
			continue // no project can be begun with it
		}
		for _, p := range c.Params() {
			if p.Kind == param.File {
				delete(refused, p.Name)
				check(p.Name, "method", m.Name, "links", "links.csv")
			}
		}
	}
}
