package fit

import "github.com/kindred-go/kindred/internal/words"

// Metric is what clusters learn to measure distances by: (x−μ)ᵀ A (x−μ). The methods that learn one
// document what A follows from.
type Metric int

// The metrics.
const (
	Euclidean Metric = iota // A is the identity: nothing is learnt
	Diagonal                // A is diagonal: a weight for each column
	Full                    // A is any positive definite matrix
)

// MetricNames returns the words of the metrics, in order.
func MetricNames() []string { return []string{"euclidean", "diagonal", "full"} }

var metrics = words.Enum[Metric]{Type: "Metric", What: "metric that clusters learn",
	Words: MetricNames()}

// String returns the word of flags and files: euclidean, diagonal or full.
func (m Metric) String() string { return metrics.Name(m) }

// ParseMetric reads a word of [Metric.String], in any case and with blanks around. Anything else is
// a *fault.Input.
func ParseMetric(s string) (Metric, error) { return metrics.Parse(s) }

// MarshalText returns [Metric.String]; it fails for a number that is no metric.
func (m Metric) MarshalText() ([]byte, error) { return metrics.Marshal(m) }

// UnmarshalText reads what [ParseMetric] takes.
func (m *Metric) UnmarshalText(text []byte) error { return metrics.Unmarshal(m, text) }
