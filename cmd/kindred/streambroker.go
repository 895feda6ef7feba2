package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/infile"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/stream"
	"github.com/kindred-go/kindred/stream/broker"
	"github.com/kindred-go/kindred/stream/lines"
)

// embedded begins the address of a broker in this process; the folder of its files follows.
const embedded = "embedded:"

// reachFlags are the flags for the broker and how to reach it.
type reachFlags struct {
	address     string
	credentials string
	token       string // file
	timeout     time.Duration
	limits      broker.Limits
	typed       func() bool // the address is among the arguments of the process
}

func (f *reachFlags) flags(fs *pflag.FlagSet) {
	f.typed = func() bool { return cli.InArguments(fs, "broker") }
	fs.StringVar(&f.address, "broker", "",
		"address of a NATS broker with JetStream, as nats://127.0.0.1:4222, or embedded:FOLDER "+
			"for one in this process")
	fs.StringVar(&f.credentials, "broker-credentials", "",
		"file of credentials (.creds) for the broker, which only you may read")
	fs.StringVar(&f.token, "broker-token-file", "",
		"file with the broker's token, which only you may read")
	fs.DurationVar(&f.timeout, "broker-timeout", 0,
		"how long the broker may be away, as 5m (default: for ever, trying again)")
	fs.DurationVar(&f.limits.Age, "keep", 0,
		"where a stream is made on the broker: how long it keeps messages, as 168h (default: for "+
			"ever)")
	fs.Int64Var(&f.limits.Bytes, "keep-bytes", 0,
		"where a stream is made on the broker: bytes it keeps at most; the oldest messages go "+
			"first (default: no limit)")
	fs.IntVar(&f.limits.Replicas, "replicas", 1,
		"where a stream is made on the broker: servers of a cluster that keep a copy")
}

func (f *reachFlags) check() error {
	if f.limits.Age < 0 || f.limits.Bytes < 0 || f.limits.Replicas < 1 || f.timeout < 0 {
		return fault.Setting("--keep, --keep-bytes and --broker-timeout cannot be negative, and " +
			"--replicas must be 1 or more")
	}
	if strings.Contains(f.address, "@") && !strings.HasPrefix(f.address, embedded) && f.typed() {
		return fault.Setting("others can read a token or password in --broker among the " +
			"arguments of this process: put it into a file that only you may read " +
			"(--broker-token-file, --broker-credentials), or the address into KINDRED_BROKER")
	}
	if strings.HasPrefix(f.address, embedded) && (f.credentials != "" || f.token != "") {
		return fault.Setting("a broker in this process needs no credentials: leave out " +
			"--broker-credentials and --broker-token-file")
	}
	return nil
}

