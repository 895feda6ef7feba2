// Package bert runs encoders of the BERT architecture: from the pieces of texts to a vector for
// each piece.
//
// J. Devlin, M. Chang, K. Lee and K. Toutanova, BERT: Pre-training of Deep Bidirectional
// Transformers for Language Understanding, NAACL 2019; A. Vaswani and others, Attention Is All You
// Need, NIPS 2017.
package bert

import (
	"fmt"
	"math"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/safetensors"
	"github.com/kindred-go/kindred/internal/simd"
)

// Config is the part of a config.json that the encoder goes by.
type Config struct {
	Hidden       int     `json:"hidden_size"`
	Layers       int     `json:"num_hidden_layers"`
	Heads        int     `json:"num_attention_heads"`
	Intermediate int     `json:"intermediate_size"`
	Vocabulary   int     `json:"vocab_size"`
	Positions    int     `json:"max_position_embeddings"`
	Types        int     `json:"type_vocab_size"`
	Epsilon      float64 `json:"layer_norm_eps"`
	Activation   string  `json:"hidden_act"`
	Position     string  `json:"position_embedding_type"`
}

// Bounds of a configuration, far above those of BERT-large: a file that lies must not ask for more
// than its tensors have.
const (
	maxWidth  = 1 << 14
	maxLayers = 1 << 8
	maxLength = 1 << 13
	maxPieces = 1 << 22
)

func (c Config) check(file string) error {
	bad := func(fix, problem string, args ...any) error {
		return fault.Inputf(fix, problem, args...).In(file)
	}
	const sizes = "copy the folder of the encoder again"
	for name, v := range map[string][2]int{"hidden_size": {c.Hidden, maxWidth},
		"intermediate_size": {c.Intermediate, 4 * maxWidth}, "vocab_size": {c.Vocabulary, maxPieces},
		"num_hidden_layers": {c.Layers, maxLayers}, "num_attention_heads": {c.Heads, maxWidth},
		"max_position_embeddings": {c.Positions, maxLength}, "type_vocab_size": {c.Types, maxWidth}} {
		if v[0] < 1 || v[0] > v[1] {
			return bad(sizes, "%s is %d, not from 1 to %d", name, v[0], v[1])
		}
	}
	switch {
	case c.Hidden%c.Heads != 0:
		return bad(sizes, "hidden_size %d is no multiple of num_attention_heads %d", c.Hidden, c.Heads)
	case !(c.Epsilon >= 0 && c.Epsilon < 1):
		return bad(sizes, "layer_norm_eps is %v", c.Epsilon)
	case c.Activation != "gelu":
		return bad("use an encoder with gelu", "its activation is %q, which is not supported",
			c.Activation)
	case c.Position != "" && c.Position != "absolute":
		return bad("use an encoder with absolute positions",
			"its positions are %q, which is not supported", c.Position)
	}
	return nil
}

// Model is a loaded encoder. It is safe for many goroutines.
type Model struct {
	cfg       Config
	words     []float32 // Vocabulary × Hidden
	positions []float32 // Positions × Hidden, with the embedding of type 0 added
	embedded  norm
	layers    []layer
}

type layer struct {
	attend  *simd.Factor // queries, keys and values side by side; queries are scaled
	join    *simd.Factor
	joined  norm
	widen   *simd.Factor
	narrow  *simd.Factor
	widened norm
}

// norm is a layer normalisation.
type norm struct {
	scale, shift []float32
	epsilon      float64
}

