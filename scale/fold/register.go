package fold

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
)

// jobs are known to every process alike, as each registers them when it starts.
var jobs = struct {
	sync.Mutex
	make map[string]func(config []byte) (Job, error)
}{make: map[string]func([]byte) (Job, error){}}

// Register makes a job known by name, in an init: a worker must know it before it is asked to run
// it. It panics when the name is taken.
func Register(name string, make func(config []byte) (Job, error)) {
	jobs.Lock()
	defer jobs.Unlock()
	if _, taken := jobs.make[name]; taken {
		panic("fold: two jobs are named " + name)
	}
	jobs.make[name] = make
}

// RegisterJSON registers a job whose configuration is itself, as JSON. Where the job has a method
// Ready, it is called once the configuration is read.
func RegisterJSON[T any, P interface {
	*T
	Job
}](name string) {
	Register(name, func(config []byte) (Job, error) { return configured[T, P](name, config) })
}

// RegisterSum registers a job of one round by what it adds up; see [RegisterJSON].
func RegisterSum[T any, P interface {
	*T
	Summing
}](name string) {
	Register(name, func(config []byte) (Job, error) {
		job, err := configured[T, P](name, config)
		return Summed{job}, err
	})
}

func configured[T any, P interface{ *T }](name string, config []byte) (P, error) {
	job := P(new(T))
	if err := json.Unmarshal(config, job); err != nil {
		return nil, fmt.Errorf("the configuration of the job %s cannot be read: %w", name, err)
	}
	if j, ok := any(job).(interface{ Ready() error }); ok {
		return job, j.Ready()
	}
	return job, nil
}

// Run runs a plan of a job with the given configuration, which is written as JSON. The name of the
// plan is that of the job unless it has another.
func Run(ctx context.Context, r Runner, p Plan, config any) (out Outcome, err error) {
	if p.Config, err = json.Marshal(config); err != nil {
		return out, err
	}
	if p.Name == "" {
		p.Name = p.Job
	}
	return r.Rounds(ctx, p)
}

// Make makes a job that was registered.
func Make(name string, config []byte) (Job, error) {
	jobs.Lock()
	f := jobs.make[name]
	jobs.Unlock()
	if f == nil {
		return nil, fmt.Errorf(
			"fold: no job is named %q here: the workers must run the same program as the one "+
				"that sent it", name)
	}
	return f(config)
}
