package stream

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// loop takes blocks and followed links until the rows end.
func (r *runner) loop(ctx context.Context, feed *feed) error {
	var tick <-chan time.Time
	if r.cfg.StatePath != "" && r.cfg.SaveEvery > 0 {
		t := time.NewTicker(r.cfg.SaveEvery)
		defer t.Stop()
		tick = t.C
	}
	var look <-chan time.Time
	if r.cfg.Monitor != nil {
		t := time.NewTicker(showEvery)
		defer t.Stop()
		look = t.C
	}
	lines := r.follow.start(ctx)
	for {
		select {
		case b, ok := <-feed.blocks:
			if !ok {
				if feed.err == nil {
					r.after = feed.last
				}
				return feed.err
			}
			if err := r.block(ctx, b); err != nil {
				return err
			}
			feed.free <- b
			if len(feed.blocks) > 0 {
				continue
			}
			if err := r.sink.Flush(ctx); err != nil {
				return err
			}
		case l := <-lines:
			if err := r.takeLine(l); err != nil {
				return err
			}
		case <-tick:
			if r.saver.busy() {
				continue
			}
			if err := r.save(ctx); err != nil {
				return err
			}
		case <-look:
			r.show()
		}
	}
}

// block learns a block and hands on its labels. Where it fails at a row, the labels of the rows
// before are handed on first, unless the block is one message of a broker, which is answered whole
// or not at all.
func (r *runner) block(ctx context.Context, b *Block) error {
	if r.cfg.Stop && r.cfg.StatePath != "" && r.after.Rows > 0 && b.bad() { // which ends the run
		if err := r.save(ctx); err != nil {
			return err
		}
	}
	r.torn = true
	r.labels = slices.Grow(r.labels[:0], b.Len())[:b.Len()]
	done, err := r.learn(ctx, b)
	if err != nil && (done == 0 || b.After.Sequence > 0) {
		return err
	}
	if done < b.Len() {
		b.cut(done)
	}
	if failed := r.sink.Put(ctx, b, r.labels[:done]); err == nil {
		err = failed
	}
	if err != nil {
		return err
	}
	r.after, r.torn = b.After, false
	return nil
}

// bad reports whether a row or line of the block could not be read.
func (b *Block) bad() bool {
	return slices.ContainsFunc(b.Notes, func(n Note) bool { return n.Kind == BadNote })
}

// learn goes through rows and notes in their order and counts the rows that it has learnt.
func (r *runner) learn(ctx context.Context, b *Block) (row int, err error) {
	for notes := b.Notes; ; {
		for len(notes) > 0 && notes[0].Before <= row {
			if err := r.note(notes[0]); err != nil {
				return row, err
			}
			notes = notes[1:]
		}
		if row == b.Len() {
			r.roll.last = max(r.roll.last, b.After.Rows)
			return row, nil
		}
		end := b.Len()
		if len(notes) > 0 {
			end = notes[0].Before
		}
		waited := false
		if r.held.any() { // as far as the next row that links wait for
			for i := row; i < end && !waited; i++ {
				if r.id = b.AppendID(r.id[:0], i); r.held.waited(r.id) {
					end, waited = i+1, true
				}
			}
		}
		learnt, err := r.rows(ctx, b, row, end)
		if err != nil {
			return row + learnt, err
		}
		if learnt < end-row { // one was left out, so those behind it have moved up
			for i := range notes {
				notes[i].Before--
			}
			row += learnt
			continue
		}
		row = end
		if waited {
			for _, s := range r.held.take(string(r.id)) {
				if err := r.link(s); err != nil {
					return row, err
				}
			}
		}
	}
}

