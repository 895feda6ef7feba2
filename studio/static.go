package studio

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

// static are the files of the page, kept in memory and compressed once.
type static map[string]staticFile

type staticFile struct {
	kind, tag     string // content type, and entity tag
	plain, zipped []byte // zipped is nil where it would be no smaller
}

// readStatic takes in all files of the page.
func readStatic(files fs.FS) (static, error) {
	all := static{}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(content)
		f := staticFile{kind: staticKind(name), plain: content,
			tag: `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`}
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is one that there is
		z.Write(content)                                      // a buffer takes everything
		z.Close()
		if b.Len() < len(content) {
			f.zipped = b.Bytes()
		}
		all["/"+name] = f
		return nil
	})
	if index, ok := all["/index.html"]; ok {
		all["/"] = index
	}
	return all, err
}

// staticKind returns the content type of a file of the page, the same on every machine.
func staticKind(name string) string {
	return cmp.Or(map[string]string{
		".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
		".html": "text/html; charset=utf-8", ".svg": "image/svg+xml", ".woff2": "font/woff2",
		".webmanifest": "application/manifest+json", ".txt": "text/plain; charset=utf-8",
	}[path.Ext(name)], mime.TypeByExtension(path.Ext(name)), octets)
}

func (s static) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	f, ok := s[r.URL.Path]
	if !ok {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(http.StatusNotFound)
		writeText(w, "kindred: there is no such page. The studio is at /, its programming "+
			"interface is explained at /api/v1/docs.\n")
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("ETag", f.tag)
	// kept, but checked each time: a new kindred has a new page
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Vary", "Accept-Encoding")
	body := f.plain
	if f.zipped != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = f.zipped
	}
	if matches(r.Header.Get("If-None-Match"), f.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Write(body) // a client that is gone needs no answer
}

// The built page. Its sources are beside it; `make page` makes it anew.
//
//go:embed page/dist.zip
var page string

// pageFiles returns the files of the page: index.html, app.js, app.css, favicon.svg and licences.txt.
func pageFiles() fs.FS {
	files, err := zip.NewReader(strings.NewReader(page), int64(len(page)))
	if err != nil {
		panic(err) // what is embedded is a constant, and a test reads it
	}
	return files
}
