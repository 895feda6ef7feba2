// Command licences lists what is built into kindred, kindred-scale and the page, with the licences:
// licences [-check] ROOT writes docs/licences.md of the repository at ROOT, or fails where that is
// not up to date. licences -texts ROOT prints the texts of the licences of all that is built into
// kindred, as they go with it.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	check := flag.Bool("check", false, "compare, and write nothing")
	print := flag.Bool("texts", false, "print the texts of the licences of kindred")
	flag.Parse()
	var err error
	if *print {
		var all []byte
		if all, err = texts(flag.Arg(0)); err == nil {
			_, err = os.Stdout.Write(all)
		}
	} else {
		err = run(flag.Arg(0), *check)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

func run(root string, check bool) error {
	page, err := list(root)
	if err != nil {
		return err
	}
	path := filepath.Join(root, "docs", "licences.md")
	if !check {
		return os.WriteFile(path, page, 0o644)
	}
	if there, err := os.ReadFile(path); err != nil || !bytes.Equal(there, page) {
		return fmt.Errorf("%s is not up to date: run make licences", path)
	}
	return nil
}

// list returns the page for the repository at root.
func list(root string) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("# Licences of what is built in\n\nkindred is under the Apache License 2.0. " +
		"These are the modules and packages that its\nprograms and its page contain, on any " +
		"system. `make licences` writes this page.\n")
	for _, program := range []struct{ name, module, pkg string }{
		{"kindred", ".", "./cmd/kindred"},
		{"kindred-scale", "scale", "./cmd/kindred-scale"},
	} {
		modules, err := linked(filepath.Join(root, program.module), program.pkg)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "\n## %s\n\n| module | version | licences |\n|---|---|---|\n", program.name)
		for _, m := range modules {
			found, err := inFolder(m.Dir)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m.Path, err)
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", m.Path, m.Version, found)
		}
	}
	packages, err := bundled(filepath.Join(root, "studio", "page"))
	if err != nil {
		return nil, err
	}
	b.WriteString("\n## The page\n\n| package | version | licences |\n|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		p := packages[name]
		fmt.Fprintf(&b, "| %s | %s | %s |\n", name, p.Version, p.License)
	}
	return b.Bytes(), nil
}

type module struct{ Path, Version, Dir string }

// linked returns the modules of a program's packages on all systems, by path.
func linked(folder, pkg string) ([]module, error) {
	found := map[string]module{}
	for _, system := range []string{"linux", "darwin", "windows"} {
		cmd := exec.Command("go", "list", "-deps", "-json=Module", pkg)
		cmd.Dir, cmd.Stderr = folder, os.Stderr
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list in %s: %w", folder, err)
		}
		for in := json.NewDecoder(bytes.NewReader(out)); in.More(); {
			var p struct {
				Module *struct {
					module
					Replace *module
				}
			}
			if err := in.Decode(&p); err != nil {
				return nil, err
			}
			// Ours have no version, or lie in this repository.
			if m := p.Module; m != nil && m.Version != "" && m.Replace == nil {
				found[m.Path] = m.module
			}
		}
	}
	return slices.SortedFunc(maps.Values(found),
		func(a, b module) int { return strings.Compare(a.Path, b.Path) }), nil
}

// licenceFile matches the names of files with a licence.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense|notice|ftl)`)

// inFolder names the licences of a module.
func inFolder(dir string) (string, error) {
	files, err := licenceFiles(dir)
	if err != nil {
		return "", err
	}
	found := map[string]bool{}
	for _, f := range files {
		if name := kind(f.text); name != "" {
			found[name] = true
		}
	}
	if len(found) == 0 {
		return "", errors.New("no licence is known among its files: read it, and add it to kind")
	}
	return strings.Join(slices.Sorted(maps.Keys(found)), ", "), nil
}

// file is a file about a licence, by its path in the folder of a module.
type file struct{ name, text string }

// licenceFiles returns the files about licences in a module's folder, and of a folder of licences
// in it.
func licenceFiles(dir string) (found []file, err error) {
	for _, pattern := range []string{"*", "[Ll][Ii][Cc][Ee][Nn][CSs]*/*"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			info, err := os.Stat(name)
			base := filepath.Base(name)
			inside := filepath.Dir(name) != dir
			if err != nil || info.IsDir() || !inside && !licenceFile.MatchString(base) ||
				strings.HasSuffix(base, ".go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			inDir, err := filepath.Rel(dir, name)
			if err != nil {
				return nil, err
			}
			found = append(found, file{filepath.ToSlash(inDir), string(text)})
		}
	}
	return found, nil
}

// kinds are phrases that only one licence has, by its SPDX identifier. The first that fits counts.
var kinds = []struct{ name, phrase string }{
	{"Apache-2.0", "apache license version 2.0"},
	{"OFL-1.1", "sil open font license"},
	{"FTL", "the freetype project license"},
	{"MPL-2.0", "mozilla public license version 2.0"},
	{"GPL-2.0", "gnu general public license version 2"},
	{"Unlicense", "free and unencumbered software released into the public domain"},
	{"CC0-1.0", "cc0 1.0 universal"},
	{"CC-BY", "creative commons attribution"},
	{"blessing", "may you do good and not evil"},
	{"ISC", "permission to use copy modify and or distribute this software"},
	{"MIT", "permission is hereby granted free of charge to any person obtaining a copy"},
	{"BSD-3-Clause", "endorse or promote products derived from this software"},
	{"BSD-2-Clause", "redistributions in binary form must reproduce the above copyright"},
	{"blessing", "public domain"},
}

var noWord = regexp.MustCompile(`[^a-z0-9.]+|\.\s`)

// kind returns the SPDX identifier of a licence by its text; "" where that is not known.
func kind(text string) string {
	text = noWord.ReplaceAllString(strings.ToLower(text), " ")
	for _, k := range kinds {
		if strings.Contains(text, k.phrase) {
			return k.name
		}
	}
	return ""
}

// npm is a package as the lock file has it.
type npm struct {
	Version      string            `json:"version"`
	License      string            `json:"license"`
	Dependencies map[string]string `json:"dependencies"`
}

// imported matches what a source of the page imports that is no file of its own.
var imported = regexp.MustCompile(`(?:from|import)\s+"((?:@[\w.-]+/)?[a-zA-Z][\w.-]*)[^"]*"`)

// bundled returns the packages that the sources of the page import, with their own.
func bundled(page string) (map[string]npm, error) {
	text, err := os.ReadFile(filepath.Join(page, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]npm `json:"packages"`
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, err
	}
	found := map[string]npm{}
	var add func(name string) error
	add = func(name string) error {
		p, ok := lock.Packages["node_modules/"+name]
		if _, had := found[name]; had {
			return nil
		}
		if !ok || p.License == "" {
			return fmt.Errorf("the lock file of the page has no licence of %s", name)
		}
		found[name] = p
		for also := range p.Dependencies {
			if err := add(also); err != nil {
				return err
			}
		}
		return nil
	}
	return found, filepath.WalkDir(filepath.Join(page, "src"),
		func(path string, _ os.DirEntry, err error) error {
			if end := filepath.Ext(path); err != nil || end != ".ts" && end != ".tsx" ||
				strings.Contains(path, ".test.") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, m := range imported.FindAllStringSubmatch(string(text), -1) {
				if err := add(m[1]); err != nil {
					return err
				}
			}
			return nil
		})
}