// rows learns rows from to to. A row that the learner refuses is taken out of the block, and ends
// the call.
func (r *runner) rows(ctx context.Context, b *Block, from, to int) (learnt int, err error) {
	_, err = r.learner.ObserveRows(ctx, b.Rows[from*b.Cols:to*b.Cols], r.labels[from:to])
	if !fault.IsInput(err) {
		if err == nil {
			r.enter(b, from, to)
			learnt = to - from
		}
		return learnt, err
	}
	for i := from; i < to; i++ {
		_, label, err := r.learner.Observe(b.Row(i))
		if err == nil {
			r.labels[i] = label
			r.enter(b, i, i+1)
			continue
		}
		if in, ok := errors.AsType[*fault.Input](err); ok {
			in.Row = int(b.Numbers[i])
			r.count.Bad++
			err = r.trouble(in)
			number := b.Numbers[i]
			b.remove(i)
			r.labels = r.labels[:b.Len()]
			if err == nil {
				err = r.never(number)
			}
		}
		return i - from, err
	}
	return to - from, nil
}

// enter counts rows from to to, which the learner has just learnt.
func (r *runner) enter(b *Block, from, to int) {
	r.roll.add(b, from, to)
	r.roll.last = b.Numbers[to-1]
	r.count.see(r.labels[from:to], r.learner.Config().Clusters)
}

func (r *runner) note(n Note) error {
	switch n.Kind {
	case LinkNote:
		return r.link(NamedLink{A: n.A, B: n.B, Kind: n.Link, Confidence: n.Confidence})
	case ForgetNote:
		number, is := r.roll.find(n.A)
		if is != here {
			return r.trouble(fault.Inputf("", "row %.60q is to leave, but it is not there", n.A))
		}
		delete(r.roll.kept, n.A)
		return r.learner.Forget(number)
	default:
		r.count.Bad += 1 + n.More
		r.count.Lacking += n.Lacking
		if err := r.trouble(n.Problem); err != nil {
			return err
		}
		if n.More > 0 {
			if err := r.trouble(fault.Inputf("", "%d rows behind that could not be read either",
				n.More).In(n.Problem.File)); err != nil {
				return err
			}
		}
		for i := int64(0); n.Problem.Row > 0 && i <= n.More && (i == 0 || r.held.any()); i++ {
			if err := r.never(int64(n.Problem.Row) + i); err != nil {
				return err
			}
		}
		return nil
	}
}

// never lets go of the links that wait for a row of a number that was bad.
func (r *runner) never(number int64) error {
	if r.roll.named {
		return nil
	}
	r.roll.last = max(r.roll.last, number)
	for _, s := range r.held.take(strconv.FormatInt(number, 10)) {
		if err := r.link(s); err != nil {
			return err
		}
	}
	return nil
}

// takeLine takes a line of the followed file.
func (r *runner) takeLine(l followedLine) (err error) {
	if l.err != nil {
		err = r.trouble(l.err)
	} else {
		err = r.link(l.link)
	}
	if err == nil {
		r.links = l.end
	}
	return err
}

// link links two rows, or makes the link wait for a row that is yet to come.
func (r *runner) link(s NamedLink) error {
	r.count.Links++
	if s.A == s.B {
		return r.lost(fmt.Sprintf("row %.60q is linked to itself", s.A), "link two different rows")
	}
	var number [2]int64
	for i, id := range [2]string{s.A, s.B} {
		n, is := r.roll.find(id)
		switch is {
		case unseen:
			r.count.Links-- // it is counted when it is tried again
			dropped := r.held.add(s, r.roll.key(id))
			if dropped == nil {
				return nil
			}
			r.count.Links++
			return r.lost(fmt.Sprintf("the link of %.60q and %.60q has waited for row %.60q "+
				"longest of %d, and was let go", dropped.link.A, dropped.link.B, dropped.row,
				r.held.most),
				"check the id; the row may also have left the memory before the link came")
		case forgotten:
			return r.lost(fmt.Sprintf("the link of %.60q and %.60q comes too late: row %.60q has "+
				"left the memory, or was bad", s.A, s.B, id),
				fmt.Sprintf("remember more than the latest %d rows", r.roll.most))
		case nameless:
			return r.lost(fmt.Sprintf("the link of %.60q and %.60q names no row: rows have no "+
				"ids here, but numbers from 1", s.A, s.B),
				"give the number of the row, or say which column holds ids")
		}
		number[i] = n
	}
	if number[0] == number[1] {
		return r.lost(fmt.Sprintf("row %.60q is linked to itself", s.A), "link two different rows")
	}
	_, err := r.learner.Link(number[0], number[1], s.Kind, s.Confidence)
	var clash *link.Contradiction
	switch {
	case err == nil:
		r.roll.keep(s.A, number[0])
		r.roll.keep(s.B, number[1])
		return nil
	case errors.As(err, &clash):
		clash.Names = func(row int) string { return r.roll.name(int64(row) + 1) }
		r.count.Lost++
		return r.trouble(clash)
	case fault.IsInput(err), errors.Is(err, competitive.ErrForgotten),
		errors.Is(err, competitive.ErrUnseen):
		return r.lost(fmt.Sprintf("the link of %.60q and %.60q cannot count: %v", s.A, s.B, err),
			"")
	}
	return err
}

