package crash

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Kind is what an operation does.
type Kind string

// The kinds of operations.
const (
	Open     Kind = "open"     // FD is the file at Path in this process, made if it is not there
	Close    Kind = "close"    // of FD
	Write    Kind = "write"    // Data to FD, at At, or behind what is there where At is below 0
	Truncate Kind = "truncate" // FD to At bytes
	Begin    Kind = "begin"    // of the sync that ends with a Sync of the same FD
	Sync     Kind = "sync"     // of FD, a file or a folder
	Rename   Kind = "rename"   // Path to To
	Remove   Kind = "remove"   // Path
	Make     Kind = "make"     // the folder Path
	Say      Kind = "say"      // Data to what is no file of the folder
)

// Op is one operation of a command.
type Op struct {
	Kind  Kind
	Path  string
	To    string
	FD    int
	At    int64
	Data  []byte
	Empty bool // an Open that cuts the file to nothing
	New   bool // an Open that may make the file
}

// String returns what the operation is, without its data.
func (o Op) String() string {
	return fmt.Sprintf("%s %s%s fd %d, %d bytes at %d", o.Kind, o.Path, o.To, o.FD, len(o.Data),
		o.At)
}

// calls are the calls of the system that change files, or what somebody sees.
const calls = "open,openat,write,pwrite64,fsync,fdatasync,ftruncate,rename,renameat,renameat2,unlink," +
	"unlinkat,mkdir,mkdirat,rmdir,close"

// notModelled are calls that change files in ways that are not understood; they must not come.
const notModelled = ",creat,writev,pwritev,pwritev2,truncate,link,linkat,symlink,symlinkat," +
	"fallocate,sync_file_range"

// copies are calls for which programs have another way, if the system does not know them.
const copies = "copy_file_range,sendfile,splice"

// Program returns the path of strace, and skips the test where processes cannot be traced.
func Program(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed")
	}
	if out, err := exec.Command(path, "-f", "--seccomp-bpf", "-o", os.DevNull, "true").
		CombinedOutput(); err != nil {
		t.Skipf("processes cannot be traced here: %v: %s", err, out)
	}
	return path
}

// Recording is a command under way whose operations are kept.
type Recording struct {
	t   testing.TB
	log string
	dir string // the folder in which the command runs
}

// Record lets cmd, which must not have been started, be recorded as it runs. cmd.Dir must be set.
// Signals for the command go to the processes of [Recording.Process].
func Record(t testing.TB, cmd *exec.Cmd) *Recording {
	t.Helper()
	r := &Recording{t: t, log: filepath.Join(t.TempDir(), "strace.log"), dir: cmd.Dir}
	cmd.Args = slices.Concat([]string{"strace", "-f", "--seccomp-bpf", "-y", "-xx",
		"-s", "100000000", "-e", "signal=none", "-e", "trace=" + calls + notModelled + "," + copies,
		"-e", "inject=" + copies + ":error=ENOSYS", "-o", r.log, "--", cmd.Path}, cmd.Args[1:])
	cmd.Path = Program(t)
	return r
}

// call is one line of strace: a process, the name of the call, what is in parentheses, and the
// result.
var call = regexp.MustCompile(`^(\w+)\((.*)\)\s+= (-?\d+)`)

// Ops returns what the command did to files under folder, which it began with, and what it said to
// others, after it has ended.
func (r *Recording) Ops(folder string) []Op {
	r.t.Helper()
	f, err := os.Open(r.log)
	if err != nil {
		r.t.Fatal(err)
	}
	defer f.Close()
	p := parser{t: r.t, dir: r.dir, folder: folder, files: make(map[int]bool),
		begun: make(map[string]string), said: make(map[string]int)}
	lines := bufio.NewReader(f)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			p.line(strings.TrimSpace(line))
		}
		if err == io.EOF {
			return slices.DeleteFunc(p.ops, func(o Op) bool { return o.Kind == "" })
		}
		if err != nil {
			r.t.Fatal(err)
		}
	}
}

