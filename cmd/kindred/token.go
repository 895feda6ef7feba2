package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/studio"
)

func newToken(a *app) *cobra.Command {
	var who string
	var header bool
	cmd := &cobra.Command{
		Use:   "token [FOLDER | FILE.kindred]",
		Short: "Print the token with which programs use the HTTP API",
		Long: `token prints what a program sends to the server that kindred serve or ask starts on a
folder, by default this one, or a project. kindred serve with files and without a folder has the
token of the folder that it is started in. Whoever has the token can do what the person can, so keep
it out of command lines, which others can read. It stays the same until the file kindred/secret in
your configuration folder is removed, which ends all access.`,
		Example: `  kindred token --header | curl -H @- http://127.0.0.1:5463/api/v1/me
  KINDRED_TOKEN=$(kindred token projects --who ann) ./session.py
  (umask 077 && kindred token photos.kindred > token)`,
		Args: cli.Arguments(0, 1, "at most one folder or project", nil),
		RunE: func(_ *cobra.Command, args []string) error {
			scope := "."
			if len(args) > 0 {
				scope = args[0]
			}
			if info, err := os.Stat(scope); err != nil || !info.IsDir() && !isProject(scope) {
				return fault.Inputf("give the folder that is served, or a file .kindred",
					"there is no such folder or project").In(scope).Because(err)
			}
			scope, err := filepath.Abs(scope)
			if err != nil {
				return err
			}
			token, err := studio.Token(scope, who)
			if err != nil {
				return err
			}
			if who == "" {
				a.notef("the token is for a server without --people: one with --people takes that of " +
					"a person, --who NAME")
			}
			if header {
				token = "Authorization: Bearer " + token
			}
			_, err = fmt.Fprintln(a.out, token)
			return err
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVar(&who, "who", "",
		"person whose token it is, one of --people (default: the only one)")
	fs.BoolVar(&header, "header", false, "print it as the header that is sent, as curl -H @FILE reads")
	return cmd
}
