package credal

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/digest"
)

// digestKey names the metadata of a Parquet file that has the digest of its ids and masses.
const digestKey = "kindred.digest"

// summer works out the digest of ids and masses, row by row.
type summer struct {
	hash hash.Hash
	row  []byte
}

func newSummer(focal []belief.Set) *summer {
	s := &summer{hash: sha256.New()}
	for _, set := range focal {
		s.row = digest.AppendInt(s.row, int64(set))
	}
	s.hash.Write(s.row)
	return s
}

// add takes in rows: their ids, and the masses of each.
func (s *summer) add(ids []string, mass []float64) {
	for i, id := range ids {
		s.row = digest.AppendText(s.row[:0], id)
		f := len(mass) / len(ids)
		for _, m := range mass[i*f : (i+1)*f] {
			s.row = binary.BigEndian.AppendUint64(s.row, math.Float64bits(m))
		}
		s.hash.Write(s.row)
	}
}

func (s *summer) sum() (sum digest.Sum) {
	s.hash.Sum(sum[:0])
	return sum
}

// Note returns what is to be known of the credal partition that a file holds, as a sentence; "" for
// nothing.
func Note(p *Partition, path string) string {
	if !p.Unverified {
		return ""
	}
	return path + ": it has no digest, so damage to its ids and masses may not be noticed; a " +
		"Parquet file that is written now has one"
}

// verify compares what was read with the digest of a Parquet file.
func (p *Partition) verify(path, stated string, ids []string) error {
	want, ok := digest.Parse(stated)
	s := newSummer(p.Focal)
	if s.add(ids, p.Mass); !ok || s.sum() != want {
		return &fault.Input{File: path, Problem: "the credal partition is damaged: its ids and " +
			"masses are not as they were written",
			Fix: "restore it from a copy, or make it again; if you changed it on purpose, write it " +
				"without the metadata " + digestKey, Err: fault.Damaged}
	}
	return nil
}

// derivedError is how much a number that follows from the masses may differ from what a text has:
// programs that write tables again round it.
const derivedError = 1e-9

// derivedColumns are the columns of a text that follow from the masses, by name, as the index of
// what follows: pl of each cluster, then bel, then betp.
func derivedColumns(names []string, clusters int) map[string]int {
	columns := map[string]int{}
	for _, name := range names {
		for kind, prefix := range []string{"pl_", "bel_", "betp_"} {
			text, ok := strings.CutPrefix(name, prefix)
			if k, err := strconv.Atoi(text); ok && err == nil && k >= 1 && k <= clusters {
				columns[name] = kind*clusters + k - 1
			}
		}
	}
	return columns
}

// follows reports the first number of a text that does not follow from the masses of its row, so
// that one of them is damaged.
func (p *Partition) follows(path string, columns map[string]int, table *dataset.Prepared) error {
	if len(columns) == 0 {
		return nil
	}
	c, l := p.Clusters, newLayout(p.Clusters, p.Focal)
	derived := make([]float64, 3*c)
	pl, bel, betp := derived[:c], derived[c:2*c], derived[2*c:]
	f := len(p.Focal)
	for i := range p.Len() {
		row := p.Mass[i*f : (i+1)*f]
		l.plausibilities(row, pl)
		l.beliefs(row, bel)
		l.pignistic(row, betp)
		for j, name := range table.Names {
			at, ok := columns[name]
			if got := table.X.At(i, j); ok && !(math.Abs(got-derived[at]) <= derivedError) {
				return &fault.Input{File: path, Row: i + 1, Column: name,
					Problem: fmt.Sprintf("the row is damaged: %v does not follow from its masses, "+
						"which make it %v", got, derived[at]),
					Fix: "restore the file; if you changed masses on purpose, remove the columns " +
						"pl_…, bel_… and betp_…", Err: fault.Damaged}
			}
		}
	}
	return nil
}
