package project

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/project/store"
)

// carried is what becomes of events when the data changed.
type carried struct {
	events  []store.Event     // with the ids that their rows have now
	content map[string]string // of rows by id, those that are gone among them
	notes   []string          // what was carried over, and what was not
}

// carry takes events along to changed data: by id, or where the rows had none by their content. A
// row that cannot be found so gets an id that no row has, and its content is kept, so that it
// counts again once it is back. Where no row can be found it fails with a [*fault.Input].
func (d *Project) carry(ctx context.Context, path string, h store.Header,
	events []store.Event) (*carried, error) {
	var about []string // rows that events are about, each once
	seen := make(map[string]bool)
	for _, e := range events {
		for _, id := range []string{e.A, e.B} {
			if id != "" && !seen[id] {
				seen[id] = true
				about = append(about, id)
			}
		}
	}
	numbered := h.IDs == store.Numbers || h.IDs == "" && d.data.Numbered()
	switch {
	case len(about) == 0:
		return &carried{events: events}, nil
	case numbered:
	case d.data.Numbered():
		return nil, &fault.Input{File: path, Problem: "the answers name rows by ids, and the rows " +
			"of " + d.name + " have none now", Fix: "name the column of ids with --id"}
	default:
		return &carried{events: events, content: d.content, notes: []string{"the data changed: " +
			"the answers are carried over by row id"}}, nil
	}
	if h.Fingerprint == d.data.Fingerprint() { // a column of ids was named since
		return d.byNumber(events), nil
	}
	is, err := d.refind(ctx, about)
	if err != nil {
		return nil, err
	}
	if len(is) == 0 {
		return nil, &fault.Input{File: path,
			Problem: fmt.Sprintf("no answer can be carried over to %s: its rows have no ids, and "+
				"none of the %s answered about is there with the same values, and once", d.name,
				words.Count(len(about), "row")),
			Fix: "restore the data, or keep another project with --project; a project begun with " +
				"a column of ids (--id) can be carried over whatever else changes"}
	}
	out := &carried{events: slices.Clone(events), content: make(map[string]string)}
	renamed := map[string]string{"": ""}
	for _, id := range about {
		now, ok := is[id]
		if !ok {
			now = gone(id, d.content[id])
		}
		renamed[id] = now
		if content, known := d.content[id]; known {
			out.content[now] = content
		}
	}
	for i := range out.events {
		e := &out.events[i]
		e.A, e.B = renamed[e.A], renamed[e.B]
	}
	out.notes = []string{fmt.Sprintf("the data changed, and their rows have no ids: %d of the %s "+
		"answered about found again by their values", len(is), words.Count(len(about), "row"))}
	return out, nil
}

// byNumber names the rows of events by their ids in place of their numbers.
func (d *Project) byNumber(events []store.Event) *carried {
	out := &carried{events: slices.Clone(events), content: d.content,
		notes: []string{"the answers named rows by number, and name them by id from now on"}}
	for i := range out.events {
		for _, id := range []*string{&out.events[i].A, &out.events[i].B} {
			if n, err := strconv.Atoi(*id); err == nil && n >= 1 && n <= d.data.Read() {
				*id = d.data.NameOf(n - 1)
			}
		}
	}
	return out
}

// ids returns what ids of the rows are now.
func (d *Project) ids() string {
	if d.data.Numbered() {
		return store.Numbers
	}
	return store.Column
}

// refind finds the ids that rows have now by their content. Rows of equal content are not told
// apart, and none of them is found.
func (d *Project) refind(ctx context.Context, about []string) (map[string]string, error) {
	is := make(map[string]string)
	contents := d.data.Contents()
	if contents == nil {
		return is, nil
	}
	was := make(map[string][]string) // ids of a content
	for _, id := range about {
		if content, known := d.content[id]; known {
			was[content] = append(was[content], id)
		}
	}
	found := make(map[string]int) // rows of a content now
	for row := range d.data.Read() {
		if row%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		content := contents(row)
		if ids := was[content]; len(ids) == 1 {
			found[content]++
			is[ids[0]] = d.data.NameOf(row)
		}
	}
	for content, rows := range found {
		if rows > 1 {
			delete(is, was[content][0])
		}
	}
	return is, nil
}

// gone returns the id of a row that is not among the data now, which no row has.
func gone(id, content string) string {
	const mark = " (gone"
	if len(id) > len(mark) && id[len(id)-1] == ')' {
		return id // it was gone before
	}
	return fmt.Sprintf("%s%s %.8s)", id, mark, content)
}

// describe keeps what the rows of events hold, to find them again should the data change; of rows
// with ids nothing is needed.
func (d *Project) describe(events []store.Event) error {
	if !d.data.Numbered() {
		return nil
	}
	contents := d.data.Contents()
	if contents == nil {
		return nil
	}
	news := make(map[string]string)
	for _, e := range events {
		for _, id := range []string{e.A, e.B} {
			if _, known := d.content[id]; known {
				continue
			}
			if _, known := news[id]; known {
				continue
			}
			if row, ok := d.data.Find(id); ok {
				news[id] = contents(row)
			}
		}
	}
	if err := d.file.Describe(news); err != nil {
		return err
	}
	for id, content := range news {
		if d.content == nil {
			d.content = make(map[string]string)
		}
		d.content[id] = content
	}
	return nil
}
