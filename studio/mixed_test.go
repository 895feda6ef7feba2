package studio

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"image/color"
	"reflect"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/project"
)

// claims are texts of two matters beside a price of two levels, and a picture of each.
func claims(t *testing.T, x *studio) {
	t.Helper()
	var b strings.Builder
	b.WriteString("id,note,photo,price,kind,matter\n")
	for i := range 16 {
		note, ink := "the card was lost in the rain", color.RGBA{200, 30, 30, 255}
		if i%2 > 0 {
			note, ink = "what is the exchange rate of euro", color.RGBA{20, 60, 220, 255}
		}
		fmt.Fprintf(&b, "c%d,%s on day %d,photos/%d.png,%d,%s,%d\n", i, note, i, i, 10+80*(i/2%2)+i%3,
			[]string{"new", "old"}[i/2%2], i%2+2*(i/2%2))
		x.put(fmt.Sprintf("photos/%d.png", i), string(drawn(t, ink, i)))
	}
	x.put("claims.csv", b.String())
}

// TestMixedProjects: what stands beside columns takes part in all that a project does.
func TestMixedProjects(t *testing.T) {
	for column, settings := range map[string][]string{
		"note":  {"text", "note"},
		"photo": {"images", "photo"},
	} {
		t.Run(column, func(t *testing.T) {
			x := open(t, Config{})
			claims(t, x)
			p := x.begin("claims.csv", append(settings, "features", "price,kind", "label", "matter",
				"id", "id", "column-weights", column+"=2", "super-instances", "8")...)
			other := map[string]string{"note": "photo", "photo": "note"}[column]
			notes := strings.Join(into[project.State](x.get(p).wants(200)).Notes, "; ")
			if !strings.Contains(notes, "not a feature: "+other+", which") {
				t.Errorf("the notes are %q", notes)
			}
			matters := func(row int) int { return row%2 + 2*(row/2%2) }
			asked := 0
			for ; asked < 20; asked++ {
				q := into[project.Turn](x.get(p + "/turn").wants(200)).Question
				if q == nil {
					break
				}
				answer := "different"
				if matters(q.A.Row) == matters(q.B.Row) {
					answer = "same"
				}
				x.post(p+"/answers", fmt.Sprintf(`{"id":"a%d","a":%d,"b":%d,"answer":%q}`, asked, q.A.Row,
					q.B.Row, answer)).wants(200)
			}
			if asked < 4 {
				t.Errorf("%d questions", asked)
			}
			if s := x.settled(p); s.Clusters < 2 {
				t.Errorf("%d groups", s.Clusters)
			}
			x.get(p + "/doubts").wants(200)
			card := x.get(p + "/objects/3").wants(200).body
			for _, part := range []string{`"price"`, `"kind"`} {
				if !bytes.Contains(card, []byte(part)) {
					t.Errorf("the card has no %s: %s", part, card)
				}
			}
			switch column {
			case "note":
				if !bytes.Contains(card, []byte("exchange rate of euro on day 3")) {
					t.Errorf("the card has not the text: %s", card)
				}
				f := x.found(p, "q=exchange+rate&by=meaning&limit=8")
				for _, m := range f.Members {
					if m.Card.Row%2 == 0 {
						t.Errorf("row %d is found among the first by meaning", m.Card.Row)
					}
				}
				if f := x.found(p, "q=exchange"); f.Total != 8 {
					t.Errorf("%d texts are found by a word", f.Total)
				}
			default:
				if !bytes.Contains(card, []byte(`"image":true`)) {
					t.Errorf("the card has no picture: %s", card)
				}
				x.get(p + "/objects/3/picture?size=128").wants(200)
			}
			for _, m := range x.found(p, "like=3&limit=3").Members {
				if matters(m.Card.Row) != matters(3) {
					t.Errorf("row %d is among those most like row 3", m.Card.Row)
				}
			}
			if f := x.found(p, "q=old"); f.Total != 8 {
				t.Errorf("%d are found by a field", f.Total)
			}
			for file := range exports {
				x.get(p + "/exports/" + file).wants(200)
			}
			rows, err := csv.NewReader(bytes.NewReader(x.get(p + "/exports/objects.csv").body)).ReadAll()
			if err != nil || len(rows) != 17 {
				t.Fatal(len(rows), err)
			}
			groups := map[int]string{}
			for i, row := range rows[1:] {
				if before := groups[matters(i)]; before != "" && before != row[1] {
					t.Errorf("row %d is in the group %s, and others of its matter in %s", i, row[1],
						before)
				}
				groups[matters(i)] = row[1]
			}
			x.closing("claims")()
			x.post(p+"/open", "{}").wants(202)
			x.ready("claims")
			x.settled(p)
			again, err := csv.NewReader(bytes.NewReader(
				x.get(p + "/exports/objects.csv").body)).ReadAll()
			if err != nil || !reflect.DeepEqual(again, rows) {
				t.Errorf("opened again it has the groups %q, not %q, %v", again, rows, err)
			}
		})
	}
}
