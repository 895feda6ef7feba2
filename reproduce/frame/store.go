package frame

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/filelock"
)

// Files in the folder of an experiment.
const (
	runsFile     = "runs.parquet"
	settingsFile = "settings.json"
)

// saveEvery is how often raw runs are written while an experiment is under way.
const saveEvery = 10 * time.Second

// settings determine which runs belong together.
type settings struct {
	Experiment string            `json:"experiment"`
	Protocol   int               `json:"protocol"`
	Seed       uint64            `json:"seed"`
	Sets       map[string]string `json:"sets"` // SHA-256 of each data set
}

// store holds raw runs, and keeps them in a folder if there is one.
type store struct {
	folder   string // "": they are not kept
	measures []string
	runs     map[Key][]Run
	taken    int // pieces of work found in the folder
	changed  bool
	saved    time.Time
}

// Lock takes a folder by a file in it, so that no two processes write there at once. problem is
// what the error states where another one has it. Without a folder there is nothing to take.
func Lock(folder, file, problem string) (release func(), err error) {
	if folder == "" {
		return func() {}, nil
	}
	if err := atomicfile.MakeFolder(folder, true); err != nil {
		return nil, err
	}
	release, err = filelock.Beside(filepath.Join(folder, file))
	if errors.Is(err, filelock.ErrTaken) {
		return nil, &fault.Input{File: folder, Problem: problem,
			Fix: "wait for it, or name another folder with --out", Err: err}
	}
	return release, err
}

// openStore reads the runs in the folder, when they are of the same experiment, seed and data.
func openStore(e Experiment, cfg Config, sets []*Set) (*store, error) {
	s := &store{folder: cfg.Out, measures: e.Measures, runs: map[Key][]Run{}, saved: time.Now()}
	if s.folder == "" {
		return s, nil
	}
	now := settings{Experiment: e.Name, Protocol: e.Protocol, Seed: cfg.Seed,
		Sets: map[string]string{}}
	for _, set := range sets {
		now.Sets[set.Name] = set.Fingerprint
	}
	if err := s.agree(&now); err != nil {
		return nil, err
	}
	err := atomicfile.WriteShared(filepath.Join(s.folder, settingsFile), func(w io.Writer) error {
		text, err := json.MarshalIndent(now, "", "  ")
		if err != nil {
			return err
		}
		_, err = w.Write(append(text, '\n'))
		return err
	})
	return s, err
}

// agree reads the runs of the folder and refuses those of other settings. Data sets known there are
// added to now.
func (s *store) agree(now *settings) error {
	path := filepath.Join(s.folder, runsFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	refuse := func(problem string) error { return refusedRuns(path, problem) }
	text, err := os.ReadFile(filepath.Join(s.folder, settingsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return refuse("these runs have no " + settingsFile +
			" beside them, which has their experiment, seed and data")
	}
	if err != nil {
		return err
	}
	var then settings
	if err := json.Unmarshal(text, &then); err != nil {
		return refuse(settingsFile + " beside it cannot be read: " + err.Error())
	}
	switch {
	case then.Experiment != now.Experiment:
		return refuse(fmt.Sprintf("these are runs of %q", then.Experiment))
	case then.Protocol != now.Protocol:
		return refuse("another version of kindred made these runs in another way")
	case then.Seed != now.Seed:
		return refuse(fmt.Sprintf("these runs have seed %d, not %d", then.Seed, now.Seed))
	}
	for name, was := range then.Sets {
		is, here := now.Sets[name]
		if here && is != was {
			return refuse("the data set " + name + " is not the one that these runs are of")
		}
		now.Sets[name] = was
	}
	runs, err := readRuns(path, s.measures)
	for _, run := range runs {
		s.runs[run.Key] = append(s.runs[run.Key], run)
	}
	return err
}

// add takes the runs of a piece of work, and saves when it is time.
func (s *store) add(k Key, runs []Run) error {
	s.runs[k], s.changed = runs, true
	if time.Since(s.saved) < saveEvery {
		return nil
	}
	return s.save()
}

// save writes all runs, sorted by what they are of.
func (s *store) save() error {
	if s.folder == "" || !s.changed {
		return nil
	}
	keys := make([]Key, 0, len(s.runs))
	for k := range s.runs {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compare)
	var all []Run
	for _, k := range keys {
		all = append(all, s.runs[k]...)
	}
	err := atomicfile.WriteShared(filepath.Join(s.folder, runsFile),
		func(w io.Writer) error { return writeRuns(w, s.measures, all) })
	s.saved, s.changed = time.Now(), err != nil
	return err
}

func compare(a, b Key) int {
	return cmp.Or(cmp.Compare(a.Part, b.Part), cmp.Compare(a.Set, b.Set),
		cmp.Compare(a.Setting, b.Setting), cmp.Compare(a.Draw, b.Draw))
}
