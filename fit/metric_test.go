package fit_test

import (
	"encoding/json"
	"testing"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
)

// The words of states and models are read back, in any case; others are refused.
func TestMetricWords(t *testing.T) {
	for word, metric := range map[string]fit.Metric{
		"euclidean": fit.Euclidean, "diagonal": fit.Diagonal, "full": fit.Full} {
		text, err := json.Marshal(metric)
		if err != nil || string(text) != `"`+word+`"` {
			t.Errorf("%v is written as %s, %v", metric, text, err)
		}
		var back fit.Metric
		if err := json.Unmarshal(text, &back); err != nil || back != metric {
			t.Errorf("%s is read as %v, %v", text, back, err)
		}
	}
	if m, err := fit.ParseMetric(" FULL "); err != nil || m != fit.Full {
		t.Errorf("FULL is read as %v, %v", m, err)
	}
	if _, err := fit.ParseMetric("round"); !fault.IsInput(err) {
		t.Errorf("round: %v", err)
	}
	if text, err := fit.Metric(3).MarshalText(); err == nil {
		t.Errorf("metric 3 is written as %s", text)
	}
}
