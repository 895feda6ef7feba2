//go:build ignore

// Command pack writes the files of dist into dist.zip, which the command embeds: it is a third as large.
package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"io"
	"log"
	"os"
)

func main() {
	entries, err := os.ReadDir("dist") // sorted by name
	if err != nil {
		log.Fatal(err)
	}
	var all bytes.Buffer
	w := zip.NewWriter(&all)
	w.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, flate.BestCompression)
	})
	for _, e := range entries {
		content, err := os.ReadFile("dist/" + e.Name())
		if err != nil {
			log.Fatal(err)
		}
		f, err := w.CreateHeader(&zip.FileHeader{Name: e.Name(), Method: zip.Deflate})
		if err == nil {
			_, err = f.Write(content)
		}
		if err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("dist.zip", all.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
