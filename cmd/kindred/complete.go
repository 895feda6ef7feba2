package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/generate"
	"github.com/kindred-go/kindred/data/sample"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/dburl"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/plot/gallery"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/project/store"
	"github.com/kindred-go/kindred/reproduce"
)

// Shorter names of what a shell is to do with completions.
const (
	ordinary = cobra.ShellCompDirectiveDefault // names of files where there are no completions
	noFiles  = cobra.ShellCompDirectiveNoFileComp
	noSpace  = cobra.ShellCompDirectiveNoSpace
)

// lookTime is how long a completion may look at a file.
const lookTime = time.Second

// complete lets shells complete flags and what they take, where a command line asks for that.
func (a *app) complete(root *cobra.Command, args []string) {
	if len(args) == 0 || args[0] != cobra.ShellCompRequestCmd &&
		args[0] != cobra.ShellCompNoDescRequestCmd {
		return
	}
	a.completeFrom(root, methodOf(args), strings.TrimLeft(args[len(args)-1], "-") != "")
}

// completeFrom does so for a command and those below. Of the parameters of methods it offers those
// of the one named, or all where none is and letters are typed.
func (a *app) completeFrom(cmd *cobra.Command, named string, typed bool) {
	for _, sub := range cmd.Commands() {
		a.completeFrom(sub, named, typed)
	}
	if cmd.HasSubCommands() && cmd.Flags().NFlag() == 0 && !cmd.Runnable() {
		return
	}
	cmd.ValidArgsFunction = a.argument
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if takers := cli.TakersOf(f); len(takers) > 0 {
			f.Hidden = !(slices.Contains(takers, named) || named == "" && typed)
		}
		// It fails where a flag has a function already.
		cmd.RegisterFlagCompletionFunc(f.Name, a.value(f))
	})
}

// methodOf returns the method that a command line names; "": none.
func methodOf(args []string) string {
	for i, word := range args {
		flag, value, set := strings.Cut(word, "=")
		if flag != "--method" {
			continue
		}
		if !set && i+1 < len(args) {
			value = args[i+1]
		}
		if m, err := all.Find(value); err == nil {
			return m.Name
		}
	}
	return ""
}

// argument completes the arguments of a command.
func (a *app) argument(cmd *cobra.Command, args []string, typed string) ([]string,
	cobra.ShellCompDirective) {
	at := len(args)
	switch name := strings.TrimPrefix(cmd.CommandPath(), "kindred "); {
	case name == "data":
		return nil, noFiles
	case name == "check", (name == "predict" || name == "score" || name == "plot") && at == 0,
		name == "token" && at == 0, name == "data convert" && at == 1:
		return nil, ordinary
	case name == "serve", at == dataAt(cmd) && name != "plot":
		switch name {
		case "methods":
			return methodNames(cmd, typed), noFiles
		case "demo":
			return sampleNames(typed), noFiles
		case "reproduce":
			return experimentNames(typed), noFiles
		case "data make":
			return lawNames(typed), noFiles
		case "version", "data list", "reproduce list", "stream broker":
			return nil, noFiles
		}
		return dataNames(typed)
	}
	return nil, noFiles
}

// dataAt returns which argument of a command is DATA.
func dataAt(cmd *cobra.Command) int {
	if name := cmd.Name(); name == "predict" || name == "score" {
		return 1
	}
	return 0
}

// matching returns the words that begin as typed.
func matching(words []string, typed string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		return !strings.HasPrefix(strings.ToLower(w), strings.ToLower(typed))
	})
}

func sampleNames(typed string) (found []string) {
	for _, s := range sample.List() {
		found = append(found, s.Name+"\t"+s.Title)
	}
	return matching(found, typed)
}

func experimentNames(typed string) (found []string) {
	for _, e := range reproduce.List() {
		found = append(found, e.Name+"\t"+e.Title)
	}
	return matching(append(found, "all\tall experiments"), typed)
}

func lawNames(typed string) (found []string) {
	for _, l := range generate.Laws() {
		found = append(found, l.Name+"\t"+l.Title)
	}
	return matching(found, typed)
}

