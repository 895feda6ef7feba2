package engine

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// notBeam gives where a server listens that speaks another language, as Flink's own port does.
func notBeam(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}
