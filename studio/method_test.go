package studio

import (
	"testing"

	"github.com/kindred-go/kindred/desk"
)

// Going on under another method keeps the answers.
func TestOtherMethod(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris", "super-instances", "20")
	x.post(p+"/answers", `{"id":"a1","a":0,"b":60,"answer":"different"}`).wants(200)
	x.post(p+"/settings", `{"settings":{"method":"evclus","clusters":"3"}}`).wants(202)
	if l := x.ready("iris"); l.State != stateOpen || l.Method != "evclus" || l.Error != "" {
		t.Fatalf("the project is %+v", l)
	}
	if s := into[desk.State](x.get(p).wants(200)); s.Answers != 1 || s.Method != "evclus" {
		t.Errorf("the state is %+v", s)
	}
	masses := into[Masses](x.get(p + "/masses?limit=2").wants(200))
	if len(masses.Focal) < 4 || len(masses.Rows) != 2 || len(masses.Rows[0].Mass) != len(masses.Focal) {
		t.Errorf("the masses are %+v", masses)
	}
	x.post(p+"/settings", `{"settings":{"method":"cobra"}}`).wants(202)
	if l := x.ready("iris"); l.State != stateOpen || l.Method != "cobra" || l.Answers != 1 {
		t.Errorf("back again the project is %+v", l)
	}
}
