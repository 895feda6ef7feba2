package main

import (
	"log/slog"

	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/method/param"
)

// logFlags are those of a command that serves the page.
type logFlags struct{ format, level string }

// logLevels are the levels of the log, by their names.
var logLevels = map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo,
	"warn": slog.LevelWarn, "error": slog.LevelError}

// flags adds the flags; level is the default.
func (f *logFlags) flags(fs *pflag.FlagSet, level string) {
	f.level, f.format = level, "text" // unless a flag says otherwise
	var set param.Set
	set.Choice(&f.level, param.Param{Name: "log-level",
		Choices: []string{"error", "warn", "info", "debug"}, Default: level,
		Help: "what the page's server logs to stderr: what fails; what may be wrong, too; what " +
			"changes, too; every request"})
	set.Choice(&f.format, param.Param{Name: "log-format", Choices: []string{"text", "json"},
		Default: "text", Help: "form of the log"})
	cli.Declare(fs, sessionGroup, &set)
}

// logger returns the log of a server, on stderr.
func (f *logFlags) logger(a *app) *slog.Logger {
	options := &slog.HandlerOptions{Level: logLevels[f.level]}
	if f.format == "json" {
		return slog.New(slog.NewJSONHandler(a.err, options))
	}
	return slog.New(slog.NewTextHandler(a.err, options))
}
