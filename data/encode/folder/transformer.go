package folder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/kindred-go/kindred/internal/bert"
	"github.com/kindred-go/kindred/internal/safetensors"
	"github.com/kindred-go/kindred/internal/words"
)

// transformer is an encoder of the BERT architecture with its pooling.
type transformer struct {
	model      *bert.Model
	begin, end int32
	length     int  // pieces of a text, those around it included
	first      bool // the vector of the first piece is that of the text, not the mean of all
}

func (e *Encoder) openTransformer(ctx context.Context, f *files, s stack, kind string,
	structures []string) error {
	name := path.Join(s.first, "config.json")
	if !bert.Supported(kind) {
		what := kind
		if len(structures) > 0 {
			what = strings.TrimPrefix(kind+" ("+structures[0]+")", " ")
		}
		return f.bad(name, other, "%s", unsupported(fmt.Sprintf("its architecture, %q,", what)))
	}
	var cfg bert.Config
	cfg.Epsilon = 1e-12
	if _, err := f.json(name, &cfg); err != nil {
		return err
	}
	t := &transformer{}
	if err := t.pool(f, s); err != nil {
		return err
	}
	var about struct {
		Length *int `json:"max_seq_length"`
		Lower  bool `json:"do_lower_case"`
	}
	if _, err := f.json(path.Join(s.first, "sentence_bert_config.json"), &about); err != nil {
		return err
	}
	// Older libraries keep the length with the module, newer ones with the tokenizer.
	var pieces struct {
		Length *float64 `json:"model_max_length"` // 1e30 where nobody set it
	}
	if _, err := f.json(path.Join(s.first, "tokenizer_config.json"), &pieces); err != nil {
		return err
	}
	e.lower, t.length = about.Lower, cfg.Positions
	switch {
	case about.Length != nil && *about.Length > 0:
		t.length = min(t.length, *about.Length)
	case pieces.Length != nil && *pieces.Length < float64(t.length):
		t.length = int(*pieces.Length)
	}
	v, err := f.tokenizer(s.first)
	if err != nil {
		return err
	}
	switch {
	case v.begin < 0:
		return f.bad(path.Join(s.first, "tokenizer.json"), other, "%s",
			unsupported("a tokenizer without a post-processor"))
	case v.size > cfg.Vocabulary:
		return f.bad(path.Join(s.first, "tokenizer.json"), anew,
			"%d pieces, but vocab_size is %d", v.size, cfg.Vocabulary)
	case t.length < 3:
		return f.bad(name, anew, "texts of %d pieces at most", t.length)
	}
	e.pieces, t.begin, t.end = v.Tokenizer, v.begin, v.end
	err = f.tensors(ctx, s.first, func(file *safetensors.File) error {
		t.model, err = bert.Load(file, cfg, filepath.Join(f.path, filepath.FromSlash(name)))
		return err
	})
	e.by, e.dims = t, cfg.Hidden
	e.kind = fmt.Sprintf("a BERT of %s", words.Count(cfg.Layers, "layer"))
	return err
}

// pool reads how the vectors of pieces become one.
func (t *transformer) pool(f *files, s stack) error {
	if s.pooling == "" {
		return nil // the mean, as sentence-transformers takes
	}
	name := path.Join(s.pooling, "config.json")
	var about map[string]any
	there, err := f.json(name, &about)
	if err != nil || !there {
		return err
	}
	var modes []string
	for mode, on := range about {
		if on == true && strings.HasPrefix(mode, "pooling_mode_") {
			modes = append(modes, strings.TrimPrefix(mode, "pooling_mode_"))
		}
	}
	const cls = "cls_token"
	switch mode := about["pooling_mode"]; mode { // as newer libraries write it
	case nil:
	case "cls":
		modes = append(modes, cls)
	default:
		modes = append(modes, fmt.Sprint(mode)+"_tokens")
	}
	if len(modes) != 1 || modes[0] != cls && modes[0] != "mean_tokens" {
		return f.bad(name, "use an encoder with mean or CLS pooling", "%s",
			unsupported("its pooling, "+quoted(strings.Join(modes, ", "))+","))
	}
	if about["include_prompt"] == false {
		return f.bad(name, "use an encoder that pools all pieces", "%s",
			unsupported("pooling without the prompt"))
	}
	t.first = modes[0] == cls
	return nil
}

// tensors opens the model.safetensors of a module, for load.
func (f *files) tensors(ctx context.Context, in string, load func(*safetensors.File) error) error {
	name := path.Join(in, "model.safetensors")
	full := filepath.Join(f.path, filepath.FromSlash(name))
	file, err := f.open(full)
	if errors.Is(err, os.ErrNotExist) {
		return f.bad(name, "convert the model to safetensors in one file: "+
			"model.save_pretrained(folder) of sentence-transformers writes one",
			"there is no such file")
	}
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	tensors, err := safetensors.Read(file, info.Size(), full)
	if err != nil {
		return err
	}
	if err := f.hash(ctx, name, file); err != nil {
		return err
	}
	return load(tensors)
}

func (t *transformer) most() int { return t.length - 2 }

func (t *transformer) start() func(context.Context, []float32, [][]int32) error {
	w := new(bert.Workspace)
	d := t.model.Config().Hidden
	var framed [][]int32
	return func(ctx context.Context, dst []float32, texts [][]int32) error {
		framed = framed[:0]
		for _, text := range texts {
			framed = append(framed, append(append([]int32{t.begin}, text...), t.end))
		}
		states, err := t.model.Encode(ctx, w, framed)
		if err != nil {
			return err
		}
		for i, text := range framed {
			to := dst[i*d : (i+1)*d]
			if t.first {
				copy(to, states)
			} else {
				mean(to, states[:len(text)*d])
			}
			states = states[len(text)*d:]
		}
		return nil
	}
}

// mean sets dst to the mean of rows.
func mean(dst, rows []float32) {
	clear(dst)
	d := len(dst)
	for lo := 0; lo < len(rows); lo += d {
		for j, v := range rows[lo : lo+d] {
			dst[j] += v
		}
	}
	n := float32(len(rows) / d)
	for j := range dst {
		dst[j] /= n
	}
}
