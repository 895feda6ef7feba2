package engine

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
)

// Every round is a job of its own, whose workers end with it: a thousand rounds would else have
// used up the files of a process.
func TestRoundsLeaveNoWorkersBehind(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	r, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := plan(t, halve{}, 2)
	if _, err := r.Rounds(t.Context(), p); err != nil { // which starts what stays
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	p.Rounds = 6
	if _, err := r.Rounds(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	after := runtime.NumGoroutine()
	for end := time.Now().Add(time.Minute); after > before+20 &&
		time.Now().Before(end); after = runtime.NumGoroutine() {
		time.Sleep(20 * time.Millisecond)
	}
	if after > before+20 { // one worker has 24
		t.Errorf("%d goroutines after four more rounds, and %d before", after, before)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%v were left, %v", left, err)
	}
}

// large is a job whose state is some megabytes: the rounds so far, over and over.
type large struct{ halve }

func init() {
	fold.Register("engine-test-large", func([]byte) (fold.Job, error) { return &large{}, nil })
}

const megabytes = 4

func (l *large) Kernel(state []byte, s shard.Split) (fold.Kernel, error) {
	return &largeKernel{round: state[len(state)-1]}, nil
}

func (l *large) Next(state []byte, merged []fold.Merged) ([]byte, bool, error) {
	return bytes.Repeat([]byte{merged[0].Data[0] - '0' + 1}, megabytes<<20), false, nil
}

func (l *large) Merge(_ []byte, _ int64, parts []fold.Part) ([]byte, error) {
	return parts[0].Data, nil
}

type largeKernel struct{ round byte }

func (k *largeKernel) Block(*shard.Block) error { return nil }

func (k *largeKernel) End(emit func(int64, []byte)) error {
	emit(0, []byte{k.round + '0'})
	return nil
}

// Prism keeps what it was sent of every job until the process ends, so states are not sent.
func TestStatesDoNotPileUp(t *testing.T) {
	r, p := runner(t, Options{}), plan(t, halve{}, 2)
	p.Name, p.Job, p.State = "large", "engine-test-large", []byte{0}
	held := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	if _, err := r.Rounds(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	before := held()
	p.Rounds = 8
	out, err := r.Rounds(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.State) != megabytes<<20 || out.State[0] != 8 || out.Resumed != 2 {
		t.Errorf("%d bytes of %d, from round %d", len(out.State), out.State[0], out.Resumed)
	}
	out.State = nil
	after := held()
	// workers of the last job
	for end := time.Now().Add(time.Minute); after > before+2*megabytes<<20 &&
		time.Now().Before(end); after = held() {
		time.Sleep(20 * time.Millisecond)
	}
	if after > before+2*megabytes<<20 {
		t.Errorf("%d MB are held after six more rounds, and %d before", after>>20, before>>20)
	}
}

// Two runs that begin at the same moment may both think that the folder is theirs.
func TestStatesOfAnotherPlanAreNotTaken(t *testing.T) {
	work, p := t.TempDir(), plan(t, halve{}, 1)
	if _, err := runner(t, Options{Work: work}).Rounds(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	p.State = []byte(`{"Value":3}`)
	id, err := identity(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(work, p.Name, "plan"), []byte(id+"\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	p.Rounds = 3
	if out, err := runner(t, Options{Work: work}).Rounds(t.Context(), p); !fault.IsInput(err) {
		t.Errorf("%s, %v", out.State, err)
	}
}

// Workers that write elsewhere leave the folder as it was: the round is not run again and again.
func TestARoundThatLeftNothingIsAnError(t *testing.T) {
	work, p := t.TempDir(), plan(t, halve{}, 2)
	if _, err := runner(t, Options{Work: work}).Rounds(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if e, err := newest(t.Context(), shard.Join(work, p.Name), p, 2); err == nil {
		t.Errorf("round %d was taken for one after the second", e.Round)
	}
}

// Two runs of one plan in one folder end in the same, side by side.
func TestTwoRunsInOneFolder(t *testing.T) {
	work, p := t.TempDir(), plan(t, halve{}, 5)
	want, err := fold.Local{}.Rounds(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 2)
	for range 2 {
		r := runner(t, Options{Work: work})
		go func() {
			out, err := r.Rounds(t.Context(), p)
			if err == nil && !bytes.Equal(out.State, want.State) {
				err = fmt.Errorf("%s, want %s", out.State, want.State)
			}
			ended <- err
		}()
	}
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func TestFoldersHaveTheirWholeNames(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{{"w", filepath.Join(here, "w")}, {"gs://b/w", "gs://b/w"},
		{"/w", "/w"}} {
		if o, err := (Options{Work: c[0]}).filled(); err != nil || o.Work != c[1] {
			t.Errorf("%s is %s, %v", c[0], o.Work, err)
		}
	}
}

// Prism asks for the workers of a job that was cancelled, and ends the process if none are there.
func TestWorkersOfAJobThatIsOverAreNotMissed(t *testing.T) {
	r, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Rounds(t.Context(), plan(t, halve{}, 1)); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := grpc.NewClient(flags.pool.address(),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	nowhere := &pipepb.ApiServiceDescriptor{Url: "127.0.0.1:1"}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	answer, err := fnpb.NewBeamFnExternalWorkerPoolClient(c).StartWorker(ctx,
		&fnpb.StartWorkerRequest{WorkerId: "late", ControlEndpoint: nowhere,
			LoggingEndpoint: nowhere, ProvisionEndpoint: nowhere})
	if err != nil || answer.GetError() != "" {
		t.Errorf("%v, %v", answer, err)
	}
}