// methods returns the methods that a command takes.
func methodNames(cmd *cobra.Command, typed string) (found []string) {
	for _, m := range all.List() {
		switch _, err := competitive.ParseRule(m.Name); cmd.Name() {
		case "stream":
			if err != nil {
				continue
			}
		case "ask", "demo", "serve":
			if !m.Asks() {
				continue
			}
		}
		found = append(found, m.Name+"\t"+m.Title)
	}
	return matching(found, typed)
}

// dataNames completes DATA: samples, and files beside them. Where no sample begins as typed, files
// are left to the shell, which knows more about their names.
func dataNames(typed string) ([]string, cobra.ShellCompDirective) {
	found := sampleNames(typed)
	if len(found) == 0 {
		return nil, ordinary
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		return found, noFiles
	}
	how := noFiles
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, typed) || strings.HasPrefix(name, ".") && typed == "" {
			continue
		}
		if e.IsDir() {
			name, how = name+string(filepath.Separator), noFiles|noSpace
		}
		found = append(found, name)
	}
	return found, how
}

// Flags that name columns: one, several, and several with something about each.
var (
	columnFlags = []string{"id", "label", "text", "series", "images", "vectors", "pred-id",
		"pred-column"}
	columnsFlags = []string{"features", "drop"}
	valuesFlags  = []string{"types", "column-weights"}
)

// What the help of a flag says about its value: the endings of files, and whether it is a file that
// is written, a folder or a file.
var (
	suffixes = regexp.MustCompile(`\.(csv|tsv|jsonl|json|parquet|npy|svg|png)\b`)
	makes    = regexp.MustCompile(`\b(write|draw)\b.* here\b|picture to write`)
	folders  = regexp.MustCompile(`\bfolder\b`)
	files    = regexp.MustCompile(`\b(file|here)\b`)
)

// value returns what completes the value of a flag.
func (a *app) value(f *pflag.Flag) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string,
		cobra.ShellCompDirective) {
		words, kind, declared := cli.Choices(f)
		if of := wordsOf(f, cmd); of != nil {
			words = of
		}
		switch {
		case f.Name == "method":
			return methodNames(cmd, typed), noFiles
		case f.Name == "picture":
			return pictures(typed)
		case f.Name == "layout":
			return matching(gallery.LayoutNames(), typed), noFiles
		case f.Name == "project":
			return []string{"kindred"}, cobra.ShellCompDirectiveFilterFileExt
		case f.Name == "data":
			return dataNames(typed)
		case slices.Contains(columnFlags, f.Name):
			return matching(a.columns(cmd, args, f.Name), typed), noFiles
		case slices.Contains(columnsFlags, f.Name):
			return inList(a.columns(cmd, args, f.Name), typed, "")
		case slices.Contains(valuesFlags, f.Name):
			return inList(a.columns(cmd, args, f.Name), typed, "=")
		case !declared && f.Value.Type() == "string" || declared && kind == param.Text:
			if len(words) > 0 {
				return matching(words, typed), noFiles
			}
			return fileNames(f, typed)
		case declared && kind == param.Choice:
			return matching(words, typed), noFiles
		case declared && kind == param.File:
			return matching(words, typed), ordinary
		case f.Value.Type() == "bool":
			return matching([]string{"true", "false"}, typed), noFiles
		}
		return nil, noFiles
	}
}

