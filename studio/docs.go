package studio

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

func serveDocs(mux *http.ServeMux, api huma.API) {}

func (s *Server) register(api huma.API) {}
