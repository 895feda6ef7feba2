package store_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/kindred-go/kindred/project/store"
)

// appendForEver adds steps of one and of two events from several goroutines, and says the last
// number of each on stdout when it is on disk.
func appendForEver(p *store.File) {
	var out sync.Mutex
	for who := range 8 {
		go func() {
			for {
				step := []store.Event{{Step: store.Same, A: "a", B: "b", Who: fmt.Sprint(who)}}
				if who%2 == 0 {
					step = append(step, store.Event{Step: store.Different, A: "c", B: "d",
						Who: fmt.Sprint(who)})
				}
				added, err := p.AppendAll(context.Background(), step)
				if err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
				out.Lock()
				fmt.Println(who, added[len(added)-1].Seq)
				out.Unlock()
				time.Sleep(time.Millisecond)
			}
		}()
	}
	select {}
}

// TestWhatWasAcknowledgedOutlivesAKill kills a process that adds steps from several goroutines,
// over and over: all that it said is on disk is there, each step whole, and the numbers have no
// gap.
func TestWhatWasAcknowledgedOutlivesAKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.kindred")
	rng := rand.New(rand.NewPCG(1, 2))
	rounds := 15
	if testing.Short() {
		rounds = 4
	}
	said := make(map[int64]string) // who added an event, by its number
	for range rounds {
		c := child(t, "append", path)
		talk, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		after := rng.IntN(200)
		lines := bufio.NewScanner(talk)
		for n := 0; lines.Scan(); n++ {
			if n == after {
				c.Process.Kill() // and read on what it said before
			}
			var who string
			var seq int64
			if k, _ := fmt.Sscan(lines.Text(), &who, &seq); k == 2 {
				said[seq] = who
			}
		}
		c.Wait()
		p := open(t, path)
		all := events(t, p)
		p.Close()
		whos := make(map[int64]string)
		for i, e := range all {
			if e.Seq != int64(i+1) {
				t.Fatalf("event %d has number %d", i+1, e.Seq)
			}
			if e.Batch != 0 && e.Batch == e.Seq && (i+1 == len(all) || all[i+1].Batch != e.Batch) {
				t.Fatalf("half of the step of event %d is there", e.Seq)
			}
			whos[e.Seq] = e.Who
		}
		for seq, who := range said {
			if whos[seq] != who {
				t.Fatalf("event %d, which %q was told is on disk, is of %q among %d events", seq,
					who, whos[seq], len(all))
			}
		}
	}
	if len(said) == 0 {
		t.Fatal("nothing was acknowledged in any round: the test tried nothing")
	}
	t.Logf("%d steps acknowledged over %d kills", len(said), rounds)
}
