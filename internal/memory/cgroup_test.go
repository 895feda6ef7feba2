package memory

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// TestControlGroups finds the least that any group above the process leaves, in files as the kernel
// writes them.
func TestControlGroups(t *testing.T) {
	const (
		v2    = "25 1 0:22 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
		v1    = "31 1 0:25 / /sys/fs/cgroup/memory rw shared:7 - cgroup cgroup rw,memory\n"
		cpu   = "32 1 0:26 / /sys/fs/cgroup/cpu rw shared:7 - cgroup cgroup rw,cpu\n"
		inner = "31 1 0:25 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
	)
	stat2 := func(anon, shmem string) string {
		return "anon " + anon + "\nfile 9000\nshmem " + shmem + "\ninactive_anon 7\n"
	}
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"nothing is known": {nil, math.MaxInt64},
		"a group of version 2": {map[string]string{
			"proc/self/cgroup": "0::/\n", "proc/self/mountinfo": v2,
			"sys/fs/cgroup/memory.max": "1000\n", "sys/fs/cgroup/memory.stat": stat2("300", "50"),
		}, 650},
		"no limit": {map[string]string{
			"proc/self/cgroup": "0::/a\n", "proc/self/mountinfo": v2,
			"sys/fs/cgroup/a/memory.max": "max\n", "sys/fs/cgroup/a/memory.stat": stat2("3", "5"),
		}, math.MaxInt64},
		"the limit is that of a group above": {map[string]string{
			"proc/self/cgroup": "0::/user.slice/user-1.slice/job\n", "proc/self/mountinfo": v2,
			"sys/fs/cgroup/user.slice/user-1.slice/job/memory.max":  "max\n",
			"sys/fs/cgroup/user.slice/user-1.slice/job/memory.stat": stat2("100", "0"),
			"sys/fs/cgroup/user.slice/user-1.slice/memory.max":      "2000\n",
			"sys/fs/cgroup/user.slice/user-1.slice/memory.stat":     stat2("1500", "0"),
			"sys/fs/cgroup/user.slice/memory.max":                   "5000\n",
			"sys/fs/cgroup/user.slice/memory.stat":                  stat2("1600", "0"),
		}, 500},
		"more is in use than allowed": {map[string]string{
			"proc/self/cgroup": "0::/\n", "proc/self/mountinfo": v2,
			"sys/fs/cgroup/memory.max": "1000\n", "sys/fs/cgroup/memory.stat": stat2("1300", "0"),
		}, 1},
		"a group of version 1 beside others": {map[string]string{
			"proc/self/cgroup":    "9:cpu:/c\n4:memory:/job/part\n0::/\n",
			"proc/self/mountinfo": cpu + v1,
			"sys/fs/cgroup/memory/job/part/memory.limit_in_bytes": "9223372036854771712\n",
			"sys/fs/cgroup/memory/job/part/memory.stat":           "rss 1\ntotal_rss 10\n",
			"sys/fs/cgroup/memory/job/memory.limit_in_bytes":      "4000\n",
			"sys/fs/cgroup/memory/job/memory.stat":                "total_rss 70\ntotal_shmem 30\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":          "9223372036854771712\n",
			"sys/fs/cgroup/memory/memory.stat":                    "total_rss 900\n",
		}, 3900},
		"a container that sees the names of its host": {map[string]string{
			"proc/self/cgroup": "4:memory:/docker/abc/part\n", "proc/self/mountinfo": inner,
			"sys/fs/cgroup/memory/part/memory.limit_in_bytes": "600\n",
			"sys/fs/cgroup/memory/part/memory.stat":           "total_rss 100\n",
		}, 500},
		"a container that sees only itself": {map[string]string{
			"proc/self/cgroup": "4:memory:/elsewhere\n", "proc/self/mountinfo": inner,
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "600\n",
			"sys/fs/cgroup/memory/memory.stat":           "total_rss 100\n",
		}, 500},
	} {
		root := t.TempDir()
		for file, text := range c.files {
			path := filepath.Join(root, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := left(root); got != c.want {
			t.Errorf("%s: %d bytes are left, not %d", name, got, c.want)
		}
	}
}

// TestMemoryOfTheKernel takes the least of what the kernel and the groups leave.
func TestMemoryOfTheKernel(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "proc"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := available(root); got != 0 {
		t.Errorf("%d bytes are available where nothing is known", got)
	}
	if err := os.WriteFile(filepath.Join(root, "proc/meminfo"),
		[]byte("MemTotal: 9 kB\nMemAvailable:    7 kB\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := available(root); got != 7<<10 {
		t.Errorf("%d bytes are available, not 7 KiB", got)
	}
}
