package images

import (
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/kindred-go/kindred/fault"
)

// address is the start of a web address and its kind: a scheme, as in https://, or one of those
// that need no slashes.
var address = regexp.MustCompile(`^(?i:[a-z][a-z0-9+.-]*:(//|\\\\)|` +
	`(data|file|javascript|blob|about|mailto):)`)

// CleanName returns the name of a picture as a path within a folder, with slashes on every system.
// A name that is no such path is a [*fault.Input] with the reason: empty, absolute, a drive, a
// network share, a web address, a way out of the folder, or a name that the system keeps for
// itself. Whether there is such a file is not looked at.
func CleanName(name string) (string, error) {
	bad := func(problem string) (string, error) {
		return "", &fault.Input{File: name, Problem: problem,
			Fix: "name a picture by its path within the folder, as in cats/tom.png"}
	}
	forward := strings.ReplaceAll(name, `\`, "/")
	clean := path.Clean(forward)
	for _, s := range []string{name, clean} { // as ./C:x is C:x
		switch {
		case strings.TrimSpace(s) == "":
			return bad("the name of the picture is empty")
		case address.MatchString(s):
			return bad("is a web address, and nothing is fetched")
		case len(s) >= 2 && s[1] == ':' && (s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z'):
			return bad("is on a drive")
		}
	}
	switch {
	case !utf8.ValidString(name):
		return bad("the name of the picture is not UTF-8")
	case strings.ContainsRune(name, 0):
		return bad("the name of the picture holds a NUL")
	case strings.HasPrefix(forward, "//"):
		return bad("is on another machine or a device")
	case strings.HasPrefix(forward, "/"):
		return bad("is an absolute path")
	case clean == ".":
		return bad("is the folder itself")
	}
	for part := range strings.SplitSeq(forward, "/") {
		if part == ".." {
			return bad("leads out of the folder")
		}
	}
	// Devices such as NUL, and whatever else the system at hand does not take for a file in a
	// folder.
	if !filepath.IsLocal(filepath.FromSlash(clean)) {
		return bad("is no name of a file on this system")
	}
	return clean, nil
}

// Match finds for each name the position of its own in ids, as rows of a table may name pictures:
// by the same path, else by the file name alone, the ending of either left out where that is
// needed. A key that two ids, or two names, share matches nothing, so that no row goes to the wrong
// picture. order has one entry per name: the index in ids, or −1; missing lists the names without
// one.
func Match(names, ids []string) (order []int, missing []string) {
	order = make([]int, len(names))
	for i := range order {
		order[i] = -1
	}
	taken := make([]bool, len(ids))
	for _, whole := range []func(string) string{slashed, path.Base} {
		for _, cut := range [][2]func(string) string{{same, same}, {stem, same}, {stem, stem}} {
			ofName := func(s string) string { return cut[0](whole(slashed(s))) }
			ofID := func(s string) string { return cut[1](whole(slashed(s))) }
			at, known := unique(ids, ofID), unique(names, ofName)
			for i, name := range names {
				k := ofName(name)
				if j, ok := at[k]; ok && j >= 0 && order[i] < 0 && !taken[j] && known[k] == i {
					order[i], taken[j] = j, true
				}
			}
		}
	}
	for i, name := range names {
		if order[i] < 0 {
			missing = append(missing, name)
		}
	}
	return order, missing
}

// unique returns the index of each key, −1 where several have it.
func unique(of []string, key func(string) string) map[string]int {
	at := make(map[string]int, len(of))
	for i, s := range of {
		k := key(s)
		if _, twice := at[k]; twice {
			at[k] = -1
			continue
		}
		at[k] = i
	}
	return at
}

func slashed(s string) string { return path.Clean(strings.ReplaceAll(s, `\`, "/")) }

func same(s string) string { return s }

func stem(s string) string { return strings.TrimSuffix(s, path.Ext(s)) }
