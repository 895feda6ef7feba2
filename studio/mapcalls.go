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
)

// MapInfo reports how the map is to be read.
type MapInfo struct {
	Axes     []string `json:"axes" doc:"what the two axes are"`
	Rows     int      `json:"rows"`
	Sets     [][]int  `json:"sets" doc:"clusters that an ambiguous object may belong to, by the index in map/places; the first is none"`
	Revision int64    `json:"revision" doc:"that sets and map/places are of"`
}

const octets = "application/octet-stream"

// mapCalls registers the map, which is binary: a million objects are 14 MB instead of 60.
func (s *Server) mapCalls(api huma.API) {
	show(s, api, call("mapInfo", "GET /projects/{p}/map/info", "map", "How the map is to be read"),
		func(ctx context.Context, v visit, _ *InProject) (MapInfo, error) {
			m, err := v.Map(ctx)
			if err != nil {
				return MapInfo{}, err
			}
			places, err := v.Places(ctx)
			if err != nil {
				return MapInfo{}, err
			}
			return MapInfo{Axes: m.Axes[:], Rows: len(m.Points) / 2, Sets: some(places.Sets),
				Revision: places.Revision}, nil
		})
	octetsOf := func(id, path, summary, description string) huma.Operation {
		op := call(id, "GET /projects/{p}/map/"+path, "map", summary)
		op.Description = description
		op.Responses = sends(octets, description, binarySchema())
		return op
	}
	onProject(s, api, octetsOf("mapPoints", "points", "Where the objects are",
		"Of each row: x and y as float32, little-endian, within −1 to 1. They do not change "+
			"while the project is open."),
		func(ctx context.Context, v visit, _ *InProject) (*stream, error) {
			m, err := v.Map(ctx)
			if err != nil {
				return nil, err
			}
			return blocks("", "", len(m.Points)/2, 8, func(b []byte, row int) []byte {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(m.Points[2*row]))
				return binary.LittleEndian.AppendUint32(b, math.Float32bits(m.Points[2*row+1]))
			}), nil
		})
	onProject(s, api, octetsOf("mapPlaces", "places", "Where the objects stand in the groups",
		"Of each row: cluster and set as uint16, little-endian, certainty and flags as bytes. "+
			"Cluster 0 is none; set is an index into sets of map/info; certainty is 0 to 255; "+
			"flags: 1 outlier, 2 ambiguous, 4 left out as bad, 8 asked about. ETag begins with "+
			"the revision that they are of, and is the same as long as all of it is."),
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
