package studio

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
)

// Every limit of the API holds what it says, and one more is refused with the limit or the reason.
func TestLimitsOfTheAPI(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris", "super-instances", "3")
	text := func(n int) string { return strings.Repeat("a", n) }
	pairs := func(n int) string {
		return strings.Repeat(`{"a":0,"b":1,"link":"same"},`, n-1) + `{"a":0,"b":1,"link":"same"}`
	}
	rows := func(n int) string { return strings.Repeat("0,", n-1) + "1" }
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, c := range []struct {
		what   string
		most   int
		status int // of one more
		ask    func(n int) reply
	}{
		{"bytes of a body", mostBody, 413, func(n int) reply {
			return x.post("/api/v1/links", `{"person":"`+text(n-len(`{"person":""}`))+`"}`)
		}},
		{"bytes of an address", mostAddress, 414, func(n int) reply {
			return x.get("/api/v1/me?x=" + text(n-len("/api/v1/me?x=")))
		}},
		{"levels of JSON", deepestJSON, 400, func(n int) reply {
			return x.post("/api/v1/links", `{"person":`+deep(n-1)+`}`)
		}},
		{"letters of the id of a step", 64, 422, func(n int) reply {
			return x.post(p+"/skips", `{"id":"`+text(n)+`","a":0,"b":1}`)
		}},
		{"letters of the name of a group", 200, 422, func(n int) reply {
			return x.post(p+"/names", fmt.Sprintf(`{"id":"n%d","row":0,"name":"%s"}`, n, text(n)))
		}},
		{"links of a step", 10_000, 422, func(n int) reply {
			return x.post(p+"/links", fmt.Sprintf(`{"id":"l%d","pairs":[%s]}`, n, pairs(n)))
		}},
		{"rows of a plan", 10_000, 422, func(n int) reply {
			return x.post(p+"/plan", `{"do":"move","to":2,"rows":[`+rows(n)+`]}`)
		}},
		{"objects of a call", mostObjects, 422, func(n int) reply {
			return x.get(p + "/objects?rows=" + rows(n))
		}},
		{"rows of a partition", 10_000, 422, func(n int) reply {
			return x.get(p + "/partition?limit=" + strconv.Itoa(n))
		}},
		{"entries of a list", 1000, 422, func(n int) reply {
			return x.get(p + "/history?limit=" + strconv.Itoa(n))
		}},
		{"letters of a search", 500, 422, func(n int) reply {
			return x.get(p + "/search?q=" + text(n))
		}},
		{"columns of a preview", 1000, 422, func(n int) reply {
			return x.post("/api/v1/preview", fmt.Sprintf(`{"data":"iris","limit":%d}`, n))
		}},
		{"letters of the name of data", 1000, 422, func(n int) reply {
			return x.post("/api/v1/preview", `{"data":"`+text(n)+`"}`)
		}},
	} {
		refused := func(r reply) bool {
			return r.status == c.status && (c.status != 422 ||
				strings.HasSuffix(into[Problem](r).Type, "/request") ||
				strings.Contains(string(r.body), strconv.Itoa(c.most)))
		}
		if r := c.ask(c.most); refused(r) || r.status >= 500 {
			t.Errorf("%d %s: %d %.300s", c.most, c.what, r.status, r.body)
		}
		if r := c.ask(c.most + 1); !refused(r) || !strings.Contains(string(r.body), `"detail"`) {
			t.Errorf("%d %s: %d %.300s", c.most+1, c.what, r.status, r.body)
		}
	}
}

func TestLimitsOfPeople(t *testing.T) {
	names := make([]string, mostPeople+1)
	for i := range names {
		names[i] = fmt.Sprint("p", i)
	}
	for _, c := range []struct {
		most, more []string
	}{
		{names[:mostPeople], names},
		{[]string{strings.Repeat("é", longestPerson)},
			[]string{strings.Repeat("é", longestPerson+1)}},
	} {
		if _, err := newPeople(c.most); err != nil {
			t.Errorf("at the limit: %v", err)
		}
		if _, err := newPeople(c.more); !fault.IsInput(err) {
			t.Errorf("one beyond: %v", err)
		}
	}
}
