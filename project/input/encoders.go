package input

import (
	"cmp"
	"context"
	"os"
	"path/filepath"

	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/data/encode/endpoint"
	"github.com/kindred-go/kindred/data/encode/folder"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/method/param"
)

// declareEncoders declares how encoders are used that are not built in.
func (s *Source) declareEncoders(set *param.Set) {
	set.String(&s.EncoderModel, param.Param{Name: "encoder-model",
		Help: "model of an endpoint of --encoder, as the server calls it"})
	set.String(&s.EncoderPrompt, param.Param{Name: "encoder-prompt",
		Help: "prompt of an encoder in a folder by its name, or text to put before each text",
		Auto: "the encoder's own"})
	set.String(&s.EncoderCache, param.Param{Name: encoderCache,
		Help: "file that keeps vectors from an endpoint, so that nothing is sent twice, or none",
		Auto: "PROJECT.vectors, else in the folder for caches"})
	set.Bool(&s.AllowRemote, param.Param{Name: allowRemote,
		Help: "let an endpoint of --encoder be on another machine: texts are sent there"})
}

// Settings that no project remembers: they say what this machine may do.
const (
	allowRemote  = "allow-remote"
	encoderCache = "encoder-cache"
)

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
		open := func(name string) (*os.File, error) { return place.open(name, "a file") }
		return folder.Open(ctx, id.Name, folder.Options{Prompt: prompt, Open: open})
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
