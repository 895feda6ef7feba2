package engine

import (
	"context"
	"net"
	"os"
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
type pool struct {
	fnpb.UnimplementedBeamFnExternalWorkerPoolServer
	at     net.Listener
	server *grpc.Server
	lock   sync.Mutex
	all    context.Context // of the workers there are
	end    context.CancelFunc
	// an empty file, as Beam wants one to send to workers that have the program already
	binary string
}

// openPool listens on a port of this machine.
func openPool() (*pool, error) {
	binary, err := os.CreateTemp("", "kindred-scale-worker-")
	if err != nil {
		return nil, err
	}
	binary.Close()
	at, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		os.Remove(binary.Name())
		return nil, err
	}
	p := &pool{at: at, server: grpc.NewServer(), binary: binary.Name()}
	p.all, p.end = context.WithCancel(context.Background())
	fnpb.RegisterBeamFnExternalWorkerPoolServer(p.server, p)
	go p.server.Serve(at) // until it is stopped
	return p, nil
}

// address is what environment_config names, with the type EXTERNAL.
func (p *pool) address() string { return p.at.Addr().String() }

// rest ends all workers, once their job is over: an engine in this process never hangs up.
func (p *pool) rest() {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.end()
	p.all, p.end = context.WithCancel(context.Background())
}

// workers returns the context of those there are.
func (p *pool) workers() context.Context {
	p.lock.Lock()
	defer p.lock.Unlock()
	return p.all
}

// close ends all workers, and starts no others.
func (p *pool) close() error {
	p.rest()
	p.server.Stop()
	return os.Remove(p.binary)
}

// StartWorker implements Beam's interface of pools.
func (p *pool) StartWorker(ctx context.Context,
	q *fnpb.StartWorkerRequest) (*fnpb.StartWorkerResponse, error) {
	var o harness.Options
	if at := q.GetProvisionEndpoint().GetUrl(); at != "" {
		info, err := tools.ProvisionInfo(grpcx.WriteWorkerID(ctx, q.GetWorkerId()), at)
		if err != nil {
			return &fnpb.StartWorkerResponse{Error: err.Error()}, nil
		}
		o.StatusEndpoint, o.RunnerCapabilities = info.GetStatusEndpoint().GetUrl(),
			info.GetRunnerCapabilities()
	}
	work := grpcx.WriteWorkerID(p.workers(), q.GetWorkerId())
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