// wordsOf returns the words that the parameter of a flag takes: of the method that is named, or of
// any; of flags that are no parameters, those that the setting of their name has, or their own.
func wordsOf(f *pflag.Flag, cmd *cobra.Command) []string {
	switch f.Name {
	case "bad-rows":
		return []string{"skip", "stop"}
	case "output-format":
		return []string{"csv", "jsonl"}
	}
	named := ""
	if m := cmd.Flags().Lookup("method"); m != nil {
		named = m.Value.String()
	}
	var words []string
	for _, p := range all.Params() {
		if p.Name != f.Name {
			continue
		}
		for _, m := range p.Methods {
			q, _ := m.Lookup(p.Name)
			if m.Name == named {
				return q.Choices
			}
			words = append(words, q.Choices...)
		}
	}
	if _, _, declared := cli.Choices(f); !declared {
		for _, p := range input.New().General() {
			if p.Name == f.Name && p.Kind == param.Choice {
				words = append(words, p.Choices...)
			}
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

func pictures(typed string) ([]string, cobra.ShellCompDirective) {
	var found []string
	how := noFiles
	for _, p := range gallery.All() {
		name := p.Name
		if p.Argument != "" {
			name += ":"
		}
		if strings.HasPrefix(name, typed) {
			found = append(found, name+"\t"+p.Title)
		}
	}
	if len(found) == 1 && strings.Contains(found[0], ":\t") {
		how |= noSpace
	}
	return found, how
}

// fileNames completes the name of a file by the endings that the help of its flag has: those of
// files that are there, or, for one that will be written, with each of the endings.
func fileNames(f *pflag.Flag, typed string) ([]string, cobra.ShellCompDirective) {
	var endings []string
	for _, end := range suffixes.FindAllString(f.Usage, -1) {
		endings = append(endings, strings.TrimPrefix(end, "."))
	}
	switch {
	case len(endings) == 0 && folders.MatchString(f.Usage) && !files.MatchString(f.Usage):
		return nil, cobra.ShellCompDirectiveFilterDirs
	case len(endings) == 0 && files.MatchString(f.Usage):
		return nil, ordinary
	case len(endings) == 0:
		return nil, noFiles
	}
	there, _ := filepath.Glob(escape.Replace(typed) + "*") // none where the pattern is bad
	if base := filepath.Base(typed); !makes.MatchString(f.Usage) || len(there) > 0 ||
		typed == "" || base == "." || strings.HasSuffix(typed, "/") {
		return endings, cobra.ShellCompDirectiveFilterFileExt
	}
	stem := typed
	if at := strings.LastIndexByte(typed, '.'); at > strings.LastIndexByte(typed, '/') {
		stem = typed[:at]
	}
	for i, end := range endings {
		endings[i] = stem + "." + end
	}
	return matching(endings, typed), noFiles
}

// escape keeps signs of names from meaning more in a pattern.
var escape = strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, `\`, `\\`)

// inList completes the last name of a list with commas, behind each of which stands a sign.
func inList(names []string, typed, sign string) ([]string, cobra.ShellCompDirective) {
	before, last := "", typed
	if at := strings.LastIndexByte(typed, ','); at >= 0 {
		before, last = typed[:at+1], typed[at+1:]
	}
	given := strings.Split(before, ",")
	var found []string
	for _, name := range matching(names, last) {
		if !strings.ContainsRune(name, ',') && !slices.ContainsFunc(given, func(g string) bool {
			return sign == "" && g == name || sign != "" && strings.HasPrefix(g, name+sign)
		}) {
			found = append(found, before+name+sign)
		}
	}
	return found, noFiles | noSpace
}

// columns returns the names of the columns of the file that a command line names; nil where they
// are not to be had at once.
func (a *app) columns(cmd *cobra.Command, args []string, flag string) []string {
	ctx, cancel := context.WithTimeout(cmd.Context(), a.look)
	defer cancel()
	at := dataAt(cmd)
	if flag == "pred-id" || flag == "pred-column" {
		at = 0
	}
	name := ""
	if f := cmd.Flags().Lookup("data"); f != nil {
		name = f.Value.String()
	}
	switch {
	case name != "":
	case at < len(args):
		name = args[at]
	case cmd.Name() == "demo":
		name = "digits"
	default:
		return nil
	}
	if isProject(name) {
		name = dataOf(ctx, name)
	}
	if name == "" || name == "-" || dburl.Is(name) {
		return nil
	}
	s := input.New()
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if input.PartOf(f.Name) == input.PartReading {
			s.Set(f.Name, f.Value.String()) // as it was checked
		}
	})
	names, err := s.Columns(ctx, a.place(), name)
	if err != nil {
		return nil
	}
	return names
}

// dataOf returns the data that a project is about; "" where they are not known.
func dataOf(ctx context.Context, path string) string {
	if !store.Exists(path) {
		return ""
	}
	p, err := store.View(ctx, path)
	if err != nil {
		return ""
	}
	defer p.Close()
	h, ok, err := p.Header(ctx)
	if err != nil || !ok {
		return ""
	}
	name, err := input.DataOf(h, path, input.Place{})
	if err != nil {
		return ""
	}
	return name
}
