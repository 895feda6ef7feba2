package fold

import (
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
