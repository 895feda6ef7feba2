package broker

import (
	"cmp"
	"context"
	"fmt"
	"hash/crc64"
	"io"
	"strings"

	"golang.org/x/time/rate"

	"github.com/kindred-go/kindred/fault"
)

// DefaultFeedBlock is the default number of lines per message.
const DefaultFeedBlock = 512

// mostFed is the bytes of a message of rows at most, unless one record is longer.
const mostFed = 512 << 10

// FeedConfig reports how a table is fed.
type FeedConfig struct {
	Subject string
	Name    string   // of the feed; see [Client.Feed]. Needed
	Columns []string // names of the columns of CSV; nil: its header, if it has one
	Block   int      // lines per message; 0: DefaultFeedBlock
	Rate    float64  // lines per second at most; 0: no limit
	Limits  Limits   // of the stream, where there is none yet
}

// FeedResult is what a feed did.
type FeedResult struct {
	Lines int64 // of the table, without the header
	Found int64 // of them, those that the broker had from before
}

// Feed publishes the lines of a table, CSV or JSON lines, plain or packed by gzip or zstd, in
// blocks; the text is passed on as it lies, links among it.
//
// Feeding again under the same name goes on behind the last line that the broker has, so that a
// feed that broke off can be taken up, and a file that has grown be fed on. A table that begins
// otherwise than what was fed, or is shorter, is a [*fault.Input]. The broker's last message of the
// subject shows, if it is of this feed; else each message has an id made of the name and its last
// line, by which the broker refuses what came within its memory, two minutes for a stream made
// here.
func (c *Client) Feed(ctx context.Context, r io.Reader, file string, cfg FeedConfig) (FeedResult,
	error) {
	if err := CheckSubject(cfg.Subject); err != nil {
		return FeedResult{}, err
	}
	if cfg.Name == "" || len(cfg.Name) > 200 ||
		strings.ContainsFunc(cfg.Name, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return FeedResult{}, fault.Inputf("give a name of letters and digits (--feed)",
			"the feed is called %.60q", cfg.Name)
	}
	t, err := openTable(ctx, &contextReader{ctx: ctx, from: r}, file, cfg.Columns)
	if err != nil {
		return FeedResult{}, err
	}
	o := &outlet{c: c, subject: cfg.Subject, limits: cfg.Limits, by: FeedHeader, who: cfg.Name,
		header: t.header}
	if err := o.start(ctx, "kindred feed"); err != nil {
		return FeedResult{}, err
	}
	defer o.close()
	f := feeding{cfg: cfg, table: t, out: o, crc: crc64.MakeTable(crc64.ECMA)}
	f.sum = crc64.Update(0, f.crc, []byte(t.header.Get(ColumnsHeader)))
	err = f.run(ctx)
	if err == nil {
		err = o.settle(ctx)
	}
	f.fed.Found = min(f.fed.Lines, o.held.row) + o.twice.Load()
	return f.fed, err
}

// feeding is a feed under way.
type feeding struct {
	cfg   FeedConfig
	table *table
	out   *outlet
	fed   FeedResult
	crc   *crc64.Table
	sum   uint64 // of the columns and the lines read
	sent  uint64 // of those in messages, or in the next
}

func (f *feeding) run(ctx context.Context) error {
	block := cmp.Or(f.cfg.Block, DefaultFeedBlock)
	limit := rate.NewLimiter(rate.Inf, 0)
	if f.cfg.Rate > 0 {
		limit = rate.NewLimiter(rate.Limit(f.cfg.Rate), block)
	}
	most := min(mostFed, f.out.largest)
	var data []byte
	n := 0 // lines in data
	send := func() error {
		if n == 0 {
			return nil
		}
		if err := limit.WaitN(ctx, min(n, block)); err != nil {
			return cmp.Or(ctx.Err(), err)
		}
		p := &outgoing{mark: mark{row: f.fed.Lines, sum: f.sent}, lines: n, data: data}
		data, n = f.out.buffer(), 0
		return f.out.put(ctx, p)
	}
	for {
		record, count, err := f.table.next()
		if err == io.EOF {
			if f.fed.Lines < f.out.held.row {
				return f.another()
			}
			return send()
		}
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		f.sum = crc64.Update(f.sum, f.crc, record)
		if held := f.out.held; f.fed.Lines < held.row {
			f.fed.Lines += int64(count) // the broker has it
			if f.fed.Lines > held.row || f.fed.Lines == held.row && held.sum != 0 &&
				held.sum != f.sum {
				return f.another()
			}
			continue
		}
		if len(record) > f.out.largest {
			return &fault.Input{File: f.table.name, Row: int(f.fed.Lines) + 1,
				Problem: fmt.Sprintf("the row has %d bytes, more than the broker takes",
					len(record)), Fix: "leave out what is long, or let the broker take larger " +
					"messages"}
		}
		if n > 0 && len(data)+len(record) > most {
			if err := send(); err != nil {
				return err
			}
		}
		data = append(data, record...)
		f.sent = f.sum
		f.fed.Lines += int64(count)
		if n += count; n >= block {
			if err := send(); err != nil {
				return err
			}
		}
	}
}

// another refuses a table that is not the one that was fed.
func (f *feeding) another() error {
	return fault.Inputf("feed it under a name of its own (--feed)",
		"is not what was fed as %s: the broker has %d lines of that, and they are others",
		f.cfg.Name, f.out.held.row).In(f.table.name)
}
