package studio

import (
	"bytes"
	"testing"
)

// The map in which neighbours lie together is asked for by its name, as are pictures of it.
func TestMapOfNeighbours(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("wine")
	if info := into[MapInfo](x.get(p + "/map/info").wants(200)); info.Layout != "pca" {
		t.Errorf("the first map is %+v", info)
	}
	info := into[MapInfo](x.get(p + "/map/info?layout=neighbours").wants(200))
	if info.Layout != "neighbours" || info.Quality == nil || info.Quality.Trustworthiness < 0.9 ||
		info.Quality.Rows != 178 {
		t.Errorf("the map of neighbours is %+v", info)
	}
	first := x.get(p + "/map/points").wants(200).body
	near := x.get(p + "/map/points?layout=neighbours").wants(200).body
	if len(near) != 178*8 || bytes.Equal(first, near) {
		t.Errorf("its points are %d bytes", len(near))
	}
	x.get(p + "/map/points?layout=round").wants(422)
	picture := x.get(p + "/exports/picture.svg?layout=neighbours").wants(200).body
	if !bytes.Contains(picture, []byte("trustworthiness")) {
		t.Error("a picture of it says nothing of how it keeps neighbours")
	}
	x.get(p + "/exports/picture.svg?layout=round").wants(422)
}
