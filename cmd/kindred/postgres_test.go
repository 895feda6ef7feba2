package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/kindred-go/kindred/internal/pgserver"
)

// TestDatabaseScripts runs the command on a server: ADDRESS is its database shop, with a password.
func TestDatabaseScripts(t *testing.T) {
	s := pgserver.Start(t)
	s.Run(t, "postgres", "CREATE DATABASE shop")
	s.Run(t, "shop", "CREATE TABLE points (id text PRIMARY KEY, x float8, y float8)",
		"INSERT INTO points VALUES ('f', 10.5, 10.5), ('a', 1, 2), ('b', 1.5, 2.5), ('c', 2, 2), "+
			"('d', 10, 11), ('e', 11, 10)",
		"CREATE TABLE notes (id int PRIMARY KEY, embedding real[])",
		"INSERT INTO notes VALUES (1, '{1,2}'), (2, '{1,3}'), (3, '{9,8}'), (4, '{9,9}')",
		"CREATE TABLE gaps (x int, y int)",
		"INSERT INTO gaps VALUES (1, 2), (NULL, 3), (7, 8), (9, NULL)")
	testscript.Run(t, testscript.Params{
		Dir: "testdata/postgres", ContinueOnError: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits,
			"serve": serveCommand, "stop": stopCommand, "http": httpCommand},
		Setup: func(e *testscript.Env) error {
			e.Setenv("KINDRED_DATASETS", "")
			e.Setenv("XDG_CONFIG_HOME", e.WorkDir+"/.config")
			e.Setenv("CI", "1") // opens no browser
			e.Setenv("ADDRESS", s.Address(pgserver.Owner, pgserver.Password, "shop"))
			e.Values[servedKey{}] = map[string]*served{}
			return nil
		},
	})
}