// lost reports a link that cannot count.
func (r *runner) lost(problem, fix string) error {
	r.count.Lost++
	return r.trouble(&fault.Input{Problem: problem, Fix: fix})
}

// trouble reports what cannot count, and ends the run where cfg.Stop is set.
func (r *runner) trouble(err error) error {
	r.cfg.Report(err)
	if r.cfg.Stop {
		return err
	}
	return nil
}

// save keeps the state as it is behind the last block.
func (r *runner) save(ctx context.Context) error {
	at, err := r.sink.Settle(ctx)
	if err != nil {
		return err
	}
	return r.saver.start(r.state(at))
}

// end settles the sink and saves a last time, unless a block was begun and not finished, or the run
// failed before any was.
func (r *runner) end(ctx context.Context, err error) error {
	at, failed := r.sink.Settle(ctx)
	if waited := r.saver.wait(); failed == nil {
		failed = waited
	}
	gained := r.after.Rows > 0
	if from := r.cfg.From; from != nil {
		gained = r.after.Rows > from.Source.Rows
	}
	if failed != nil || r.torn || err != nil && !gained || r.cfg.StatePath == "" {
		return failed
	}
	if err := r.saver.start(r.state(at)); err != nil {
		return err
	}
	return r.saver.wait()
}

// cut keeps the first n rows.
func (b *Block) cut(n int) {
	b.Rows, b.Numbers = b.Rows[:n*b.Cols], b.Numbers[:n]
	if len(b.IDEnd) > 0 {
		b.IDEnd = b.IDEnd[:n]
	}
	if len(b.Class) > 0 {
		b.Class = b.Class[:n]
	}
}

// remove takes row i out.
func (b *Block) remove(i int) {
	b.Rows = slices.Delete(b.Rows, i*b.Cols, (i+1)*b.Cols)
	b.Numbers = slices.Delete(b.Numbers, i, i+1)
	if len(b.Class) > 0 {
		b.Class = slices.Delete(b.Class, i, i+1)
	}
	if len(b.IDEnd) == 0 {
		return
	}
	from := int32(0)
	if i > 0 {
		from = b.IDEnd[i-1]
	}
	gone := b.IDEnd[i] - from
	b.IDText = slices.Delete(b.IDText, int(from), int(from+gone))
	b.IDEnd = slices.Delete(b.IDEnd, i, i+1)
	for j := i; j < len(b.IDEnd); j++ {
		b.IDEnd[j] -= gone
	}
}

// see counts labels, and keeps the running means.
func (s *Statistics) see(labels []competitive.Label, clusters int) {
	if len(s.Sizes) < clusters {
		s.Sizes = append(s.Sizes, make([]int64, clusters-len(s.Sizes))...)
	}
	var distance, margin float64
	for _, l := range labels {
		s.Sizes[l.Cluster]++
		distance += l.Distance
		margin += l.Margin
	}
	n := float64(len(labels))
	s.Rows += int64(len(labels))
	// Early on all rows count alike.
	w := 1 - math.Exp(-n/math.Min(recentRows, float64(s.Rows)))
	if s.Rows == int64(len(labels)) {
		w = 1
	}
	s.Distance += float64(w * (distance/n - s.Distance))
	s.Margin += float64(w * (margin/n - s.Margin))
}
