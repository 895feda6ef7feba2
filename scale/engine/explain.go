package engine

import (
	"fmt"
	"strings"
)

// explain turns what an engine reports of a failed job into a sentence with a fix, where the cause
// is known.
func explain(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	for _, k := range known {
		if strings.Contains(text, k.sign) {
			return fmt.Errorf("%s; %s\nThe engine reports: %w", k.problem, k.fix, err)
		}
	}
	return fmt.Errorf("the job failed on the engine: %w", err)
}

// known are causes by the words that engines use.
var known = []struct{ sign, problem, fix string }{
	{"OutOfMemoryError", "a worker lacks memory",
		"give the engine's processes more, or ask for fewer clusters or a smaller --split-rows"},
	{"signal: killed", "a worker was killed, most likely for want of memory",
		"give the workers more, or ask for fewer clusters or fewer --threads"},
	{"NoResourceAvailableException", "the cluster has too few free slots",
		"start more task managers, or give a smaller --parallelism"},
	{"Insufficient number of network buffers",
		"the task managers have too little memory for the network",
		"raise taskmanager.memory.network.max, or give fewer --rounds-per-job"},
	{"no job is named", "the workers run another program than the one that sent the job",
		"let them run the same kindred-scale"},
	{"executable file not found", "the command that starts a worker is not on the worker machines",
		"put it there, or fix --environment_config"},
	{"Cannot run program \"docker\"", "workers by DOCKER did not start",
		"start Docker on the worker machines, or give --environment_type PROCESS or LOOPBACK"},
	{"Cannot run program", "the command that starts a worker is not on the worker machines",
		"put it there, or fix --environment_config"},
	{"ClassNotFoundException", "the job server and the cluster are of different versions",
		"run a job server made for the version of the cluster"},
}
