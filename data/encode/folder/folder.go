// Package folder turns texts into vectors by an encoder that lies in a folder, as the
// sentence-transformers and Model2Vec libraries keep them: a transformer of the BERT architecture
// with its tokenizer, or a table with a vector per piece.
//
// N. Reimers and I. Gurevych, Sentence-BERT: Sentence Embeddings using Siamese BERT-Networks, EMNLP
// 2019; S. Tulkens and T. van Dongen, Model2Vec: Fast State-of-the-Art Static Embeddings, 2024.
package folder

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/digest"
	"github.com/kindred-go/kindred/internal/infile"
	"github.com/kindred-go/kindred/internal/wordpiece"
	"github.com/kindred-go/kindred/internal/words"
)

// Encoder turns texts into vectors. It is safe for many goroutines.
type Encoder struct {
	folder   string // as it was named
	whole    string // its absolute path
	kind     string
	identity digest.Sum
	pieces   *wordpiece.Tokenizer
	prompt   string // before each text
	cache    string // file that keeps vectors; "": none does
	spare    bool   // it goes without, too
	lower    bool   // texts are lowered before they are taken apart
	dims     int
	by       runner

	cut, empty atomic.Int64 // texts so far
}

// runner makes vectors of pieces.
type runner interface {
	// most returns the number of pieces of a text beyond which they are left out; 0: of none.
	most() int
	// start returns a function that sets the vectors of texts, one after the other. A goroutine
	// needs one of its own.
	start() func(ctx context.Context, dst []float32, texts [][]int32) error
}

// Options are how an encoder is opened. The zero value works.
type Options struct {
	// Prompt is the name of a prompt of the encoder, or else the text that is put before each text.
	// "" means the encoder's default, which most do not have.
	Prompt string

	// Cache is a file that keeps vectors of a transformer, so that no text is encoded twice. "" means
	// that none does. A table is as fast without.
	Cache string
	// Spare means that vectors are made all the same where Cache cannot be written.
	Spare bool

	// Open opens a file; nil means [os.Open].
	Open func(path string) (*os.File, error)
}

// Bounds of the files of an encoder, in bytes.
const (
	maxConfig     = 4 << 20
	maxVocabulary = 64 << 20
)

// files reads the files of an encoder, and notes their digests.
type files struct {
	path string
	open func(path string) (*os.File, error)
	seen []byte // names and digests of what was read
}

func (f *files) bad(name, fix, problem string, args ...any) error {
	return fault.Inputf(fix, problem, args...).In(filepath.Join(f.path, filepath.FromSlash(name)))
}

