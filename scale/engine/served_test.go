package engine

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"google.golang.org/grpc"
)

// notBeam returns where a server listens that speaks another language, as Flink's own port does.
func notBeam(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}

// jobs is a job server that has some jobs, and notes which of them are cancelled.
type jobs struct {
	jobpb.UnimplementedJobServiceServer
	names     map[string]string // by id
	cancelled chan string
}

func (j *jobs) GetJobs(context.Context, *jobpb.GetJobsRequest) (*jobpb.GetJobsResponse, error) {
	all := new(jobpb.GetJobsResponse)
	for id, name := range j.names {
		all.JobInfo = append(all.JobInfo, &jobpb.JobInfo{JobId: id, JobName: name})
	}
	return all, nil
}

func (j *jobs) Cancel(_ context.Context, q *jobpb.CancelJobRequest) (*jobpb.CancelJobResponse,
	error) {
	j.cancelled <- q.GetJobId()
	return new(jobpb.CancelJobResponse), nil
}

func TestAJobIsCancelledByTheNameThatItsServerMadeOfIt(t *testing.T) {
	at, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	j := &jobs{cancelled: make(chan string, 3), names: map[string]string{
		"a": "kindred0lloyd010dn1xkiz3y45x-root-1122175419-a4a99f1e",
		"b": "kindred0lloyd010dn1xlflapd8f-root-1122175530-d653d7b2",
		"c": "kindred-survey-1-dn1xldfdk8gs",
	}}
	server := grpc.NewServer()
	jobpb.RegisterJobServiceServer(server, j)
	go server.Serve(at)
	t.Cleanup(server.Stop)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for name, want := range map[string]string{"kindred-lloyd-1-dn1xlflapd8f": "b",
		"kindred-survey-1-dn1xldfdk8gs": "c"} {
		cancelAt(ctx, name, at.Addr().String())
		if len(j.cancelled) == 0 {
			t.Fatalf("%s: nothing was cancelled", name)
		}
		if got := <-j.cancelled; got != want || len(j.cancelled) > 0 {
			t.Errorf("%s: %q was cancelled, want %q", name, got, want)
		}
	}
}
