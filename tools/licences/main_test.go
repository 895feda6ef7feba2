package main

import (
	"bytes"
	"strings"
	"testing"
)

// The texts that go with kindred are those of each module, whatever runs.
func TestTexts(t *testing.T) {
	all, err := texts("../..")
	if err != nil {
		t.Fatal(err)
	}
	again, err := texts("../..")
	if err != nil || !bytes.Equal(all, again) {
		t.Errorf("they are others the second time: %v", err)
	}
	for _, want := range []string{"Copyright 2009 The Go Authors", "Copyright (c) 2015-present " +
		"Jason Miller", "UCI Machine Learning Repository", "Apache License\n",
		"github.com/parquet-go/parquet-go v", "modernc.org/sqlite v"} {
		if !strings.Contains(string(all), want) {
			t.Errorf("they have no %q", want)
		}
	}
	modules, err := linked("../..", "./cmd/kindred")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range modules {
		if !strings.Contains(string(all), "\n"+m.Path+" "+m.Version+": ") {
			t.Errorf("they have nothing of %s", m.Path)
		}
	}
}

// TestThePageIsUpToDate: the list in docs is what the modules and packages are.
func TestThePageIsUpToDate(t *testing.T) {
	if err := run("../..", true); err != nil {
		t.Error(err)
	}
}

func TestKind(t *testing.T) {
	for text, want := range map[string]string{
		"   Apache License\n   Version 2.0, January 2004":                               "Apache-2.0",
		"Permission is hereby granted, free of charge, to any\nperson obtaining a copy": "MIT",
		"Permission to use, copy, modify, and/or distribute this software":              "ISC",
		"Neither the name nor the contributors may be used to endorse or promote\n" +
			"products derived from this software": "BSD-3-Clause",
		"Redistributions in binary form must reproduce the above copyright notice": "BSD-2-Clause",
		"All rights reserved.": "",
	} {
		if got := kind(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
