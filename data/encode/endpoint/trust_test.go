package endpoint

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/digest"
	"github.com/kindred-go/kindred/internal/kept"
)

// TestTroubleThatLasts: what no second try can mend is reported at once.
func TestTroubleThatLasts(t *testing.T) {
	handler := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	untrusted, plain := httptest.NewTLSServer(handler), httptest.NewServer(handler)
	defer untrusted.Close()
	defer plain.Close()
	for _, c := range []struct{ address, says string }{
		{untrusted.URL, "certificate"},
		{strings.Replace(plain.URL, "http:", "https:", 1), "HTTP response to HTTPS client"},
	} {
		s := &stub{Server: &httptest.Server{URL: c.address}}
		e, pauses := s.open(t, Options{})
		_, err := e.Encode(t.Context(), texts(1), encode.Options{})
		if !fault.IsInput(err) || !strings.Contains(err.Error(), c.says) || len(*pauses) > 0 {
			t.Errorf("%v after %v", err, *pauses)
		}
	}
}

// TestKeysStaySecret: a server that repeats the key does not make it part of a message, and a key
// that cannot be sent is refused.
func TestKeysStaySecret(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ int, _ []string) bool {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"error":{"message":"the key very-secret is not valid"}}`)
		return true
	})
	e, _ := s.open(t, Options{Key: "very-secret"})
	_, err := e.Encode(t.Context(), texts(1), encode.Options{})
	if !fault.IsInput(err) || strings.Contains(err.Error(), "secret") ||
		!strings.Contains(err.Error(), "the key … is not valid") {
		t.Error(err)
	}
	_, err = New(s.URL, Options{Model: "m", Key: "very-secret\r"})
	if err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), KeyName) {
		t.Error(err)
	}
}

// TestKeptVectorsThatAreNotFinite: no server sent them, whoever wrote them.
func TestKeptVectorsThatAreNotFinite(t *testing.T) {
	s := serve(t, nil)
	file := filepath.Join(t.TempDir(), "vectors")
	e, _ := s.open(t, Options{Cache: file})
	c, err := kept.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	keys := []digest.Sum{digest.Of(e.space("text 0"))}
	nan := [][]float32{{float32(math.NaN()), 1, 2}}
	if err := c.Put(t.Context(), keys, []int{0}, nan); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	right(t, e, []string{"text 0"}, "")
	if s.sent() != 1 {
		t.Errorf("%d texts were sent", s.sent())
	}
}

// TestAModelThatChanged: where kept vectors are of another length, the message names their file.
func TestAModelThatChanged(t *testing.T) {
	file := filepath.Join(t.TempDir(), "vectors")
	longer := false
	s := serve(t, func(w http.ResponseWriter, _ int, input []string) bool {
		if longer {
			send(w, []item{{0, []float64{1, 2, 3, 4}}})
		}
		return longer
	})
	e, _ := s.open(t, Options{Cache: file})
	right(t, e, []string{"a"}, "")
	longer = true
	e, _ = s.open(t, Options{Cache: file})
	_, err := e.Encode(t.Context(), []string{"a", "b"}, encode.Options{})
	if !fault.IsInput(err) || !strings.Contains(err.Error(), "vectors that are kept in") {
		t.Error(err)
	}
}
