package studio

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
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
