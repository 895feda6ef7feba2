package studio

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/project"
)

type (
	// Placement is an object's place in the partition.
	Placement struct {
		ID      string `json:"id"`
		Cluster int    `json:"cluster" doc:"from 1; 0: none"`
		Lower   []int  `json:"lower,omitempty" doc:"where there are masses: the cluster that it surely belongs to"`
		Upper   []int  `json:"upper,omitempty" doc:"where there are masses: clusters that it may belong to"`
		Outlier bool   `json:"outlier,omitempty" doc:"where there are masses: it seems to belong to none"`
	}
	// Partition is a part of the partition.
	Partition struct {
		Rows     []Placement `json:"rows"`
		Total    int         `json:"total"`
		Revision int64       `json:"revision" doc:"that it is of"`
	}
	// Belief is an object's mass function.
	Belief struct {
		ID   string    `json:"id"`
		Mass []float64 `json:"mass" doc:"one value a focal set; they sum to 1"`
	}
	// Masses is a part of the credal partition.
	Masses struct {
		Focal    [][]int  `json:"focal" doc:"focal sets by their clusters, from 1"`
		Rows     []Belief `json:"rows"`
		Total    int      `json:"total"`
		Revision int64    `json:"revision" doc:"that they are of"`
	}
)

// resultCalls registers what comes out of a project.
func (s *Server) resultCalls(api huma.API) {
	type inRows struct {
		InProject
		Offset int `query:"offset" minimum:"0" default:"0" doc:"rows to pass over"`
		Limit  int `query:"limit" minimum:"1" maximum:"10000" default:"1000" doc:"rows at most"`
	}
	show(s, api, call("partition", "GET /projects/{p}/partition", "results",
		"The group of each object"),
		func(ctx context.Context, v visit, in *inRows) (Partition, error) {
			out, revision, err := v.Outcome(ctx)
			if err != nil {
				return Partition{}, err
			}
			n := len(out.Labels)
			page := Partition{Rows: []Placement{}, Total: n, Revision: revision}
			first := min(in.Offset, n)
			end := first + min(in.Limit, n-first)
			var rough *credal.Rough // of these rows
			if all := out.Credal; all != nil {
				f := len(all.Focal)
				rough = (&credal.Partition{Clusters: all.Clusters, Focal: all.Focal,
					Mass: all.Mass[first*f : end*f]}).Rough()
			}
			for row := first; row < end; row++ {
				p := Placement{ID: v.Data().ID(row), Cluster: out.Labels[row]}
				if rough != nil {
					at := row - first
					p.Lower, p.Upper = rough.Lower(at).Clusters(), rough.Upper[at].Clusters()
					p.Outlier = rough.Outlier[at]
				}
				page.Rows = append(page.Rows, p)
			}
			return page, nil
		})
	show(s, api, call("masses", "GET /projects/{p}/masses", "results",
		"The mass function of each object, of a method that gives masses"),
		func(ctx context.Context, v visit, in *inRows) (Masses, error) {
			out, revision, err := v.Outcome(ctx)
			if err != nil {
				return Masses{}, err
			}
			if out.Credal == nil {
				return Masses{}, kindNotFound.problem("the method gives no masses",
					"go on under a method that gives masses, such as evclus")
			}
			p := out.Credal
			page := Masses{Focal: [][]int{}, Rows: []Belief{}, Total: p.Len(), Revision: revision}
			for _, set := range p.Focal {
				page.Focal = append(page.Focal, append([]int{}, set.Clusters()...))
			}
			first := min(in.Offset, p.Len())
			for row := first; row < first+min(in.Limit, p.Len()-first); row++ {
				page.Rows = append(page.Rows, Belief{ID: v.Data().ID(row), Mass: p.Row(row)})
			}
			return page, nil
		})
	s.exportCalls(api)
	s.pictureCalls(api)
}

// MapInfo reports how the map is to be read.
type MapInfo struct {
	Axes     []string    `json:"axes" doc:"what the two axes are; empty: they mean nothing"`
	Layout   string      `json:"layout" doc:"that the points are by: pca, mds or neighbours; empty: they are the columns themselves"`
	Quality  *MapQuality `json:"quality,omitempty" doc:"how well the map keeps neighbours, once that is known"`
	Rows     int         `json:"rows"`
	Sets     [][]int     `json:"sets" doc:"clusters that an ambiguous object may belong to, by the index in map/places; the first is none"`
	Revision int64       `json:"revision" doc:"that sets and map/places are of"`
}

// MapQuality reports how well a map keeps neighbours.
type MapQuality struct {
	Trustworthiness float64 `json:"trustworthiness" doc:"1 where neighbours on the map are neighbours among the rows, about 0.5 for a map at random"`
	Continuity      float64 `json:"continuity" doc:"1 where neighbours among the rows are neighbours on the map"`
	Neighbours      int     `json:"neighbours" doc:"of each row that were looked at"`
	Rows            int     `json:"rows" doc:"that were looked at: all, or a sample"`
}