// reach finds the broker, or starts that in this process.
func (f *reachFlags) reach(ctx context.Context, a *app) (*reached, error) {
	cfg := broker.Config{URL: f.address, Credentials: f.credentials, Timeout: f.timeout,
		Say: func(line string) { a.notef("%s", line) }}
	r := &reached{}
	var err error
	if f.token != "" {
		if cfg.Token, err = broker.ReadToken(f.token); err != nil {
			return nil, err
		}
	}
	if store, ok := strings.CutPrefix(f.address, embedded); ok {
		if r.server, err = broker.Serve(broker.ServerConfig{Store: store,
			Warn: func(line string) { a.notef("broker: %s", line) }}); err != nil {
			return nil, err
		}
		cfg.Server = r.server
	}
	if r.Client, err = broker.Dial(ctx, cfg); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// reached is a broker that has answered, perhaps in this process.
type reached struct {
	*broker.Client
	server *broker.Server
}

func (r *reached) close() {
	if r.server != nil {
		r.server.Close()
	}
}

// brokerFlags are the flags of kindred stream about a broker.
type brokerFlags struct {
	reachFlags
	rows, labels string
	columns      string
	stopAtEnd    bool
}

// addBroker adds to kindred stream its flags and sub-commands about a broker.
func addBroker(a *app, cmd *cobra.Command) *brokerFlags {
	f := &brokerFlags{}
	fs := cmd.Flags()
	f.flags(fs)
	fs.StringVar(&f.rows, "rows", "",
		"with --broker: subject that rows come from, a message a block, instead of DATA")
	fs.StringVar(&f.labels, "labels", "",
		"with --broker: subject that labels are published to, instead of stdout or --out")
	fs.StringVar(&f.columns, "columns", "",
		"with --rows: names of the columns of CSV and NPY messages that do not name theirs, as "+
			"x,y,z")
	fs.BoolVar(&f.stopAtEnd, "stop-at-end", false,
		"with --rows: end when the broker has no more messages, instead of waiting for some")
	cmd.AddCommand(newStreamBroker(a), newStreamFeed(a))
	return f
}

// on reports whether a broker takes part.
func (f *brokerFlags) on() bool { return f.address != "" || f.rows != "" || f.labels != "" }

// check looks at the flags before anything is opened; data and out are DATA and --out, "" where
// they are not given.
func (f *brokerFlags) check(data, out string) error {
	switch {
	case !f.on():
		if f.columns != "" || f.stopAtEnd {
			return fault.Setting(
				"--columns and --stop-at-end are about rows from a broker: give --broker and " +
					"--rows")
		}
		return nil
	case f.address == "":
		return fault.Setting(
			"--rows and --labels are subjects of a broker: give its address (--broker)")
	case f.rows == "" && f.labels == "":
		return fault.Setting(
			"a broker gives rows, takes labels, or both: name a subject (--rows, --labels)")
	case f.rows != "" && data != "":
		return fault.Setting("rows come from DATA or from a broker (--rows): give one of them")
	case f.labels != "" && out != "":
		return fault.Setting(
			"labels go to a file (--out) or to a broker (--labels): give one of them")
	case f.rows == f.labels:
		return fault.Setting("rows and labels need subjects of their own")
	}
	for _, subject := range []string{f.rows, f.labels} {
		if subject != "" {
			if err := broker.CheckSubject(subject); err != nil {
				return err
			}
		}
	}
	if _, err := splitColumns(f.columns); err != nil {
		return err
	}
	return f.reachFlags.check()
}

// splitColumns reads the names of columns.
func splitColumns(line string) ([]string, error) {
	if line == "" {
		return nil, nil
	}
	names, err := csv.NewReader(strings.NewReader(line)).Read()
	if err != nil {
		return nil, fault.Setting("--columns is a line of CSV: give names separated by commas")
	}
	return names, nil
}

// source begins to read rows behind a position.
func (f *brokerFlags) source(ctx context.Context, r *reached,
	after stream.Position) (*broker.Source, error) {
	columns, err := splitColumns(f.columns)
	if err != nil {
		return nil, err
	}
	return r.Source(ctx,
		broker.SourceConfig{Subject: f.rows, Columns: columns, After: after, StopAtEnd: f.stopAtEnd,
			Limits: f.limits})
}

// sink begins to publish the labels of a run behind a position.
func (f *brokerFlags) sink(ctx context.Context, r *reached, run string, format dataset.Format,
	after stream.Position) (*broker.Sink, error) {
	return r.Sink(ctx, broker.SinkConfig{Subject: f.labels, Run: run, Format: format, After: after,
		Limits: f.limits})
}

// runID names a run that begins: by its first rows and its settings, so that what a killed run
// published is known again, and rows of another table, or of a log that was emptied, are not taken
// for those.
func (f *brokerFlags) runID(first *lines.First, settings ...string) string {
	sum := sha256.New()
	json.NewEncoder(sum).Encode(first.Layout)
	binary.Write(sum, binary.LittleEndian, first.X.F64)
	binary.Write(sum, binary.LittleEndian, first.X.F32)
	return broker.RunID(append([]string{f.rows, f.labels, string(sum.Sum(nil))}, settings...)...)
}

func newStreamBroker(a *app) *cobra.Command {
	var cfg broker.ServerConfig
	var token string
	cmd := &cobra.Command{
		Use:   "broker --store FOLDER",
		Short: "Run a NATS broker with JetStream, for a single machine",
		Long: `broker runs a NATS server with JetStream in this process, with its files in a folder,
until Ctrl-C. It is what kindred stream needs where there is no NATS cluster; other NATS clients can
use it as well.

A message is confirmed once the operating system has it, so a killed process loses none; what was
confirmed within the last --sync may be lost in a power cut. --sync-always writes each message
through to the disk first, which is slower by far. One process has the folder at a time.

Only this machine reaches it, unless --listen and --allow-remote say otherwise. Clients need its
token: that of --token-file, or one that is made in the file token of the folder, which only you can
read.`,
		Example: `  kindred stream broker --store broker
  kindred stream broker --store broker --listen 192.168.1.20:4222 \
    --allow-remote --token-file token`,
		Args: cli.Arguments(0, 0, "no arguments", nil),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cfg.Store == "" {
				return fault.Setting("give the folder for the broker's files (--store)")
			}
			if token != "" {
				var err error
				if cfg.Token, err = broker.ReadToken(token); err != nil {
					return err
				}
			}
			cfg.Warn = func(line string) { a.notef("broker: %s", line) }
			s, err := broker.Serve(cfg)
			if err != nil {
				return err
			}
			a.notef("the broker is at %s, its files are in %s", s.Address(), cfg.Store)
			if path := s.TokenFile(); path != "" {
				a.notef("clients need its token: --broker-token-file %s", path)
			}
			a.notef("Ctrl-C ends; every message is kept")
			<-cmd.Context().Done()
			return s.Close()
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&cfg.Store, "store", "", "folder of the broker's files; made when it is not there")
	fs.StringVar(&cfg.Listen, "listen", broker.DefaultListen, "address to listen on, as host:port")
	fs.BoolVar(&cfg.Remote, "allow-remote", false,
		"let other machines reach the broker, where --listen says so")
	fs.StringVar(&token, "token-file", "", "file with the token that clients must show, which "+
		"only you may read (default: token in the folder, made when it is not there)")
	fs.Int64Var(&cfg.MaxStore, "store-bytes", 0,
		"bytes on disk at most (default: three quarters of what is free)")
	fs.IntVar(&cfg.MaxMessage, "message-bytes", 0, "bytes of a message at most (default 8388608)")
	fs.IntVar(&cfg.MaxConnections, "connections", 0,
		"connections at most (default: 64, or fewer where messages are large)")
	fs.DurationVar(&cfg.SyncEvery, "sync", 0, "how often files are synchronised (default 2s)")
	fs.BoolVar(&cfg.SyncAlways, "sync-always", false, "synchronise after each message")
	return cmd
}

// feedFlags are the flags of kindred stream feed.
type feedFlags struct {
	reachFlags
	broker.FeedConfig
	columns string
}

func newStreamFeed(a *app) *cobra.Command {
	f := &feedFlags{}
	cmd := &cobra.Command{
		Use:   "feed DATA --broker URL --subject SUBJECT",
		Short: "Publish the lines of a table to a broker, in blocks",
		Long: `feed publishes the rows of DATA, CSV or JSON lines (also .gz or .zst, or - for
stdin), to a subject of a NATS broker, so many lines a message. Text is passed on as it lies; the
names in a header go along with each message. Where no stream of the broker takes the subject, one
is made.

A feed that broke off is taken up by the same command: it goes on behind the last line that the
broker has of it, and a file that has grown is fed on. A feed is known by its name, that of the file
unless --feed gives another; to feed the same rows a second time, give another. Where several feeds
share a subject, the broker refuses what it had within its memory, two minutes; take up a broken
feed within that time there.`,
		Example: `  kindred stream feed flights.csv --broker nats://127.0.0.1:4222 --subject rows
  kindred stream feed flights.csv --broker nats://127.0.0.1:4222 --subject rows \
    --block 64 --rate 1000`,
		Args: cli.Arguments(1, 1, "DATA, a file of CSV or JSON lines", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), a, args[0])
		},
	}
	fs := cmd.Flags()
	f.flags(fs)
	fs.StringVar(&f.Subject, "subject", "", "subject to publish to")
	fs.IntVar(&f.Block, "block", broker.DefaultFeedBlock, "lines a message")
	fs.Float64Var(&f.Rate, "rate", 0, "lines a second at most (default: no limit)")
	fs.StringVar(&f.Name, "feed", "", "name of the feed (default: that of the file)")
	fs.StringVar(&f.columns, "columns", "",
		"names of the columns, as x,y,z, where DATA has no header")
	return cmd
}

