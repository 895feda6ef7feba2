package studio

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// drawn makes a PNG of one colour with a mark at a place, so that no two are the same.
func drawn(t *testing.T, c color.Color, at int) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 40, 30))
	for i := range 40 * 30 {
		m.Set(i%40, i/40, c)
	}
	for i := range 5 {
		m.Set(at+i, at, color.Black)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// bomb makes a small PNG of 20000×20000 pixels.
func bomb(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	m := image.NewPaletted(image.Rect(0, 0, 20_000, 1), color.Palette{color.White})
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	// The header lies about the height, which is what is to be looked at before anything is
	// unpacked.
	text := b.Bytes()
	copy(text[20:24], []byte{0, 0, 0x4e, 0x20})
	return text
}

// Pictures of a folder come as pictures, by their content.
func TestPictures(t *testing.T) {
	x := open(t, Config{})
	for i := range 8 {
		x.put(fmt.Sprintf("birds/%d.png", i),
			string(drawn(t, color.RGBA{uint8(30 * i), 200, 10, 255}, i)))
	}
	p := x.begin("birds")
	for size, most := range map[string]int{"": 512, "?size=64": 64} {
		r := x.get(p + "/objects/3/picture" + size).wants(200)
		m, kind, err := image.Decode(bytes.NewReader(r.body))
		if err != nil || m.Bounds().Dx() > most || r.header.Get("Content-Type") != "image/"+kind {
			t.Errorf("the picture%s is %v of type %q, %v", size, m.Bounds(),
				r.header.Get("Content-Type"), err)
		}
	}
	x.get(p+"/objects/99/picture").problem(404, "not-found")
	x.get(p+"/objects/1/picture?size=5000").problem(422, "request")
	x.get(x.begin("iris")+"/objects/1/picture").problem(404, "not-found")
}

// TestThumbnailsBesideTheProject: they are made while a project is opened, beside its file, for its
// owner alone, and are no data to begin another project with. A project goes on without them.
func TestThumbnailsBesideTheProject(t *testing.T) {
	x := open(t, Config{})
	for i := range 8 {
		x.put(fmt.Sprintf("birds/%d.png", i),
			string(drawn(t, color.RGBA{uint8(30 * i), 200, 10, 255}, i)))
	}
	x.put("birds/broken.png", "\x89PNG\r\n\x1a\n and nothing else")
	p := x.begin("birds")
	var files []string
	err := filepath.WalkDir(x.folder, func(path string, e fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".kindred.thumbnails") {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	info, err := os.Stat(files[0])
	if err != nil || info.Mode().Perm() != 0o600 || info.Size() < 8*100 {
		t.Fatal(info.Mode(), info.Size(), err)
	}
	ahead := x.get(p + "/objects/3/picture?size=128").wants(200)
	if sources := x.get("/api/v1/sources").wants(200); bytes.Contains(sources.body,
		[]byte("thumbnails")) {
		t.Errorf("the thumbnails are data: %s", sources.body)
	}
	x.closing("birds")()
	if err := os.WriteFile(files[0], bytes.Repeat([]byte("no database "), 100), 0o600); err != nil {
		t.Fatal(err)
	}
	x.post(p+"/open", "{}").wants(202)
	x.ready("birds")
	again := x.get(p + "/objects/3/picture?size=128").wants(200)
	if !bytes.Equal(ahead.body, again.body) {
		t.Error("the thumbnail is another")
	}
	if notes := x.get(p).wants(200); !bytes.Contains(notes.body, []byte("thumbnails are made when")) ||
		!bytes.Contains(notes.body, []byte("broken.png")) {
		t.Errorf("the notes are %s", notes.body)
	}
}

// Paths in an image column that lead out of the folder, URLs, SVG named .png, pixel bombs, links:
// no such picture is sent.
func TestHostilePictures(t *testing.T) {
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret.png")
	if err := os.WriteFile(secret, drawn(t, color.RGBA{255, 0, 0, 255}, 1), 0o600); err != nil {
		t.Fatal(err)
	}
	x := open(t, Config{Root: filepath.Join(outside, "served")})
	for i := range 6 {
		x.put(fmt.Sprintf("good%d.png", i),
			string(drawn(t, color.RGBA{0, uint8(40 * i), 90, 255}, i)))
	}
	x.put("script.png", `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" `+
		`height="9"><script>alert(1)</script></svg>`)
	x.put("page.png", `<!doctype html><script>alert(1)</script>`)
	x.put("bomb.png", string(bomb(t)))
	x.put("cut.png", string(drawn(t, color.White, 1)[:60]))
	// where there are no links, there is no such file
	os.Symlink(secret, filepath.Join(x.folder, "link.png"))
	os.Symlink("..", filepath.Join(x.folder, "up"))
	for i, bad := range []string{
		"../secret.png", secret, "sub/../../secret.png", `..\secret.png`, "%2e%2e/secret.png",
		"..%2fsecret.png", "file://" + secret, `C:\secret.png`, `\\host\share\secret.png`,
		"//host/share/secret.png",
		"http://127.0.0.1/secret.png", "https://evil.example/x.png", "link.png", "up/secret.png",
		"script.png", "page.png", "bomb.png", "cut.png", "none.png", "/dev/zero",
		"/proc/self/environ", ".", "",
	} {
		var b strings.Builder
		b.WriteString("file,n\n")
		for k := range 6 {
			fmt.Fprintf(&b, "good%d.png,%d\n", k, k)
		}
		fmt.Fprintf(&b, "\"%s\",9\n", bad)
		name := fmt.Sprintf("shots%d.csv", i)
		x.put(name, b.String())
		id := into[Started](x.post("/api/v1/projects",
			fmt.Sprintf(`{"data":%q,"settings":{"images":"file"}}`, name)).wants(202)).ID
		if l := x.ready(id); l.State == stateFailed {
			if l.Error == "" || strings.HasPrefix(l.Error, "something failed") {
				t.Errorf("%q: it failed without a reason: %q", bad, l.Error)
			}
			continue
		}
		p := "/api/v1/projects/" + id
		if r := x.get(p + "/objects/6/picture"); r.status == 200 {
			t.Errorf("%q: a picture of %d bytes came as %s", bad, len(r.body),
				r.header.Get("Content-Type"))
		}
		x.get(p + "/objects/2/picture").wants(200)
	}
}
