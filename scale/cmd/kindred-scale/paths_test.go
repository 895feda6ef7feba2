package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/scale/shard"
)

// TestPathsAreThoseOfWorkersElsewhere: a worker's working folder is another, and remote paths have
// none.
func TestPathsAreThoseOfWorkersElsewhere(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for given, want := range map[string]string{
		"": "", "a.csv": here + "/a.csv", "../a/b": filepath.Dir(here) + "/a/b",
		"/data/a.csv":        "/data/a.csv",
		"file:///data/a.csv": "/data/a.csv", "gs://bucket/a": "gs://bucket/a",
		"s3://bucket/*.csv": "s3://bucket/*.csv",
	} {
		if got, err := absolute(given); err != nil || got != want {
			t.Errorf("%q is %q (%v), want %q", given, got, err, want)
		}
	}
	splits := []shard.Split{{File: "a.csv"}, {File: "s3://bucket/a.csv"}}
	if err := absoluteSplits(splits); err != nil || splits[0].File != here+"/a.csv" ||
		splits[1].File != "s3://bucket/a.csv" {
		t.Errorf("%v (%v)", splits, err)
	}
}

// TestWhatIsWrittenIsNotReadAsDataTheNextTime, unless its name hides it from the reading of
// folders.
func TestWhatIsWrittenIsNotReadAsDataTheNextTime(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		name    string
		data    []string
		refused bool
	}{
		{"groups", []string{"table"}, false},
		{"table/groups", []string{"table"}, true},
		{"table/groups", []string{"./table/"}, true},
		{"table", []string{"other.csv", "table"}, true},
		{"table/_groups", []string{"table"}, false},
		{"table/a/.b/c", []string{"table"}, false},
		{"tables", []string{"table"}, false},
		{"groups", []string{"."}, true},
		{"groups", []string{"gro*"}, true},
		{"logs/a/groups", []string{"logs/*"}, true},
		{"logs/a/groups", []string{"logs/*/*.csv"}, false},
		{"logs/a/groups.csv", []string{"logs/*/*.csv"}, true},
		{"gs://bucket/table/groups", []string{"gs://bucket/table"}, true},
		{"gs://bucket/groups", []string{"gs://bucket/table"}, false},
		{"bucket/groups", []string{"gs://bucket"}, false},
		{"", []string{"."}, false},
	} {
		err := apart("--out", c.name, c.data)
		if (err != nil) != c.refused {
			t.Errorf("--out %s beside %v: %v", c.name, c.data, err)
		}
		if err != nil && !strings.Contains(err.Error(), "--out: "+c.name+" lies within DATA") {
			t.Errorf("%v", err)
		}
	}
}
