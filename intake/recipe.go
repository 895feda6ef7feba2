package intake

import (
	"context"

	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/session"
)

// Recipe says how DATA are read, prepared, compared and fitted. Its fields are what the command's flags set; [New] makes one.
type Recipe struct {
	Source
	MethodName string // as in --method; "": chosen by the data
	Clusters   string // a number, or a range as in 2..8
	Links      string // file of links known before

	set *pflag.FlagSet
}

// New gives the recipe of which nothing was said.
func New() *Recipe {
	return &Recipe{set: pflag.NewFlagSet("recipe", pflag.ContinueOnError)}
}

// Flags adds a flag for each setting. The recipe knows which of them are given.
func (r *Recipe) Flags(fs *pflag.FlagSet) { fs.AddFlagSet(r.set) }

// Set sets what the flag of that name sets. A name or value that is none is a [Usage].
func (r *Recipe) Set(name, value string) error { return r.set.Set(name, value) }

// Get gives a setting in the form that Set takes; ok is false where there is no such setting.
func (r *Recipe) Get(name string) (value string, ok bool) { return "", false }

// Settings gives the method that asks and its settings, or a [Usage] where they do not go together. Before [Open] a method
// that the data decide is not known yet, and is the zero Method.
func (r *Recipe) Settings() (method.Method, method.Settings, error) {
	return method.Method{}, method.Settings{}, nil
}

// Recall sets all that was not given to what a project keeps, and tells what, as flags.
func (r *Recipe) Recall(h session.Header, project string) (said []string, err error) { return nil, nil }

// Remember gives the settings as a project keeps them, paths as seen from its folder.
func (r *Recipe) Remember(project string) map[string]string { return nil }

// Open reads DATA as the method of the recipe takes them, all cells kept to be shown, and settles what the data decide: the
// method, and how texts are compared. progress, if not nil, hears what is done and its share, in [0, 1].
func Open(ctx context.Context, place Place, name string, r *Recipe, progress func(what string, share float64)) (*Data, error) {
	return nil, nil
}
