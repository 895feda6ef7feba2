package engine

import (
	"context"
	"net"
	"sync"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/harness"
	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
	"google.golang.org/grpc"
)

// pool starts workers within this process for an engine. Beam has one too, which knows workers
// by their ids alone; but every task manager of Flink counts its workers from 1-1 by itself,
// and the second that asks would be refused.
//
// A process has one pool, which listens until the process ends: Prism asks for the workers of a
// job after the job was cancelled, too, and ends the process if nobody answers.
type pool struct {
	fnpb.UnimplementedBeamFnExternalWorkerPoolServer
	at   net.Listener
	lock sync.Mutex
	all  context.Context // of the workers of the job under way
	end  context.CancelFunc
}

// openPool listens on a port of this machine.
func openPool() (*pool, error) {
	at, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return nil, err
	}
	p := &pool{at: at}
	p.begin()
	p.rest()
	server := grpc.NewServer()
	fnpb.RegisterBeamFnExternalWorkerPoolServer(server, p)
	go server.Serve(at)
	return p, nil
}

// address is what environment_config names, with the type EXTERNAL.
func (p *pool) address() string { return p.at.Addr().String() }

// begin lets workers be started for a job.
func (p *pool) begin() {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.all, p.end = context.WithCancel(context.Background())
}

// rest ends all workers, once their job is over: an engine in this process never hangs up. Those
// that are asked for later are not started.
func (p *pool) rest() {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.end()
}

// workers returns the context of those there are.
func (p *pool) workers() context.Context {
	p.lock.Lock()
	defer p.lock.Unlock()
	return p.all
}

// StartWorker implements Beam's interface of pools.
func (p *pool) StartWorker(ctx context.Context,
	q *fnpb.StartWorkerRequest) (*fnpb.StartWorkerResponse, error) {
	all := p.workers()
	if all.Err() != nil { // the job that wants it is over
		return &fnpb.StartWorkerResponse{}, nil
	}
	var o harness.Options
	if at := q.GetProvisionEndpoint().GetUrl(); at != "" {
		info, err := tools.ProvisionInfo(grpcx.WriteWorkerID(ctx, q.GetWorkerId()), at)
		if err != nil {
			return &fnpb.StartWorkerResponse{Error: err.Error()}, nil
		}
		o.StatusEndpoint, o.RunnerCapabilities = info.GetStatusEndpoint().GetUrl(),
			info.GetRunnerCapabilities()
	}
	work := grpcx.WriteWorkerID(all, q.GetWorkerId())
	// the engine reports what fails
	go harness.MainWithOptions(work, q.GetLoggingEndpoint().GetUrl(),
		q.GetControlEndpoint().GetUrl(), o)
	return &fnpb.StartWorkerResponse{}, nil
}

// StopWorker implements Beam's interface of pools. Which of the workers of one id is meant is not
// known, so all go on until their engine hangs up, or their job is over.
func (p *pool) StopWorker(context.Context, *fnpb.StopWorkerRequest) (*fnpb.StopWorkerResponse,
	error) {
	return &fnpb.StopWorkerResponse{}, nil
}
