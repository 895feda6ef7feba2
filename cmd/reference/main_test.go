package main

import (
	"bytes"
	"os"
	"testing"
)

func TestTheReferenceIsUpToDate(t *testing.T) {
	text, err := os.ReadFile("../../docs/reference.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, page()) {
		t.Error("docs/reference.md is not what the methods declare: run go generate " +
			"./cmd/reference")
	}
}
