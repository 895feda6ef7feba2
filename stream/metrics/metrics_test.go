package metrics_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/stream"
	"github.com/kindred-go/kindred/stream/metrics"
)

// TestServe: the numbers are there in the text of Prometheus, and only while the stream runs.
func TestServe(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	address, err := metrics.Serve(ctx, "0", &stream.Monitor{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(address, "127.0.0.1:") {
		t.Fatalf("it listens on %s", address)
	}
	get := func() (string, error) {
		answer, err := http.Get("http://" + address + "/metrics")
		if err != nil {
			return "", err
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		return string(text), err
	}
	text, err := get()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"# TYPE kindred_stream_rows_total counter",
		"kindred_stream_rows_total 0", "# TYPE kindred_stream_links_held gauge", "go_goroutines"} {
		if !strings.Contains(text, line) {
			t.Errorf("%q is not in\n%s", line, text)
		}
	}
	cancel()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if _, err = get(); err != nil {
			return
		}
	}
	t.Error("it still answers when the stream has ended")
}

// TestBadAddress: what is no address is bad input; one in use is a failure.
func TestBadAddress(t *testing.T) {
	if _, err := metrics.Serve(t.Context(), "nowhere", &stream.Monitor{}); !fault.IsInput(err) {
		t.Errorf("%v", err)
	}
	address, err := metrics.Serve(t.Context(), "127.0.0.1:0", &stream.Monitor{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := metrics.Serve(t.Context(), address, &stream.Monitor{}); err == nil ||
		fault.IsInput(err) {
		t.Errorf("%v", err)
	}
}
