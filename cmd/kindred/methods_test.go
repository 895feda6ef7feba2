package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/method"
)

// Every method is listed, and each parameter that one names is a flag of kindred cluster.
func TestMethodsAreToldWithTheirFlags(t *testing.T) {
	a := newApp(strings.NewReader(""), io.Discard, io.Discard, func(string) string { return "" })
	var list bytes.Buffer
	if err := listMethods(&list); err != nil {
		t.Fatal(err)
	}
	flags := newCluster(a).Flags()
	for _, m := range method.List() {
		if !strings.Contains(list.String(), "\n"+m.Name+" ") {
			t.Errorf("%s is not listed", m.Name)
		}
		for _, name := range m.Takes {
			if flags.Lookup(name) == nil {
				t.Errorf("%s takes --%s, which is no flag of kindred cluster", m.Name, name)
			}
		}
		var about bytes.Buffer
		if err := tellMethod(&about, m, flags); err != nil ||
			!strings.Contains(about.String(), m.Source) {
			t.Errorf("%s: %v\n%s", m.Name, err, about.String())
		}
	}
}
