package shard

import (
	"context"
	"fmt"
	"strconv"

	"github.com/kindred-go/kindred/internal/safe"
)

// Labels is the part of a split with the cluster of each row: the columns id and cluster.
type Labels struct {
	file   File
	writer labelWriter
	split  Split
	guard  bool // nothing that a spreadsheet would run is written
	ids    []string
	text   []byte
	ends   []int // of each id in text
}

// CreateLabels begins the part of a split in the folder out; see [CreateFile].
func CreateLabels(out string, split Split, format string) (*Labels, error) {
	f, err := CreateFile(context.Background(), out, split.Index, format)
	if err != nil {
		return nil, err
	}
	l := &Labels{file: f, split: split, guard: format == "csv"}
	switch format {
	case "csv":
		l.writer, err = newCSVLabels(f)
	case "jsonl":
		l.writer = newJSONLabels(f)
	default:
		l.writer = newParquetLabels(f)
	}
	if err != nil {
		f.Abort()
		return nil, err
	}
	return l, nil
}

// Write writes the clusters of the rows of a block.
func (l *Labels) Write(b *Block, clusters []int64) error {
	ids := l.names(b)
	if len(ids) != len(clusters) {
		return fmt.Errorf("shard: %d clusters of %d rows", len(clusters), len(ids))
	}
	return l.writer.write(ids, clusters)
}

// Close completes the part and puts it in its place. After an error, nothing of it is left.
func (l *Labels) Close() error {
	if err := l.writer.close(); err != nil {
		l.file.Abort()
		return err
	}
	return l.file.Close()
}

// Abort forgets what was written. After Close it does nothing, so it may always be deferred.
func (l *Labels) Abort() { l.file.Abort() }

// names returns the ids of a block as they are written. Numbers are cut from one text.
func (l *Labels) names(b *Block) []string {
	if b.IDs != nil && !l.guard {
		return b.IDs
	}
	l.ids = l.ids[:0]
	if b.IDs != nil {
		for _, id := range b.IDs {
			l.ids = append(l.ids, safe.Guard(id))
		}
		return l.ids
	}
	l.text, l.ends = l.text[:0], l.ends[:0]
	for i := range b.X.Rows {
		l.text = strconv.AppendInt(l.text, l.split.First+b.Number(i)+1, 10)
		l.ends = append(l.ends, len(l.text))
	}
	l.ids = cut(string(l.text), l.ends, l.ids)
	return l.ids
}

// cut appends to the list the pieces of a text, which end at the given places.
func cut(text string, ends []int, list []string) []string {
	from := 0
	for _, to := range ends {
		list = append(list, text[from:to])
		from = to
	}
	return list
}