// parser makes operations of the lines of strace.
type parser struct {
	t           testing.TB
	dir, folder string
	ops         []Op
	files       map[int]bool      // descriptors of files under the folder
	begun       map[string]string // first halves of calls, by process
	said        map[string]int    // where what a process began to say, or to sync, is in ops
}

// line takes a line. A call that others interrupt takes effect at its end; what is said counts from
// its beginning, a sync holds for what was written before its beginning, and a descriptor that is
// being closed may be given to the next file before the end.
func (p *parser) line(text string) {
	process, text, _ := strings.Cut(text, " ")
	text = strings.TrimSpace(text)
	if first, cut := strings.CutSuffix(text, "<unfinished ...>"); cut {
		first = strings.TrimSpace(first)
		if closed, ok := strings.CutPrefix(first, "close("); ok {
			p.call("close", arguments(closed), 0, -1)
			first = ""
		}
		p.begun[process] = first
		p.said[process] = len(p.ops)
		p.ops = append(p.ops, Op{}) // a place for it
		return
	}
	at := -1
	if rest, resumed := strings.CutPrefix(text, "<... "); resumed {
		_, rest, _ = strings.Cut(rest, " resumed>")
		text = p.begun[process] + rest
		at = p.said[process]
		delete(p.begun, process)
	}
	m := call.FindStringSubmatch(text)
	if m == nil {
		return // an exit or a signal
	}
	result, _ := strconv.Atoi(m[3])
	if result < 0 {
		return
	}
	p.call(m[1], arguments(m[2]), result, at)
}

// call adds what a call did.
func (p *parser) call(name string, args []string, result, at int) {
	add := func(o Op) { p.ops = append(p.ops, o) }
	switch name {
	case "open":
		p.call("openat", append([]string{""}, args...), result, at)
	case "openat":
		path := p.path(args[0], args[1])
		if path == "" {
			delete(p.files, result)
			return
		}
		p.files[result] = true
		add(Op{Kind: Open, Path: path, FD: result, New: strings.Contains(args[2], "O_CREAT"),
			Empty: strings.Contains(args[2], "O_TRUNC")})
	case "close":
		if fd := descriptor(args[0]); p.files[fd] {
			delete(p.files, fd)
			add(Op{Kind: Close, FD: fd})
		}
	case "write", "pwrite64":
		o := Op{Kind: Write, FD: descriptor(args[0]), At: -1, Data: quoted(args[1])[:result]}
		if name == "pwrite64" {
			o.At, _ = strconv.ParseInt(args[3], 10, 64)
		}
		if p.files[o.FD] {
			add(o)
			return
		}
		o.Kind = Say
		if at >= 0 {
			p.ops[at] = o
		} else {
			add(o)
		}
	case "fsync", "fdatasync":
		fd := descriptor(args[0])
		if !p.files[fd] {
			return
		}
		if at >= 0 {
			p.ops[at] = Op{Kind: Begin, FD: fd}
		} else {
			add(Op{Kind: Begin, FD: fd})
		}
		add(Op{Kind: Sync, FD: fd})
	case "ftruncate":
		if fd := descriptor(args[0]); p.files[fd] {
			size, _ := strconv.ParseInt(args[1], 10, 64)
			add(Op{Kind: Truncate, FD: fd, At: size})
		}
	case "rename":
		p.rename(args[0], args[0], args[1], args[1])
	case "renameat", "renameat2":
		p.rename(args[0], args[1], args[2], args[3])
	case "unlink", "rmdir":
		p.named(Remove, "", args[0])
	case "unlinkat":
		p.named(Remove, args[0], args[1])
	case "mkdir":
		p.named(Make, "", args[0])
	case "mkdirat":
		p.named(Make, args[0], args[1])
	default:
		for _, arg := range args {
			if strings.HasPrefix(arg, `"`) && p.path("", arg) != "" ||
				p.files[descriptor(arg)] && strings.Contains(arg, "<") {
				p.t.Fatalf("%s changes files in a way that is not understood", name)
			}
		}
	}
}

func (p *parser) named(kind Kind, folder, name string) {
	if path := p.path(folder, name); path != "" {
		p.ops = append(p.ops, Op{Kind: kind, Path: path})
	}
}

