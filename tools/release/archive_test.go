package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

var some = []file{
	{name: "kindred", mode: 0o755, data: []byte("a program")},
	{name: "LICENSE", mode: 0o644, data: []byte("terms")},
}

var listed = []string{"v1/LICENSE -rw-r--r-- terms", "v1/kindred -rwxr-xr-x a program"}

func TestToolchain(t *testing.T) {
	folder := t.TempDir()
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(folder, "go.mod"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("module m\n\ngo 1.26.0\n\ntoolchain go1.26.5\n")
	if got, err := toolchain(folder); got != "go1.26.5" || err != nil {
		t.Errorf("it is %q, %v", got, err)
	}
	write("module m\n\ngo 1.26.0\n")
	if got, err := toolchain(folder); err == nil {
		t.Errorf("without a toolchain it is %q", got)
	}
}

func TestArchivesHoldTheFilesInOrder(t *testing.T) {
	for name, test := range map[string]struct {
		write func(string, []file) ([]byte, error)
		list  func(*testing.T, []byte) []string
	}{
		"tar": {tarred, listTar},
		"zip": {zipped, listZip},
	} {
		t.Run(name, func(t *testing.T) {
			first, err := test.write("v1", some)
			if err != nil {
				t.Fatal(err)
			}
			if got := test.list(t, first); !slices.Equal(got, listed) {
				t.Errorf("got %q, want %q", got, listed)
			}
			second, err := test.write("v1", []file{some[1], some[0]})
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(first, second) {
				t.Error("the order of the files changes the bytes")
			}
		})
	}
}

func listTar(t *testing.T, data []byte) (names []string) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(z)
	for {
		h, err := r.Next()
		if err == io.EOF {
			return names
		} else if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if !h.ModTime.Equal(stamp) {
			t.Errorf("%s is of %v", h.Name, h.ModTime)
		}
		names = append(names, fmt.Sprintf("%s %v %s", h.Name, h.FileInfo().Mode(), text))
	}
}

func listZip(t *testing.T, data []byte) (names []string) {
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		if !f.Modified.Equal(stamp) {
			t.Errorf("%s is of %v", f.Name, f.Modified)
		}
		names = append(names, fmt.Sprintf("%s %v %s", f.Name, f.Mode(), text))
	}
	return names
}