func (f *feedFlags) run(ctx context.Context, a *app, data string) error {
	switch {
	case f.address == "" || f.Subject == "":
		return fault.Setting("give the broker's address (--broker) and the subject (--subject)")
	case f.Block < 1 || f.Rate < 0:
		return fault.Setting("--block must be 1 or more, and --rate cannot be negative")
	case data == "-" && f.Name == "":
		return fault.Setting("stdin has no name: give the feed one (--feed)")
	}
	if err := broker.CheckSubject(f.Subject); err != nil {
		return fault.Setting(err.Error())
	}
	if err := f.check(); err != nil {
		return err
	}
	var err error
	if f.Columns, err = splitColumns(f.columns); err != nil {
		return err
	}
	if f.Name == "" {
		f.Name = strings.ReplaceAll(filepath.Base(data), " ", "_")
	}
	in, from := &counted{from: a.in}, "stdin"
	if data != "-" {
		from = data
		file, err := infile.Open(data, "a table")
		if err != nil {
			return err
		}
		defer file.Close()
		in.from = file
		if info, err := file.Stat(); err == nil {
			in.total = info.Size()
		}
	}
	r, err := f.reach(ctx, a)
	if err != nil {
		return err
	}
	defer r.close()
	in.bar = a.bar("feeding " + from)
	f.Limits = f.limits
	fed, err := r.Feed(ctx, in, data, f.FeedConfig)
	in.bar.done()
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s: %s published to %s", from,
		words.Count(fed.Lines-fed.Found, "line"), f.Subject)
	if fed.Found > 0 {
		text += fmt.Sprintf("; %d of the feed %s were there already", fed.Found, f.Name)
	}
	a.notef("%s", text)
	return nil
}

// counted shows how much of an input has been read.
type counted struct {
	from        io.Reader
	bar         *bar
	done, total int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.done += int64(n)
	c.bar.read(c.done, c.total)
	return n, err
}
