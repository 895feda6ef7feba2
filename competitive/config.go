package competitive

import (
	"github.com/kindred-go/kindred/link"
)

// Rate says how far prototypes step.
type Rate struct {
	Schedule Schedule `json:"schedule"`

	Start    float64 `json:"start,omitempty"`    // learning rate α, in (0, 1]; 0: 0.05
	Unlearn  float64 `json:"unlearn,omitempty"`  // unlearning rate β, below 1; 0: 0.002; negative: none
	Exponent float64 `json:"exponent,omitempty"` // of Power, in (0, 1]; 0: 0.5
	HalfWay  float64 `json:"halfWay,omitempty"`  // of Power, in rows; 0: 10000
	Least    float64 `json:"least,omitempty"`    // learning rates of Harmonic and Power never fall below it; 0: 0.0001
}

// Config says how to learn. Only Clusters must be set; the zero value of every other field is a documented default.
type Config struct {
	Rule     Rule   `json:"rule"`
	Clusters int    `json:"clusters"` // prototypes k, from 1
	Rate     Rate   `json:"rate"`
	Metric   Metric `json:"metric"`
	Init     Init   `json:"init"`

	// HalfLife is the number of rows after which a win counts half, for streams that drift. 0: wins count for ever.
	HalfLife float64 `json:"halfLife,omitempty"`

	// Remember is the number of latest rows that can still be linked. 0: 10 000. Negative: none.
	Remember int `json:"remember,omitempty"`

	// MostLinked is the number of rows kept because links name them; beyond it, those linked longest ago leave with
	// their links, and are counted. 0: 4096.
	MostLinked int `json:"mostLinked,omitempty"`

	// Rehearse presents one linked row again, with its partners, every so many rows. 0: never.
	Rehearse int `json:"rehearse,omitempty"`

	// Contradictions says what becomes of a link that clashes with others: refused, or kept and counted.
	Contradictions link.Policy `json:"contradictions,omitempty"`

	// ActiveShare is the share of rows, of one prototype's fair share 1/k, that a prototype must be nearest to
	// so as to count as a cluster.
	ActiveShare float64 `json:"activeShare,omitempty"`

	Seed uint64 `json:"seed,omitempty"` // of the starting prototypes
}

// Check refuses a configuration that cannot learn rows of cols values: a *fault.Input says what to change.
func (c Config) Check(cols int) error { panic("not yet") }