func (p *parser) rename(fromFolder, from, toFolder, to string) {
	o := Op{Kind: Rename, Path: p.path(fromFolder, from), To: p.path(toFolder, to)}
	if (o.Path == "") != (o.To == "") {
		p.t.Fatalf("a file is moved into or out of %s", p.folder)
	}
	if o.Path != "" {
		p.ops = append(p.ops, o)
	}
}

// path returns the path of a file in the folder, with slashes, "." for the folder; "" for others.
func (p *parser) path(folder, name string) string {
	path := string(quoted(name))
	if !filepath.IsAbs(path) {
		within := p.dir
		if begin := strings.IndexByte(folder, '<'); begin >= 0 {
			within = string(unescaped(strings.Trim(folder[begin:], "<>")))
		}
		path = filepath.Join(within, path)
	}
	relative, err := filepath.Rel(p.folder, path)
	if err != nil || relative == ".." || strings.HasPrefix(relative, "../") {
		return ""
	}
	return relative
}

// arguments cuts the arguments of a call apart: strings have no commas, as all is in hexadecimal.
func arguments(text string) []string { return strings.Split(text, ", ") }

// descriptor reads a descriptor such as 5</tmp/x>; -1 for what is none.
func descriptor(arg string) int {
	number, _, _ := strings.Cut(arg, "<")
	fd, err := strconv.Atoi(number)
	if err != nil {
		return -1
	}
	return fd
}

// quoted reads a string such as "\x61".
func quoted(arg string) []byte { return unescaped(strings.Trim(arg, `"`)) }

func unescaped(text string) []byte {
	b, err := hex.DecodeString(string(bytes.ReplaceAll([]byte(text), []byte(`\x`), nil)))
	if err != nil {
		return []byte(text)
	}
	return b
}

// Break lets calls of cmd, which must not have been started, fail with an error of the system, as
// in Break(t, cmd, "fsync,fdatasync", "EIO").
func Break(t testing.TB, cmd *exec.Cmd, calls, number string) {
	t.Helper()
	program := Program(t)
	cmd.Args = slices.Concat([]string{"strace", "-f", "--seccomp-bpf", "-e", "signal=none",
		"-e", "trace=" + calls, "-e", "inject=" + calls + ":error=" + number, "-o", os.DevNull,
		"--", cmd.Path}, cmd.Args[1:])
	cmd.Path = program
}

// Interrupt sends an interrupt to the command that runs under strace.
func Interrupt(t testing.TB, cmd *exec.Cmd) {
	t.Helper()
	pid := strconv.Itoa(cmd.Process.Pid)
	text, err := os.ReadFile(filepath.Join("/proc", pid, "task", pid, "children"))
	if err != nil {
		t.Fatal(err)
	}
	for _, child := range strings.Fields(string(text)) {
		number, err := strconv.Atoi(child)
		if err != nil {
			t.Fatal(err)
		}
		p, err := os.FindProcess(number)
		if err == nil {
			err = p.Signal(os.Interrupt)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Attach lets calls of a process that runs fail with an error of the system, until over is called.
// The test is skipped where processes under way cannot be traced.
func Attach(t testing.TB, pid int, calls, number string) (over func()) {
	t.Helper()
	cmd := exec.Command(Program(t), "-f", "-e", "signal=none", "-e", "trace="+calls,
		"-e", "inject="+calls+":error="+number, "-o", os.DevNull, "-p", strconv.Itoa(pid))
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	over = sync.OnceFunc(func() {
		cmd.Process.Signal(os.Interrupt) // it lets the process go
		io.Copy(io.Discard, said)
		cmd.Wait()
	})
	t.Cleanup(over)
	lines := bufio.NewReader(said)
	for {
		line, err := lines.ReadString('\n')
		if strings.Contains(line, "attached") {
			go io.Copy(io.Discard, lines)
			return over
		}
		if err != nil {
			t.Skipf("processes under way cannot be traced here: %v: %s", err, line)
		}
	}
}
