package main

import "testing"

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