// mapIn is a map of a project.
type mapIn struct {
	InProject
	Layout string `query:"layout" enum:"neighbours" doc:"the map in which nearest neighbours lie together, once it is made, which the layout of the state reports; without it, the map that is made at once"`
}

// mapOf returns the map that is asked for.
func mapOf(ctx context.Context, v visit, in *mapIn) (project.Map, error) {
	if in.Layout != "" {
		return v.NeighbourMap(ctx)
	}
	m, err := v.Map(ctx)
	if err == nil {
		v.Refine()
	}
	return m, err
}

const octets = "application/octet-stream"

// mapCalls registers the map, which is binary: a million objects are 14 MB instead of 60.
func (s *Server) mapCalls(api huma.API) {
	show(s, api, call("mapInfo", "GET /projects/{p}/map/info", "map", "How the map is to be read"),
		func(ctx context.Context, v visit, in *mapIn) (MapInfo, error) {
			m, err := mapOf(ctx, v, in)
			if err != nil {
				return MapInfo{}, err
			}
			places, err := v.Places(ctx)
			if err != nil {
				return MapInfo{}, err
			}
			info := MapInfo{Axes: m.Axes[:], Layout: string(m.Layout), Rows: len(m.Points) / 2,
				Sets: places.Sets, Revision: places.Revision}
			if q := m.Quality; q.Neighbours > 0 {
				info.Quality = &MapQuality{q.Trustworthiness, q.Continuity, q.Neighbours, q.Objects}
			}
			return info, nil
		})
	octetsOf := func(id, path, summary, description string) huma.Operation {
		op := call(id, "GET /projects/{p}/map/"+path, "map", summary, description)
		op.Responses = sends(octets, description, binarySchema())
		return op
	}
	onProject(s, api, octetsOf("mapPoints", "points", "Where the objects are",
		"Of each row: x and y as float32, little-endian, within −1 to 1. They do not change "+
			"while the project is open."),
		func(ctx context.Context, v visit, in *mapIn) (*stream, error) {
			m, err := mapOf(ctx, v, in)
			if err != nil {
				return nil, err
			}
			return blocks("", "", len(m.Points)/2, 8, func(b []byte, row int) []byte {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(m.Points[2*row]))
				return binary.LittleEndian.AppendUint32(b, math.Float32bits(m.Points[2*row+1]))
			}), nil
		})
	places := octetsOf("mapPlaces", "places", "Where the objects stand in the groups",
		"Of each row: cluster and set as uint16, little-endian, certainty and flags as bytes. "+
			"Cluster 0 is none; set is an index into sets of map/info; certainty is 0 to 255; "+
			"flags: 1 outlier, 2 ambiguous, 4 left out as bad, 8 asked about. ETag begins with "+
			"the revision that they are of, and is the same as long as all of it is.")
	places.Responses["304"] = &huma.Response{Description: "They are as If-None-Match has them"}
	onProject(s, api, places,
		func(ctx context.Context, v visit, in *struct {
			InProject
			IfNoneMatch string `header:"If-None-Match"`
		}) (*stream, error) {
			p, err := v.Places(ctx)
			if err != nil {
				return nil, err
			}
			add := func(b []byte, row int) []byte {
				b = binary.LittleEndian.AppendUint16(b, p.Cluster[row])
				b = binary.LittleEndian.AppendUint16(b, p.Set[row])
				return append(b, p.Certainty[row], p.Flags[row])
			}
			return blocks(placesTag(p.Revision, len(p.Cluster), add), in.IfNoneMatch,
				len(p.Cluster), 6, add), nil
		})
}

// placesTag makes an entity tag of places: the revision, and letters that stand for the whole, as
// other settings or an answer that changes no group make other places of the same revision.
func placesTag(revision int64, rows int, add func(b []byte, row int) []byte) string {
	sum, block := sha256.New(), []byte(nil)
	for row := range rows {
		if block = add(block, row); len(block) > 1<<16 || row == rows-1 {
			sum.Write(block)
			block = block[:0]
		}
	}
	letters := sum.Sum(nil)[:12]
	for i, b := range letters {
		letters[i] = 'a' + b%26
	}
	return fmt.Sprintf(`"%d-%s"`, revision, letters)
}

// blocks answers with size bytes of each row, in blocks, so that a large map is never twice in
// memory.
func blocks(etag, known string, rows, size int, add func(b []byte, row int) []byte) *stream {
	return &stream{func(c huma.Context) {
		_, w := humago.Unwrap(c)
		h := w.Header()
		if etag != "" {
			h.Set("ETag", etag)
			if matches(known, etag) {
				w.WriteHeader(http.StatusNotModified)
				return
			}
		}
		h.Set("Content-Type", octets)
		h.Set("Content-Length", strconv.Itoa(rows*size))
		const most = 8192
		block := make([]byte, 0, min(rows, most)*size)
		for row := 0; row < rows; {
			block = block[:0]
			for end := min(rows, row+most); row < end; row++ {
				block = add(block, row)
			}
			if _, err := w.Write(block); err != nil {
				return // the client is gone
			}
		}
	}}
}
