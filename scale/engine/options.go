// Package engine runs plans of package fold on engines that are there already, through Apache Beam:
// Prism within this process, Flink and Spark by their job servers, Dataflow, and whatever else
// speaks Beam's portable interface.
//
// Of a round an engine sees few elements: groups of splits, and what they come to. The rows of a
// split are read where it is folded, so nothing that grows with their number crosses the wire or
// lies in an engine's memory.
package engine

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kindred-go/kindred/fault"
)

// Options choose an engine. The zero value is Prism within this process.
type Options struct {
	// Runner is prism, flink, spark, dataflow or universal. "": prism.
	Runner string

	// Endpoint is where the job server listens, as host:port. Flink and Spark have ports of their
	// own, which it is not. Prism without one runs in this process.
	Endpoint string

	// EnvironmentType is how workers are started: LOOPBACK (in this process, for trying),
	// PROCESS (by a command on every worker machine), DOCKER or EXTERNAL. "": LOOPBACK for prism,
	// else DOCKER, as Beam has it.
	EnvironmentType string

	// EnvironmentConfig is Beam's environment_config: for PROCESS a JSON object that names the
	// command, for DOCKER an image. "": for PROCESS this program, which every worker machine must
	// have at the same place.
	EnvironmentConfig string

	// Parallelism is how many workers an engine uses at most. 0: the engine's own choice.
	Parallelism int

	// Threads is how many splits a worker folds at a time. 0: one per processor for prism, else 1,
	// as other engines start workers for every processor.
	Threads int

	// Work is the folder that rounds leave their states in; workers must reach it by the same name.
	// Runs that fail go on from there. "": a temporary one for workers in this process, and refused
	// for others.
	Work string

	// RoundsPerJob is how many rounds are sent as one job; those after convergence cost nothing. 0:
	// 1 for prism, else 8.
	RoundsPerJob int

	// Beam are further options by their names in Beam, as project and temp_location for Dataflow.
	Beam map[string]string

	// Log is how many messages of Beam go to standard error: debug, info, warn or error. "":
	// nothing.
	Log string

	// Progress, unless nil, is called with what was done, from one goroutine at a time.
	Progress func(Progress)
}

// Progress is what was done so far of one plan.
type Progress struct {
	Plan   string
	Round  int   // from 1: the one under way
	Rounds int   // at most
	Rows   int64 // folded in this round, by workers within this process
	Of     int64 // rows in all; 0: not known yet
	Since  time.Duration
	Job    string // the name that the engine shows
}

// Runners are the names that Options.Runner takes.
func Runners() []string { return []string{"prism", "flink", "spark", "dataflow", "universal"} }

func (o Options) filled() (Options, error) {
	o.Runner = strings.ToLower(o.Runner)
	if o.Runner == "" {
		o.Runner = "prism"
	}
	if !slices.Contains(Runners(), o.Runner) {
		return o, fault.Inputf("give one of "+strings.Join(Runners(), ", "),
			"no runner is named %q", o.Runner)
	}
	o.EnvironmentType = strings.ToUpper(o.EnvironmentType)
	if o.EnvironmentType == "" && o.Runner == "prism" {
		o.EnvironmentType = "LOOPBACK"
	}
	switch o.EnvironmentType {
	case "", "LOOPBACK", "DOCKER", "EXTERNAL":
	case "PROCESS":
		if o.EnvironmentConfig == "" {
			self, err := os.Executable()
			if err != nil {
				return o, err
			}
			config, err := json.Marshal(map[string]string{"command": self})
			if err != nil {
				return o, err
			}
			o.EnvironmentConfig = string(config)
		}
	default:
		return o, fault.Inputf("give LOOPBACK, PROCESS, DOCKER or EXTERNAL",
			"no environment type is named %q", o.EnvironmentType)
	}
	if !slices.Contains([]string{"", "debug", "info", "warn", "error"}, o.Log) {
		return o, fault.Inputf("give debug, info, warn or error", "nothing is logged at a level %q",
			o.Log)
	}
	if o.Endpoint == "" && (o.Runner == "flink" || o.Runner == "spark" || o.Runner == "universal") {
		return o, fault.Inputf(
			"give --endpoint HOST:PORT of the job server (8099 where it has the usual one)",
			"%s is reached through a job server, and none is named", o.Runner)
	}
	if o.Parallelism < 0 || o.Threads < 0 || o.RoundsPerJob < 0 {
		return o, fault.Inputf("leave them out, or give 1 or more",
			"parallelism, threads and rounds a job are not negative")
	}
	if o.RoundsPerJob == 0 {
		o.RoundsPerJob = 8
		if o.Runner == "prism" {
			o.RoundsPerJob = 1
		}
	}
	if o.Work == "" && !o.here() {
		return o, fault.Inputf(
			"give --work FOLDER: one that all workers reach by that name, mounted, gs:// or s3://",
			"workers in other processes leave the state of every round in a folder, and none is "+
				"named")
	}
	if o.Work != "" && !strings.Contains(o.Work, "://") { // workers have other working folders
		var err error
		if o.Work, err = filepath.Abs(o.Work); err != nil {
			return o, err
		}
	}
	return o, nil
}

// here reports that workers are goroutines of this process.
func (o Options) here() bool { return o.EnvironmentType == "LOOPBACK" }