// read returns a file of at most so many bytes; nil: there is none.
func (f *files) read(name string, most int64) ([]byte, error) {
	file, err := f.open(filepath.Join(f.path, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		f.note(name, digest.Sum{})
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > most {
		return nil, f.bad(name, "copy the folder of the encoder again",
			"the file has more than %d MiB", most>>20)
	}
	f.note(name, digest.Of(data))
	return data, nil
}

func (f *files) note(name string, sum digest.Sum) {
	f.seen = append(digest.AppendText(f.seen, name), sum[:]...)
}

// json reads a file into v, and reports whether it is there.
func (f *files) json(name string, v any) (bool, error) {
	data, err := f.read(name, maxConfig)
	if err != nil || data == nil {
		return false, err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return false, f.bad(name, "copy the folder of the encoder again",
			"this is no configuration: %v", err)
	}
	return true, nil
}

// Open opens the encoder in a folder. What is missing, damaged or not supported is a
// [*fault.Input].
func Open(ctx context.Context, dir string, o Options) (*Encoder, error) {
	f := &files{path: dir, open: func(path string) (*os.File, error) {
		open := os.Open
		if o.Open != nil {
			open = o.Open
		}
		return infile.OpenBy(ctx, open, path, "a file of an encoder")
	}}
	whole, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	e := &Encoder{folder: dir, whole: whole, cache: o.Cache, spare: o.Spare}
	stack, err := f.modules()
	if err != nil {
		return nil, err
	}
	if err := e.choosePrompt(f, o.Prompt); err != nil {
		return nil, err
	}
	var about struct {
		Type       string   `json:"model_type"`
		Structures []string `json:"architectures"`
	}
	there, err := f.json(path.Join(stack.first, "config.json"), &about)
	if err != nil {
		return nil, err
	}
	switch {
	case stack.static || about.Type == "model2vec":
		err = e.openTable(ctx, f, stack)
	case !there:
		err = f.bad("", "name the folder of an encoder: one with config.json, tokenizer.json and "+
			"model.safetensors", "there is no config.json")
	default:
		err = e.openTransformer(ctx, f, stack, about.Type, about.Structures)
	}
	if err != nil {
		return nil, err
	}
	e.identity = digest.Of(f.seen, digest.AppendText(nil, e.prompt))
	return e, nil
}

// stack is what modules.json lists.
type stack struct {
	first   string // folder of the first module
	static  bool
	pooling string // folder of the pooling; "": there is none
}

func (f *files) modules() (stack, error) {
	var modules []struct {
		Path string `json:"path"`
		Type string `json:"type"`
	}
	there, err := f.json("modules.json", &modules)
	if err != nil || !there {
		return stack{}, err
	}
	var s stack
	for i, m := range modules {
		if m.Path != "" && !filepath.IsLocal(filepath.FromSlash(m.Path)) {
			return s, f.bad("modules.json", "copy the folder of the encoder again",
				"the path %q leads out of the folder", m.Path)
		}
		kind := m.Type[strings.LastIndexByte(m.Type, '.')+1:]
		switch {
		case i == 0 && kind == "Transformer", i == 0 && kind == "StaticEmbedding":
			s.first, s.static = m.Path, kind == "StaticEmbedding"
		case i > 0 && kind == "Pooling" && s.pooling == "":
			s.pooling = m.Path
		case i > 0 && kind == "Normalize" && i == len(modules)-1:
			// as the vectors of all encoders are
		default:
			return s, f.bad("modules.json", "use an encoder of a transformer or a table, pooling "+
				"and normalisation", "module %d is %q, which is not supported there", i+1, m.Type)
		}
	}
	return s, nil
}

func (e *Encoder) choosePrompt(f *files, chosen string) error {
	const name = "config_sentence_transformers.json"
	var about struct {
		Prompts map[string]string `json:"prompts"`
		Default *string           `json:"default_prompt_name"`
	}
	if _, err := f.json(name, &about); err != nil {
		return err
	}
	if chosen == "" && about.Default != nil {
		prompt, ok := about.Prompts[*about.Default]
		if !ok {
			return f.bad(name, "name a prompt", "the default prompt %q is not among the prompts",
				*about.Default)
		}
		e.prompt = prompt
		return nil
	}
	if prompt, ok := about.Prompts[chosen]; ok && chosen != "" {
		chosen = prompt
	}
	e.prompt = chosen
	return nil
}

// Identity returns the path of the folder, the prompt, and the digest of the files that vectors
// depend on and the prompt.
func (e *Encoder) Identity() encode.Identity {
	return encode.Identity{Name: e.whole, Prompt: e.prompt, Digest: e.identity.String(),
		Dimensions: e.dims}
}

// Notes returns sentences for a user about the encoder and the texts that it encoded so far.
func (e *Encoder) Notes() []string {
	note := "the encoder in " + e.folder + " is " + e.kind
	if e.prompt != "" {
		note += fmt.Sprintf(", with %q before each text", e.prompt)
	}
	notes := []string{note}
	if n := int(e.cut.Load()); n > 0 {
		notes = append(notes, fmt.Sprintf("%s longer than the encoder reads: of each the first %d "+
			"pieces of words count", words.Count(n, "text"), e.by.most()))
	}
	if n := int(e.empty.Load()); n > 0 {
		notes = append(notes, words.Count(n, "text")+" without any piece of a word that the "+
			"encoder knows")
	}
	return notes
}

// hash reads a large file to its end, and notes its digest.
func (f *files) hash(ctx context.Context, name string, file *os.File) error {
	r := infile.NewReader(ctx, file, 0, nil)
	if _, err := io.Copy(io.Discard, r); err != nil {
		return err
	}
	var sum digest.Sum
	r.Hash.Sum(sum[:0])
	f.note(name, sum)
	return nil
}

// List names what is supported, for messages.
const List = "BERT with WordPiece (MiniLM, BGE, E5, GTE) and Model2Vec"

func unsupported(what string) string { return fmt.Sprintf("%s is not supported", what) }
