package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// texts returns the texts of the licences of what is built into kindred of the repository at root:
// of Go, the modules, the packages of the page and the samples. A text that several have is there
// once.
func texts(root string) ([]byte, error) {
	modules, err := linked(root, "./cmd/kindred")
	if err != nil {
		return nil, err
	}
	var order []string
	of := map[string][]string{} // names, by the text
	add := func(name, text string) {
		text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
		if of[text] == nil {
			order = append(order, text)
		}
		of[text] = append(of[text], name)
	}
	goroot, err := goRoot(root)
	if err != nil {
		return nil, err
	}
	for _, one := range []struct{ name, path string }{
		{"Go and its standard library", filepath.Join(goroot, "LICENSE")},
		{"Go and its standard library: PATENTS", filepath.Join(goroot, "PATENTS")},
		{"the packages of the page",
			filepath.Join(root, "studio", "page", "dist", "licences.txt")},
		{"the samples", filepath.Join(root, "data", "sample", "files", "ORIGIN.md")},
	} {
		text, err := os.ReadFile(one.path)
		if err != nil {
			return nil, err
		}
		add(one.name, string(text))
	}
	for _, m := range modules {
		files, err := licenceFiles(m.Dir)
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("%s: no file has its licence", m.Path)
		}
		for _, f := range files {
			add(m.Path+" "+m.Version+": "+f.name, f.text)
		}
	}
	var b bytes.Buffer
	b.WriteString("kindred is under the Apache License 2.0, in the file LICENSE. It contains what " +
		"follows.\n")
	line := strings.Repeat("=", 80)
	for _, text := range order {
		fmt.Fprintf(&b, "\n%s\n%s\n%s\n\n%s\n", line, strings.Join(of[text], "\n"), line, text)
	}
	return b.Bytes(), nil
}

// goRoot returns the folder of the Go that builds the repository at root.
func goRoot(root string) (string, error) {
	cmd := exec.Command("go", "env", "GOROOT")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}
