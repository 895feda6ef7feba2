package ours_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/ours"
)

// heads are the first bytes of a file of each kind, as kindred writes it.
func heads() map[ours.Kind][]string {
	project := append([]byte("SQLite format 3\x00"), make([]byte, 84)...)
	other := strings.Clone(string(project))
	binary.BigEndian.PutUint32(project[68:], ours.ProjectID)
	return map[ours.Kind][]string{
		ours.Data: {"", "x,y\n1,2\n", "id,clusters\n", "cluster,id\n", other, "PAR1",
			string(project[:90]), `{"format":"geojson"}`, `{"id":"a","x":1}`},
		ours.Project: {string(project)},
		ours.Model:   {`{"format":"kindred model","version":1`},
		ours.State:   {"kindred stream state 1 sha256:319e1f57"},
		ours.Partition: {"id,cluster\n1,2\n", "id,cluster,lower\n", `{"id":"1","cluster":2}`,
			`{"id":"a \"b\"","cluster":2}`},
	}
}

func TestFilesAreRecognised(t *testing.T) {
	for want, all := range heads() {
		for _, head := range all {
			if got := ours.Of([]byte(head)); got != want {
				t.Errorf("%q is %d, want %d", head, got, want)
			}
		}
	}
}

// TestEachInThePlaceOfAnother: the error says what the file is, what is wanted, and what to do.
func TestEachInThePlaceOfAnother(t *testing.T) {
	said := map[string]bool{}
	for kind, all := range heads() {
		for wanted := ours.Data; wanted <= ours.State; wanted++ {
			in := ours.Instead([]byte(all[0]), wanted)
			if kind == wanted || kind == ours.Data || kind == ours.Partition && wanted == ours.Data {
				if in != nil {
					t.Errorf("%d for %d: %v", kind, wanted, in)
				}
				continue
			}
			if in == nil || in.Fix == "" || said[in.Error()] || !fault.IsInput(in) {
				t.Errorf("%d for %d: %v", kind, wanted, in)
				continue
			}
			said[in.Error()] = true
		}
	}
	if !said["is a partition, not a model; write a model with the groups by kindred cluster DATA "+
		"--model FILE, and give that"] {
		t.Errorf("it says %v", said)
	}
}
