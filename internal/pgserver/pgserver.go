// Package pgserver starts PostgreSQL servers for tests.
package pgserver

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kindred-go/kindred/internal/freeport"
)

// Owner is the user who may do everything, and Password is theirs.
const (
	Owner    = "owner"
	Password = "s3cret-7"
)

// Server is a server on this machine.
type Server struct {
	Host   string // 127.0.0.1, where it asks for passwords
	Port   int
	Socket string // the folder of its socket, where it asks for none
}

// Start starts a server, which is stopped when the test ends. The test is skipped where PostgreSQL
// is not installed, and in short mode. The variables by which libpq is configured are not set then.
func Start(t testing.TB) *Server {
	t.Helper()
	if testing.Short() {
		t.Skip("a server takes seconds to start")
	}
	initdb, postgres := program("initdb"), program("postgres")
	if initdb == "" || postgres == "" {
		t.Skip("PostgreSQL is not installed")
	}
	for _, set := range os.Environ() {
		if name, _, _ := strings.Cut(set, "="); strings.HasPrefix(name, "PG") {
			t.Setenv(name, "")
			os.Unsetenv(name)
		}
	}
	folder, err := os.MkdirTemp("", "pg") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	as, err := other(folder)
	if err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.SysProcAttr = folder, as
		return cmd
	}
	data := filepath.Join(folder, "data")
	if out, err := run(initdb, "-D", data, "-U", Owner, "-A", "trust", "-E", "UTF8", "--locale=C",
		"--no-sync").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	rules := "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n"
	if err := os.WriteFile(filepath.Join(data, "pg_hba.conf"), []byte(rules), 0o644); err != nil {
		t.Fatal(err)
	}
	s := &Server{Host: "127.0.0.1", Port: freeport.Port(t), Socket: folder}
	log := &strings.Builder{}
	server := run(postgres, "-D", data, "-k", folder, "-p", fmt.Sprint(s.Port),
		"-c", "listen_addresses="+s.Host, "-c", "fsync=off", "-c", "max_connections=20")
	server.Stdout, server.Stderr = log, log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		server.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		server.Process.Signal(syscall.SIGQUIT)
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			server.Process.Kill()
			<-ended
		}
	})
	for {
		conn, err := pgconn.Connect(t.Context(), s.Local("postgres"))
		if err == nil {
			conn.Close(context.Background())
			break
		}
		select {
		case <-ended:
			t.Fatalf("the server stopped: %s", log)
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
	s.Run(t, "postgres", "ALTER USER "+Owner+" PASSWORD '"+Password+"'")
	return s
}

// Address is the URL of a database for a user, over the network.
func (s *Server) Address(user, password, database string) string {
	if password != "" {
		user += ":" + password
	}
	return fmt.Sprintf("postgres://%s@%s:%d/%s", user, s.Host, s.Port, database)
}

// Local is the URL of a database for the owner, by the socket.
func (s *Server) Local(database string) string {
	return fmt.Sprintf("postgres://%s@/%s?host=%s&port=%d", Owner, database, s.Socket, s.Port)
}

// Run does statements as the owner, each by itself.
func (s *Server) Run(t testing.TB, database string, statements ...string) {
	t.Helper()
	conn, err := pgconn.Connect(t.Context(), s.Local(database))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	for _, statement := range statements {
		if _, err := conn.Exec(t.Context(), statement).ReadAll(); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// program finds a program of PostgreSQL; "" where there is none.
func program(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name) // the pattern is right
	if len(found) == 0 {
		return ""
	}
	return found[len(found)-1]
}
