package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/freeport"
	"github.com/kindred-go/kindred/stream/broker"
)

// process is a kindred in a process of its own.
type process struct {
	t    *testing.T
	cmd  *exec.Cmd
	talk bytes.Buffer
	done chan error
}

func start(t *testing.T, folder string, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, cmd: exec.Command(self, args...), done: make(chan error, 1)}
	p.cmd.Dir = folder
	p.cmd.Env = append(os.Environ(), "KINDRED_TEST_AS_COMMAND=1")
	p.cmd.Stderr = &p.talk
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.done <- p.cmd.Wait()
		close(p.done)
	}()
	t.Cleanup(p.kill)
	return p
}

// kill is kill -9.
func (p *process) kill() {
	p.cmd.Process.Kill()
	<-p.done
}

// ends waits for the end, which must come within minutes and be of the given code.
func (p *process) ends(code int) {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(5 * time.Minute):
		p.kill()
		p.t.Fatalf("%s does not end: %s", strings.Join(p.cmd.Args[1:], " "), &p.talk)
	}
	if got := p.cmd.ProcessState.ExitCode(); got != code {
		p.t.Fatalf("%s ended with code %d: %s", strings.Join(p.cmd.Args[1:], " "), got, &p.talk)
	}
}

// labelsAt returns what the messages of a subject hold, and their headers.
func labelsAt(t *testing.T, address, token, subject string) (data [][]byte, headers []nats.Header) {
	t.Helper()
	var nc *nats.Conn
	var err error
	// it may just be starting
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(50 *
		time.Millisecond) {
		var secret string
		if secret, err = broker.ReadToken(token); err != nil {
			continue
		}
		if nc, err = nats.Connect(address, nats.Token(secret),
			nats.Timeout(time.Minute)); err == nil {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	name, err := js.StreamNameBySubject(t.Context(), subject)
	if err != nil {
		t.Fatal(err)
	}
	log, err := js.Stream(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	for sequence := uint64(1); sequence <= log.CachedInfo().State.LastSeq; sequence++ {
		m, err := log.GetMsg(t.Context(), sequence)
		if err != nil {
			t.Fatal(err)
		}
		data, headers = append(data, m.Data), append(headers, m.Header)
	}
	return data, headers
}

// chaosData is rows of three groups, links among them, and some lines that are none.
func chaosData(rows int) string {
	rng := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	b.WriteString("x,y,z\n")
	for i := range rows {
		group := float64(i % 3)
		fmt.Fprintf(&b, "%.4f,%.4f,%.4f\n", 4*group+rng.Float64(), group*group+rng.Float64(),
			rng.Float64())
		switch i % 100 {
		case 40:
			fmt.Fprintf(&b, "@link,%d,%d,%s\n", i-2, i+1, [2]string{"same", "different"}[i/100%2])
		case 90:
			b.WriteString("1,nonsense,2\n")
		}
	}
	return b.String()
}

// TestKilledAtAnyMoment feeds rows to a broker and labels them, while feed, stream and broker are
// killed at random moments and started again. In the end the log of labels is, message for message
// and byte for byte, that of a run that nobody disturbed.
func TestKilledAtAnyMoment(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const rows, kills = 20_000, 14
	folder := t.TempDir()
	text := chaosData(rows)
	if err := os.WriteFile(filepath.Join(folder, "rows.csv"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "token"), []byte("sesame"), 0o600); err != nil {
		t.Fatal(err)
	}
	streamed := func(address string, more ...string) []string {
		return append([]string{"stream", "--broker", address, "--broker-token-file", "token",
			"--rows", "rows", "--labels", "labels", "-k", "3", "--warm-up", "500",
			"--broker-timeout", "4m"}, more...)
	}

	calm := freeport.Address(t)
	quiet := start(t, folder, "stream", "broker", "--store", "calm", "--token-file", "token",
		"--listen", calm)
	start(t, folder, "stream", "feed", "rows.csv", "--broker", calm,
		"--broker-token-file", "token", "--subject", "rows", "--block",
		"50").ends(cli.Done)
	start(t, folder, streamed(calm, "--stop-at-end")...).ends(cli.Done)
	want, _ := labelsAt(t, calm, filepath.Join(folder, "token"), "labels")
	quiet.cmd.Process.Signal(syscall.SIGINT)
	quiet.ends(cli.Done)

	wild := freeport.Address(t)
	roles := [][]string{
		{"stream", "broker", "--store", "wild", "--token-file", "token", "--listen", wild},
		{"stream", "feed", "rows.csv", "--broker", wild, "--broker-token-file", "token",
			"--subject", "rows", "--block", "50",
			"--rate", fmt.Sprint(rows / 6)},
		streamed(wild, "--state", "wild.state", "--save-every", "100ms"),
	}
	running := make([]*process, len(roles))
	for i, args := range roles {
		running[i] = start(t, folder, args...)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for k := range kills {
		time.Sleep(time.Duration(100+rng.IntN(500)) * time.Millisecond)
		i := []int{2, 0, 2, 1}[k%4]
		running[i].kill()
		if rng.IntN(3) == 0 {
			time.Sleep(time.Duration(rng.IntN(300)) * time.Millisecond) // it stays away for a while
		}
		running[i] = start(t, folder, roles[i]...)
	}
	running[1].ends(cli.Done)
	running[2].kill()
	start(t, folder, streamed(wild, "--state", "wild.state", "--stop-at-end")...).ends(cli.Done)

	got, headers := labelsAt(t, wild, filepath.Join(folder, "token"), "labels")
	if !bytes.Equal(bytes.Join(got, nil), bytes.Join(want, nil)) {
		t.Errorf("%d bytes of labels in %d messages; undisturbed %d bytes in %d",
			len(bytes.Join(got, nil)), len(got), len(bytes.Join(want, nil)), len(want))
	}
	for i, h := range headers {
		if h.Get(broker.SequenceHeader) != fmt.Sprint(i+1) {
			t.Fatalf("message %d holds the labels of message %s", i+1, h.Get(broker.SequenceHeader))
		}
	}
	last := 0
	for line := range strings.Lines(string(bytes.Join(got, nil))) {
		var row int
		if _, err := fmt.Sscanf(line, "%d,", &row); err != nil || row <= last {
			t.Fatalf("behind row %d comes %q", last, line)
		}
		last = row
	}
	if labels := bytes.Count(bytes.Join(got, nil), []byte("\n")); labels != rows {
		t.Errorf("%d labels of %d rows", labels, rows)
	}
	fed, _ := labelsAt(t, wild, filepath.Join(folder, "token"), "rows")
	if _, body, _ := strings.Cut(text, "\n"); string(bytes.Join(fed, nil)) != body {
		t.Errorf("the log of rows is not the file")
	}
}
