package bert

import (
	"testing"

	"github.com/kindred-go/kindred/fault"
)

// The vectors are compared with those of the reference in package data/encode/folder.

func TestTextsThatDoNotFit(t *testing.T) {
	m := &Model{cfg: Config{Hidden: 4, Heads: 2, Intermediate: 8, Vocabulary: 10, Positions: 3}}
	for _, text := range [][]int32{{}, {1, 2, 3, 4}, {-1}, {10}} {
		if _, err := m.Encode(t.Context(), new(Workspace), [][]int32{text}); err == nil {
			t.Errorf("%v is encoded", text)
		}
	}
}

func TestConfigurationsThatDoNotFit(t *testing.T) {
	good := Config{Hidden: 4, Layers: 1, Heads: 2, Intermediate: 8, Vocabulary: 10, Positions: 3,
		Types: 2, Epsilon: 1e-12, Activation: "gelu"}
	if err := good.check("config.json"); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Config){
		"no width":   func(c *Config) { c.Hidden = 0 },
		"heads":      func(c *Config) { c.Heads = 3 },
		"layers":     func(c *Config) { c.Layers = 1 << 20 },
		"vocabulary": func(c *Config) { c.Vocabulary = -1 },
		"epsilon":    func(c *Config) { c.Epsilon = 2 },
		"activation": func(c *Config) { c.Activation = "relu" },
		"positions":  func(c *Config) { c.Position = "relative_key" },
	} {
		c := good
		spoil(&c)
		if err := c.check("config.json"); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
