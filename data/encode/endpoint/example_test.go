package endpoint_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/data/encode/endpoint"
)

// A server of this machine, here one that knows one vector, makes vectors of texts.
func ExampleNew() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"data": [{"index": 0, "embedding": [3, 4]}]}`)
	}))
	defer server.Close()
	e, err := endpoint.New(server.URL+"/v1", endpoint.Options{Model: "small"})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err := e.Encode(context.Background(), []string{"a card"}, encode.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f %.1f of %s\n", x.At(0, 0), x.At(0, 1), e.Identity().Model)
	// Output: 0.6 0.8 of small
}
