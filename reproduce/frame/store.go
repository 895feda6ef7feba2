package frame

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
)

// Files in the folder of an experiment.
const (
	runsFile     = "runs.csv"
	settingsFile = "settings.json"
)

// saveEvery is how often raw runs are written while an experiment is under way.
const saveEvery = 10 * time.Second

// settings tell which runs belong together.
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

// openStore reads the runs in the folder, when they are of the same experiment, seed and data.
func openStore(e Experiment, cfg Config, sets []*Set) (*store, error) {
	s := &store{folder: cfg.Out, measures: e.Measures, runs: map[Key][]Run{}, saved: time.Now()}
	if s.folder == "" {
		return s, nil
	}
	if err := os.MkdirAll(s.folder, 0o777); err != nil {
		return nil, err
	}
	now := settings{Experiment: e.Name, Protocol: e.Protocol, Seed: cfg.Seed, Sets: map[string]string{}}
	for _, set := range sets {
		now.Sets[set.Name] = set.Fingerprint
	}
	if err := s.agree(&now); err != nil {
		return nil, err
	}
	err := atomicfile.Write(filepath.Join(s.folder, settingsFile), func(w io.Writer) error {
		text, err := json.MarshalIndent(now, "", "  ")
		if err != nil {
			return err
		}
		_, err = w.Write(append(text, '\n'))
		return err
	})
	return s, err
}

// agree reads the runs of the folder and refuses those of other settings. Data sets known there are added to now.
func (s *store) agree(now *settings) error {
	path := filepath.Join(s.folder, runsFile)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	refuse := func(problem string) error {
		return &fault.Input{File: path, Problem: problem, Mend: "name another folder with --out, or remove this file to begin anew"}
	}
	text, err := os.ReadFile(filepath.Join(s.folder, settingsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return refuse("these runs have no " + settingsFile + " beside them that says what they are of")
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
	return s.read(f, path)
}

var keyColumns = []string{"part", "set", "setting", "draw", "start", "method"}

// read reads raw runs.
func (s *store) read(f io.Reader, path string) error {
	r := csv.NewReader(f)
	header := slices.Concat(keyColumns, s.measures)
	wrong := func(line int, column, problem string) error {
		return &fault.Input{File: path, Line: line, Column: column, Problem: problem, Mend: "name another folder with --out, or remove this file to begin anew"}
	}
	for line := 1; ; line++ {
		record, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return wrong(line, "", err.Error())
		}
		if line == 1 {
			if !slices.Equal(record, header) {
				return wrong(1, "", "the columns are not "+strings.Join(header, ","))
			}
			continue
		}
		run := Run{Key: Key{Part: record[0], Set: record[1], Setting: record[2]}, Method: record[5]}
		for i, to := range []*int{&run.Draw, &run.Start} {
			if *to, err = strconv.Atoi(record[3+i]); err != nil || *to < 1 {
				return wrong(line, header[3+i], fmt.Sprintf("%.40q is no whole number from 1", record[3+i]))
			}
		}
		for i, text := range record[len(keyColumns):] {
			v := math.NaN()
			if text != "" {
				if v, err = strconv.ParseFloat(text, 64); err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
					return wrong(line, s.measures[i], fmt.Sprintf("%.40q is no number", text))
				}
			}
			run.Values = append(run.Values, v)
		}
		s.runs[run.Key] = append(s.runs[run.Key], run)
	}
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
	err := atomicfile.Write(filepath.Join(s.folder, runsFile), func(w io.Writer) error {
		out := csv.NewWriter(w)
		out.Write(slices.Concat(keyColumns, s.measures)) // its error is out.Error
		for _, k := range keys {
			for _, run := range s.runs[k] {
				record := []string{k.Part, k.Set, k.Setting, strconv.Itoa(k.Draw), strconv.Itoa(run.Start), run.Method}
				for _, v := range run.Values {
					record = append(record, number(v))
				}
				out.Write(record)
			}
		}
		out.Flush()
		return out.Error()
	})
	s.saved, s.changed = time.Now(), err != nil
	return err
}

// number writes a value so that it is read back the same; nothing for NaN.
func number(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func compare(a, b Key) int {
	return cmp.Or(cmp.Compare(a.Part, b.Part), cmp.Compare(a.Set, b.Set), cmp.Compare(a.Setting, b.Setting), cmp.Compare(a.Draw, b.Draw))
}
