package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/studio"
)

// newSessions returns the command that serves the HTTP API to the program that starts it, as the
// Python package does. It reads a request per line from stdin, and writes a reply per line to
// stdout. The first line that it writes has the address and the token, which are thus known to
// that program alone. It ends with stdin, so that it does not outlive the program.
func newSessions(a *app) *cobra.Command {
	log := logFlags{}
	cmd := &cobra.Command{
		Use:    "sessions",
		Short:  "Serve the HTTP API to the program that starts it",
		Hidden: true,
		Args:   cli.Arguments(0, 0, "no arguments", nil),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return (&sessions{app: a}).run(cmd.Context(), &log)
		},
	}
	log.flags(cmd.Flags(), "error")
	return cmd
}

// sessions are the projects of a program.
type sessions struct {
	*app
	server *studio.Server
}

// sessionRequest is what the program asks for: one of the fields after the number.
type sessionRequest struct {
	Number int `json:"number"` // which the reply has, too

	Open  *sessionOpen `json:"open"`
	Close string       `json:"close"` // id of a project
	Link  bool         `json:"link"`  // to the page, for a browser that is started with it
}

// sessionOpen is a project to open, or to begin.
type sessionOpen struct {
	ID       string            `json:"id"`       // in the addresses of the API
	Project  string            `json:"project"`  // its file
	Data     string            `json:"data"`     // "": as the project has it
	Settings map[string]string `json:"settings"` // by the names of the command's flags
	Carry    bool              `json:"carry"`    // take the answers along where the data changed
}

// sessionReply is the reply to a request. The opening itself goes on: the API has its progress.
type sessionReply struct {
	Number int    `json:"number"`
	ID     string `json:"id,omitempty"`
	Link   string `json:"link,omitempty"`
	Error  string `json:"error,omitempty"`
	Kind   string `json:"kind,omitempty"` // of the error: setting, input or internal
}

func (s *sessions) run(ctx context.Context, log *logFlags) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s.frugal()
	l, err := listenAt(0)
	if err != nil {
		return err
	}
	defer l.Close()
	secret := make([]byte, 32)
	rand.Read(secret)
	s.server, err = studio.New(studio.Config{
		Scope: "sessions", Address: l.Addr().String(), Version: cli.Version(version), Secret: secret,
		MostOpen: math.MaxInt, Logger: log.logger(s.app), Shared: s.shared,
	})
	if err != nil {
		return err
	}
	out := json.NewEncoder(s.out)
	err = out.Encode(map[string]string{"address": s.server.Address(), "token": s.server.Token(""),
		"version": cli.Version(version)})
	if err != nil {
		return err
	}
	go func() {
		defer stop()
		in := bufio.NewReader(s.in)
		for {
			line, err := in.ReadBytes('\n')
			if err != nil || out.Encode(s.reply(line)) != nil {
				return
			}
		}
	}()
	return s.server.Serve(ctx, l)
}

// reply does what a line asks for.
func (s *sessions) reply(line []byte) sessionReply {
	var r sessionRequest
	err := json.Unmarshal(line, &r)
	switch {
	case err != nil:
		return sessionReply{Error: "the request is no JSON: " + err.Error(), Kind: "internal"}
	case r.Link:
		return sessionReply{Number: r.Number, Link: s.server.Once("")}
	case r.Open != nil:
		err = s.open(r.Open)
		r.Close = r.Open.ID
	default:
		err = s.server.Shut(r.Close)
	}
	if err != nil {
		return sessionReply{Number: r.Number, Error: err.Error(), Kind: kindOfFault(err)}
	}
	return sessionReply{Number: r.Number, ID: r.Close}
}

// kindOfFault returns the kind of an error for a program.
func kindOfFault(err error) string {
	if _, ok := errors.AsType[fault.Setting](err); ok {
		return "setting"
	}
	if _, ok := errors.AsType[*fault.Input](err); ok {
		return "input"
	}
	return "internal"
}

// open begins to open a project.
func (s *sessions) open(o *sessionOpen) error {
	recipe := input.New()
	for _, name := range slices.Sorted(maps.Keys(o.Settings)) {
		if err := recipe.Set(name, o.Settings[name]); err != nil {
			return err
		}
	}
	if o.Data == "" {
		if err := mustExist(o.Project); err != nil {
			return err
		}
	}
	place := s.place()
	place.Stdin = nil // which has the requests
	place.Notify = func(string) {}
	_, err := s.server.Begin(project.Config{ID: o.ID, Path: o.Project, Data: o.Data, Place: place,
		Carry: o.Carry, Recipe: recipe, Shared: s.shared})
	return err
}
