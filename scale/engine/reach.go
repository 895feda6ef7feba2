package engine

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/kindred-go/kindred/internal/words"
)

// patience is how long a job server has to answer at all.
const patience = 10 * time.Second

// Unreachable is the error of an engine that does not answer.
type Unreachable struct {
	Endpoint string
	Problem  string
	Fix      string
}

// Error returns one sentence.
func (e *Unreachable) Error() string {
	return fmt.Sprintf("the job server at %s %s; %s", e.Endpoint, e.Problem, e.Fix)
}

// reachable asks the job server whether it is one, before a job of many files is sent.
func reachable(ctx context.Context, o Options) error {
	if o.Endpoint == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", o.Endpoint)
	if err != nil {
		if ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled) {
			return ctx.Err()
		}
		return &Unreachable{o.Endpoint, "does not answer (" + words.Cause(err) + ")",
			"start it, or give the --endpoint that it listens on"}
	}
	conn.Close()
	client, err := grpc.NewClient(o.Endpoint,
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer client.Close()
	_, err = jobpb.NewJobServiceClient(client).GetJobs(ctx, &jobpb.GetJobsRequest{})
	switch status.Code(err) {
	case codes.OK, codes.Unimplemented:
		return nil
	case codes.Canceled:
		return context.Canceled
	}
	return &Unreachable{o.Endpoint, "is none of Beam's (" + words.Cause(err) + ")",
		"give the --endpoint of the job server (8099 where it has the usual one), not Flink's or " +
			"Spark's own port"}
}

// run sends a job and waits for its end. A job whose context is done is cancelled on the engine
// too.
func run(ctx context.Context, o Options, name string, pipe *beam.Pipeline) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() {
		_, err := beam.Run(ctx, o.Runner, pipe)
		ended <- err
	}()
	select {
	case err := <-ended:
		if ctx.Err() == nil {
			return explain(err)
		}
		cancelJob(name, *jobopts.Endpoint)
	case <-ctx.Done():
		select { // Beam, which ends by itself now, still reads its flags, and sends the job perhaps
		case <-ended:
			cancelJob(name, *jobopts.Endpoint)
		case <-time.After(patience):
			cancelJob(name, o.Endpoint)
		}
	}
	return ctx.Err()
}

// cancelJob asks a job server to cancel the job of a name. Dataflow's jobs, which go on, are
// cancelled by its own means.
func cancelJob(name, at string) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cancelAt(ctx, name, at)
}

func cancelAt(ctx context.Context, name, at string) {
	if at == "" {
		return
	}
	conn, err := grpc.NewClient(at, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return
	}
	defer conn.Close()
	client := jobpb.NewJobServiceClient(conn)
	jobs, err := client.GetJobs(ctx, &jobpb.GetJobsRequest{})
	if err != nil {
		return
	}
	for _, j := range jobs.GetJobInfo() {
		if strings.Contains(plain(j.GetJobName()), plain(name)) {
			// a job that has ended meanwhile is none to cancel
			client.Cancel(ctx, &jobpb.CancelJobRequest{JobId: j.GetJobId()})
		}
	}
}

// plain writes a name as Flink's and Spark's job servers do, which put 0 for whatever is neither a
// letter nor a digit.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '0'
	}, strings.ToLower(name))
}