// Load reads the tensors of an encoder, whose configuration is in a file of the name config.
// Tensors that are missing or have other shapes are a [*fault.Input].
func Load(f *safetensors.File, cfg Config, config string) (*Model, error) {
	if err := cfg.check(config); err != nil {
		return nil, err
	}
	h, wide := float64(cfg.Hidden), float64(cfg.Intermediate)
	bytes := 4 * (h*float64(cfg.Vocabulary+2*cfg.Positions) + float64(cfg.Layers)*h*(4*h+2*wide))
	if err := memory.Check(bytes, "the tensors of the encoder", "use a smaller encoder"); err != nil {
		return nil, err
	}
	l := loader{f: f, cfg: cfg}
	if !f.Has("embeddings.word_embeddings.weight") && f.Has("bert.embeddings.word_embeddings.weight") {
		l.prefix = "bert."
	}
	m := &Model{cfg: cfg}
	m.words = l.floats("embeddings.word_embeddings.weight", cfg.Vocabulary, cfg.Hidden)
	m.positions = l.floats("embeddings.position_embeddings.weight", cfg.Positions, cfg.Hidden)
	kind := l.floats("embeddings.token_type_embeddings.weight", cfg.Types, cfg.Hidden)
	m.embedded = l.norm("embeddings.LayerNorm")
	if l.err != nil {
		return nil, l.err
	}
	for i := range m.positions {
		m.positions[i] += kind[i%cfg.Hidden]
	}
	for i := range cfg.Layers {
		at := fmt.Sprintf("encoder.layer.%d.", i)
		m.layers = append(m.layers, layer{
			attend:  l.attention(at + "attention.self."),
			join:    l.factor(at+"attention.output.dense", cfg.Hidden, cfg.Hidden),
			joined:  l.norm(at + "attention.output.LayerNorm"),
			widen:   l.factor(at+"intermediate.dense", cfg.Hidden, cfg.Intermediate),
			narrow:  l.factor(at+"output.dense", cfg.Intermediate, cfg.Hidden),
			widened: l.norm(at + "output.LayerNorm"),
		})
		if l.err != nil {
			return nil, l.err
		}
	}
	return m, nil
}

// Config returns the configuration.
func (m *Model) Config() Config { return m.cfg }

// loader reads tensors until one fails.
type loader struct {
	f      *safetensors.File
	cfg    Config
	prefix string
	err    error
}

func (l *loader) floats(name string, shape ...int) []float32 {
	if l.err != nil {
		return nil
	}
	var values []float32
	values, l.err = l.f.Floats(l.prefix+name, shape...)
	return values
}

func (l *loader) norm(name string) norm {
	weight, bias := name+".weight", name+".bias"
	if !l.f.Has(l.prefix+weight) && l.f.Has(l.prefix+name+".gamma") { // as TensorFlow names them
		weight, bias = name+".gamma", name+".beta"
	}
	return norm{l.floats(weight, l.cfg.Hidden), l.floats(bias, l.cfg.Hidden), l.cfg.Epsilon}
}

// factor loads a linear layer from so many values to so many.
func (l *loader) factor(name string, from, to int) *simd.Factor {
	weight, bias := l.floats(name+".weight", to, from), l.floats(name+".bias", to)
	if l.err != nil {
		return nil
	}
	f := simd.NewFactor(from, to)
	f.Columns(weight, from)
	f.Start(bias)
	return f
}

// attention loads the layers of queries, keys and values as one.
func (l *loader) attention(name string) *simd.Factor {
	h := l.cfg.Hidden
	var weights, biases []float32
	for _, part := range []string{"query", "key", "value"} {
		weight, bias := l.floats(name+part+".weight", h, h), l.floats(name+part+".bias", h)
		if part == "query" {
			by := float32(1 / math.Sqrt(float64(h/l.cfg.Heads)))
			scale(weight, by)
			scale(bias, by)
		}
		weights, biases = append(weights, weight...), append(biases, bias...)
	}
	if l.err != nil {
		return nil
	}
	f := simd.NewFactor(h, 3*h)
	f.Columns(weights, h)
	f.Start(biases)
	return f
}

func scale(x []float32, by float32) {
	for i := range x {
		x[i] *= by
	}
}

// Supported reports whether the model_type of a config.json is one that [Load] reads.
func Supported(modelType string) bool { return strings.EqualFold(modelType, "bert") }
