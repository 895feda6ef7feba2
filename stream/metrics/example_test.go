package metrics_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/kindred-go/kindred/stream"
	"github.com/kindred-go/kindred/stream/metrics"
)

// The statistics of a run are served while it lasts.
func ExampleServe() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	monitor := &stream.Monitor{} // of stream.Config
	address, err := metrics.Serve(ctx, "0", monitor)
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer answer.Body.Close()
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "kindred_stream_rows_total") {
			fmt.Println(lines.Text())
		}
	}
	// Output: kindred_stream_rows_total 0
}
