package memory

import (
	"bytes"
	"math"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// group is how a version of control groups states limits of memory and what is in use of it.
type group struct {
	limit string   // file of the limit
	used  []string // keys of memory.stat that are not given back when memory is short
}

// stated is that of each version.
var stated = map[int]group{
	1: {"memory.limit_in_bytes", []string{"total_rss", "total_shmem"}},
	2: {"memory.max", []string{"anon", "shmem"}},
}

// left returns the bytes that the limits of the control groups of this process leave: its own group
// and all above it that are in sight. It is MaxInt64 where none of them limits it. root is "/",
// but for tests.
func left(root string) int64 {
	have := int64(math.MaxInt64)
	own, _ := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	mounts, _ := os.ReadFile(filepath.Join(root, "proc/self/mountinfo"))
	for line := range strings.Lines(string(mounts)) {
		at, of, version, ok := parseMount(line)
		if !ok {
			continue
		}
		name, ok := ownGroup(string(own), version)
		if !ok {
			continue
		}
		// Where the group lies outside of what is mounted, as in a container that sees the names
		// of its host, the mount itself is the nearest there is.
		within, ok := strings.CutPrefix(name, strings.TrimSuffix(of, "/")+"/")
		if !ok {
			within = ""
		}
		for dir := path.Join("/", within); ; dir = path.Dir(dir) {
			have = min(have, stated[version].left(filepath.Join(root, at, dir)))
			if dir == "/" {
				break
			}
		}
	}
	return have
}

// parseMount returns where a hierarchy with the controller of memory is mounted, the group that is
// mounted there, and the version.
func parseMount(line string) (at, of string, version int, ok bool) {
	before, after, found := strings.Cut(line, " - cgroup")
	if !found {
		return "", "", 0, false
	}
	fields, kind := strings.Fields(before), strings.Fields("cgroup"+after)
	if len(fields) < 5 || len(kind) < 3 {
		return "", "", 0, false
	}
	switch {
	case kind[0] == "cgroup2":
		version = 2
	case kind[0] == "cgroup" && contains(kind[len(kind)-1], "memory"):
		version = 1
	default:
		return "", "", 0, false
	}
	unescape := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	return unescape.Replace(fields[4]), unescape.Replace(fields[3]), version, true
}

// ownGroup returns the name of the group of this process, of the controller of memory (version 1)
// or of the one hierarchy (version 2).
func ownGroup(text string, version int) (name string, ok bool) {
	for line := range strings.Lines(text) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(parts) == 3 && (version == 1 && contains(parts[1], "memory") ||
			version == 2 && parts[0] == "0" && parts[1] == "") {
			return parts[2], true
		}
	}
	return "", false
}

// contains reports whether a list, as in "rw,memory", has an item.
func contains(list, item string) bool {
	for part := range strings.SplitSeq(list, ",") {
		if part == item {
			return true
		}
	}
	return false
}

// none is a limit that is none, as version 1 states it.
const none = 1 << 60

// left returns what the limit of the group at a folder leaves.
func (g group) left(folder string) int64 {
	limit, ok := readInt(filepath.Join(folder, g.limit))
	if !ok || limit >= none { // "max", or no limit of memory here
		return math.MaxInt64
	}
	stat, err := os.ReadFile(filepath.Join(folder, "memory.stat"))
	if err != nil {
		return math.MaxInt64
	}
	// What files hold of the memory in use would be given back, so only what programs hold counts.
	for _, key := range g.used {
		limit -= numberAfter(stat, key+" ")
	}
	return max(1, limit)
}

// numberAfter finds the number that follows key at the beginning of a line; 0 when there is none.
func numberAfter(text []byte, key string) int64 {
	for line := range bytes.Lines(text) {
		if rest, ok := bytes.CutPrefix(line, []byte(key)); ok {
			fields := bytes.Fields(rest)
			if len(fields) == 0 {
				return 0
			}
			v, err := strconv.ParseInt(string(fields[0]), 10, 64)
			if err != nil {
				return 0
			}
			return v
		}
	}
	return 0
}

// readInt reads a file that holds one number.
func readInt(path string) (int64, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	v, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	return v, err == nil
}
