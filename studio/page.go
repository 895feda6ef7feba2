package studio

import (
	"embed"
	"io/fs"
)

// The built page. Its sources are beside it; `npm run build` in studio/page makes it anew.
//
//go:embed page/dist
var page embed.FS

// pageFiles returns the files of the page: index.html, app.js, app.css and favicon.svg.
func pageFiles() fs.FS {
	files, err := fs.Sub(page, "page/dist")
	if err != nil {
		panic(err) // the path is a constant: it is embedded, or the package does not compile
	}
	return files
}
