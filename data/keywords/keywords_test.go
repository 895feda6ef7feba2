package keywords

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

func index(t *testing.T, texts []string) *Index {
	t.Helper()
	x, err := New(t.Context(), texts, Config{})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func groups(t *testing.T, texts []string, labels []int, most int) map[int][]Keyword {
	t.Helper()
	found, err := index(t, texts).Groups(labels, most)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func terms(list []Keyword) string {
	out := make([]string, len(list))
	for i, k := range list {
		out[i] = k.Term
	}
	return strings.Join(out, ", ")
}

// TestScores works an example by hand. Each group has 4 words, so that A is 4. In group 1 red is 2
// of the 4 words, and 2 of all: ½·ln(1 + 4/2). Apple and pear are 1 of 4: ¼·ln(1 + 4/1). The pairs
// "red apple" and "red pear" are half of what red is, no more, so that red stays.
func TestScores(t *testing.T) {
	found := groups(t, []string{"red apple", "Red pear!", "blue car", "fast car"},
		[]int{1, 1, 2, 2}, 9)
	want := map[string]float64{"red": math.Log(3) / 2, "apple": math.Log(5) / 4,
		"pear": math.Log(5) / 4}
	if got := terms(found[1]); got != "red, apple, pear" {
		t.Errorf("group 1: %s", got)
	}
	for _, k := range found[1] {
		if math.Abs(k.Score-want[k.Term]) > 1e-12 {
			t.Errorf("%s: %v, not %v", k.Term, k.Score, want[k.Term])
		}
	}
	if red := found[1][0]; red.Inside != 1 || red.Outside != 0 {
		t.Errorf("%+v", red)
	}
	if got := terms(found[2]); got != "car, blue, fast" {
		t.Errorf("group 2: %s", got)
	}
}

// TestPairs: a pair stands for its words where they mostly occur together, and phrases end at a
// full stop.
func TestPairs(t *testing.T) {
	found := groups(t, []string{"my exchange rate", "the exchange rate is off",
		"exchange rate. Wrong", "card lost", "lost. Card", "a card was lost"},
		[]int{1, 1, 1, 2, 2, 2}, 2)
	if got := terms(found[1]); got != "exchange rate, off" {
		t.Errorf("group 1: %s", got)
	}
	if got := terms(found[2]); got != "card, lost" {
		t.Errorf("group 2: %s", got)
	}
}

// TestStopWordsByTheirSpread: no list has the words of this language; what lies evenly over the
// groups is none of the keywords, nor part of a pair.
func TestStopWordsByTheirSpread(t *testing.T) {
	var texts []string
	var labels []int
	for k, noun := range []string{"karte", "konto", "kurs", "adresse"} {
		for i := range 30 {
			texts = append(texts, fmt.Sprintf("die %s ist nun weg und ich will die %s zahl%d", noun,
				noun, i))
			labels = append(labels, k+1)
		}
	}
	found := groups(t, texts, labels, 9)
	for k, noun := range []string{"karte", "konto", "kurs", "adresse"} {
		if got := terms(found[k+1]); got != noun {
			t.Errorf("group %d: %s", k+1, got)
		}
	}
}

// TestTheLargestGroupHasKeywords, though nothing is much more frequent in it than among all.
func TestTheLargestGroupHasKeywords(t *testing.T) {
	texts, labels := []string{"a stray car", "a red car"}, []int{2, 2}
	for range 30 {
		texts, labels = append(texts, "the ripe apple"), append(labels, 1)
	}
	if got := groups(t, texts, labels, 1)[1]; terms(got) != "ripe apple" {
		t.Errorf("%+v", got)
	}
}

func TestFormsOfAWord(t *testing.T) {
	for pair, want := range map[[2]string]bool{
		{"charge", "charged"}: true, {"verify", "verification"}: true,
		{"currency", "currencies"}: true, {"car", "card"}: false,
		{"contactless", "connect"}: false, {"猫", "黑猫"}: true,
		{"白", "黑猫"}: false,
	} {
		if sameStem(pair[0], pair[1]) != want || sameStem(pair[1], pair[0]) != want {
			t.Errorf("%q: not %v", pair, want)
		}
	}
}

// TestNoise: rows of no group count among the others, and have no keywords.
func TestNoise(t *testing.T) {
	texts := []string{"red apple", "ripe apple", "stray", "", "blue car"}
	found := groups(t, texts, []int{1, 1, 0, -1, 2}, 3)
	if len(found) != 2 || found[1][0].Term != "apple" || found[0] != nil {
		t.Errorf("%+v", found)
	}
	if found := groups(t, texts, []int{1, 1, 1, 1, 1}, 3); len(found[1]) == 0 {
		t.Error("one group has no keywords")
	}
	if found := groups(t, []string{"", "…"}, []int{1, 2}, 3); len(found[1])+len(found[2]) != 0 {
		t.Errorf("%+v of no words", found)
	}
	if _, err := index(t, texts).Groups([]int{1}, 3); err == nil {
		t.Error("1 label for 5 texts")
	}
}

func TestNames(t *testing.T) {
	named := func(lists ...string) map[int][]Keyword {
		out := map[int][]Keyword{}
		for i, list := range lists {
			for _, term := range strings.Split(list, "/") {
				if term != "" {
					out[i+1] = append(out[i+1], Keyword{Term: term})
				}
			}
		}
		return out
	}
	got := Names(named("exchange rate/wrong", "card/lost/new", "card/lost/stolen", "", "pin",
		"exchange rate/fee", "pin"))
	want := map[int]string{1: "exchange rate", 2: "card, lost", 3: "card, lost, stolen", 5: "pin",
		6: "exchange rate, fee"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	// What few texts of the group hold does not stand first in its name, and numbers stand nowhere.
	got = Names(map[int][]Keyword{1: {{Term: "delete", Inside: 0.06}, {Term: "42", Inside: 0.4},
		{Term: "account", Inside: 0.24}, {Term: "company", Inside: 0.05}}, 2: {{Term: "7"}}})
	if want := map[int]string{1: "account, delete"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}

// TestThreads: the result is the same on any number of them.
func TestThreads(t *testing.T) {
	var texts []string
	var labels []int
	for i := range 3000 {
		texts = append(texts, fmt.Sprintf("w%d w%d w%d, v%d common", i%7, i%11, i%13, i%5))
		labels = append(labels, i%7)
	}
	var want map[int][]Keyword
	for _, threads := range []int{1, 3} {
		var last float64
		x, err := New(t.Context(), texts, Config{Threads: threads, Progress: func(share float64) {
			if share < last {
				t.Errorf("progress from %v to %v", last, share)
			}
			last = share
		}})
		if err != nil || last != 1 {
			t.Fatal(last, err)
		}
		got, err := x.Groups(labels, 5)
		if err != nil {
			t.Fatal(err)
		}
		if want != nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%d threads: %v, not %v", threads, got, want)
		}
		want = got
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(ctx, []string{"a text"}, Config{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// BenchmarkTexts reads 10⁵ texts of ten words, and finds keywords of a hundred groups.
func BenchmarkTexts(b *testing.B) {
	texts, labels := make([]string, 100_000), make([]int, 100_000)
	state := uint64(1)
	for i := range texts {
		var t strings.Builder
		for range 10 {
			state = state*6364136223846793005 + 1442695040888963407
			u := float64(state>>11) / (1 << 53)
			fmt.Fprintf(&t, "w%d ", int(20_000*u*u*u))
		}
		texts[i], labels[i] = t.String(), 1+i%100
	}
	for b.Loop() {
		x, err := New(b.Context(), texts, Config{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := x.Groups(labels, 6); err != nil {
			b.Fatal(err)
		}
	}
}

// TestStopWordsOfLanguages: texts are described without words of the grammar of their language, and
// words that mean something in it, though not in others, stay.
func TestStopWordsOfLanguages(t *testing.T) {
	for language, c := range map[string]struct{ one, two, want, not string }{
		"English": {"why has the card not arrived, and when will it be here", "what is the rate of " +
			"exchange that you use for this", "card arrived", "the not when"},
		"German": {"warum ist meine Karte nicht da, und wann kommt sie zu mir", "was ist der Kurs, " +
			"den ihr für diese Währung habt, Kind", "karte kommt kurs währung kind",
			"meine nicht die wann für diese"},
		"French": {"pourquoi ma carte n'est pas encore là, et quand est-ce que je vais l'avoir",
			"quel est le taux que vous avez pour cette devise", "carte taux devise",
			"pourquoi pas que quel vous pour"},
		"Spanish": {"por qué no ha llegado mi tarjeta y cuándo la voy a tener", "cuál es el cambio " +
			"que ustedes tienen para esta moneda", "llegado tarjeta cambio moneda", "por qué que para"},
		"Italian": {"perché la mia carta non è ancora qui e quando la posso avere", "qual è il cambio " +
			"che avete per questa valuta", "carta cambio valuta", "perché non quando che per"},
		"Dutch": {"waarom is mijn kaart nog niet hier en wanneer krijg ik die dan", "wat is de koers " +
			"die jullie voor deze munt hebben", "kaart koers munt", "waarom niet wanneer voor deze"},
		"Portuguese": {"por que o meu cartão ainda não está aqui e quando posso ter", "qual é o câmbio " +
			"que você tem para esta moeda", "cartão câmbio moeda", "por que não quando para"},
		"Polish": {"dlaczego moja karta jeszcze nie jest tutaj i kiedy może już być", "jaki jest kurs " +
			"który macie dla tej waluty", "karta kurs waluty", "nie jest kiedy który dla"},
		"Scandinavian": {"varför är mitt kort inte här och när kan jag få det", "vad är kursen som ni " +
			"har för den valutan", "kort kursen valutan", "varför inte och när som för"},
	} {
		var texts []string
		var labels []int
		for range 12 {
			texts, labels = append(texts, c.one, c.two), append(labels, 1, 2)
		}
		x := index(t, texts)
		is := map[string]bool{}
		for k, term := range x.terms[:x.pairFrom] {
			is[term] = x.stop[k]
		}
		for _, word := range strings.Fields(c.want) {
			if stop, ok := is[word]; stop || !ok {
				t.Errorf("%s: %s is a stop word (%t), or no word", language, word, stop)
			}
		}
		for _, word := range strings.Fields(c.not) {
			if stop, ok := is[word]; !stop && ok {
				t.Errorf("%s: %s is no stop word", language, word)
			}
		}
		found := groups(t, texts, labels, 9)
		if len(found[1]) == 0 || len(found[2]) == 0 {
			t.Errorf("%s: %v", language, found)
		}
	}
}
