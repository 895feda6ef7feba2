package input

import (
	"cmp"
	"context"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/data/encode/endpoint"
	"github.com/kindred-go/kindred/data/encode/folder"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method/param"
)

// declareEncoders declares how encoders are used that are not built in.
func (s *Source) declareEncoders(set *param.Set) {
	set.String(&s.EncoderModel, param.Param{Name: "encoder-model",
		Help: "model of an endpoint of --encoder, as the server calls it"})
	set.String(&s.EncoderPrompt, param.Param{Name: "encoder-prompt",
		Help: "prompt of an encoder in a folder by its name, or text to put before each text",
		Auto: "the encoder's own"})
	s.declareKept(set)
}

// declareKept declares what this machine lets an endpoint do.
func (s *Source) declareKept(set *param.Set) {
	set.String(&s.EncoderCache, param.Param{Name: encoderCache,
		Help: "file that keeps vectors of an encoder, so that no text is encoded twice, or none",
		Auto: "PROJECT.vectors, else, of an endpoint, in the folder for caches"})
	set.Bool(&s.AllowRemote, param.Param{Name: allowRemote,
		Help: "let an endpoint of --encoder be on another machine: texts are sent there"})
}

// Settings that no project remembers: they say what this machine may do.
const (
	allowRemote  = "allow-remote"
	encoderCache = "encoder-cache"
)

// OwnersAlone reports whether a setting says what this machine may do for endpoints, so that only
// the command line can set it.
func OwnersAlone(name string) bool { return name == allowRemote || name == encoderCache }

// noCache is the value of --encoder-cache by which no vectors are kept.
const noCache = "none"

// openOutside opens an encoder that is not built in: an endpoint by its address, or a folder. Of an
// encoder that a model was made with the identity has the prompt and the dimensions, too.
func (s *Source) openOutside(ctx context.Context, place Place, id encode.Identity) (encode.Encoder,
	error) {
	prompt := cmp.Or(s.EncoderPrompt, id.Prompt)
	if !endpoint.Is(id.Name) {
		if s.EncoderModel != "" {
			return nil, fault.Setting("--encoder-model is for endpoints, and --encoder names a folder")
		}
		if err := place.isFolder(id.Name); err != nil {
			return nil, err
		}
		open := func(name string) (*os.File, error) {
			// A pipe would be waited for without end.
			if info, err := place.stat(name); err == nil && !info.Mode().IsRegular() {
				return nil, &fault.Input{File: name, Problem: "is no ordinary file",
					Fix: "copy the folder of the encoder again"}
			}
			return place.open(ctx, name, "a file")
		}
		cache := cmp.Or(s.EncoderCache, place.Vectors)
		if cache == noCache {
			cache = ""
		}
		return folder.Open(ctx, id.Name, folder.Options{Prompt: prompt, Open: open, Cache: cache,
			Spare: s.EncoderCache == ""})
	}
	if place.Root != nil {
		return nil, &fault.Input{File: id.Name,
			Problem: "the page sends texts to no endpoint, since one may be anywhere",
			Fix:     "begin the project in a terminal: kindred ask DATA --encoder " + id.Name}
	}
	cache, err := s.cacheOf(place)
	if err != nil {
		return nil, err
	}
	return endpoint.New(id.Name, endpoint.Options{Model: cmp.Or(id.Model, s.EncoderModel),
		Prompt: prompt, Key: os.Getenv(endpoint.KeyName), Remote: s.AllowRemote, Cache: cache,
		Dimensions: id.Dimensions, Notify: place.Notify})
}

// isFolder returns an error unless a name is that of a folder.
func (p Place) isFolder(name string) error {
	info, err := p.stat(name)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil:
		return &fault.Input{File: name, Problem: "is a file, not the folder of an encoder",
			Fix: "name the folder that has config.json and model.safetensors"}
	case p.Root != nil:
		return p.outside(name, err)
	}
	return &fault.Input{File: name, Problem: "there is no such folder",
		Fix: "name the folder of an encoder, or the address of an endpoint", Err: err}
}

// openAgain opens the encoder that a model was made with, which may be in another folder now. One
// that is another now is a [*fault.Input].
func (s *Source) openAgain(ctx context.Context, place Place, id encode.Identity) (encode.Encoder,
	error) {
	if s.encoderGiven() {
		id.Name = s.Encoder
	}
	e, err := s.openOutside(ctx, place, id)
	if err != nil {
		return nil, err
	}
	return e, id.Same(e.Identity())
}

// checkEncoder returns a [fault.Setting] unless there may be an encoder of a name; "" is the
// default.
func checkEncoder(name string) error {
	switch name {
	case "", encode.Builtin, encode.LSA:
		return nil
	}
	if endpoint.Is(name) {
		return nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil
	}
	if lacksScheme(name) {
		return fault.Settingf("--encoder %s: the address of an endpoint begins with http:// or "+
			"https://: give --encoder http://%[1]s", words.Shell(name))
	}
	if strings.ContainsAny(name, `./\`) {
		return nil // opening it reports what is wrong
	}
	return fault.Settingf("--encoder %s: there is no such encoder; give builtin, lsa, the folder of "+
		"an encoder, as ./minilm, or the address of an endpoint", words.Shell(name))
}

// lacksScheme reports whether a name is an address, as localhost:11434/v1, but for its scheme.
func lacksScheme(name string) bool {
	host, _, _ := strings.Cut(name, "/")
	host, port, err := net.SplitHostPort(host)
	_, bad := strconv.ParseUint(port, 10, 16)
	return err == nil && bad == nil && host != ""
}

// EncoderFlags adds the flags for finding the encoder of a model again.
func (s *Source) EncoderFlags(fs *pflag.FlagSet) {
	declare(fs, func(set *param.Set) {
		set.String(&s.Encoder, param.Param{Name: "encoder",
			Help: "of a model of texts: the folder in which its encoder is now", Auto: "as it was"})
		s.declareKept(set)
	})
}

// cacheOf returns the file that keeps vectors; "": there is none.
func (s *Source) cacheOf(place Place) (string, error) {
	if path := cmp.Or(s.EncoderCache, place.Vectors); path != "" {
		if path == noCache {
			return "", nil
		}
		return path, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fault.Settingf("--encoder-cache: the vectors of texts have no place (%v): name a "+
			"file, or none", err)
	}
	dir = filepath.Join(dir, "kindred")
	if err := atomicfile.MakeFolder(dir, false); err != nil {
		return "", err
	}
	return filepath.Join(dir, "vectors"), nil
}

// noted is an encoder that has sentences about the texts that it encoded.
type noted interface{ Notes() []string }

// encoderNotes returns sentences of an encoder about the texts that it encoded; nil: it has none.
func encoderNotes(e encode.Encoder) []string {
	if n, ok := e.(noted); ok {
		return n.Notes()
	}
	return nil
}
