package static_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/data/encode/static"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
)

var questions = []string{"Where is my new card?", "My card has not arrived yet.",
	"How do I change my PIN?", "I want to reset the pin number", "Is it going to rain tomorrow?",
	"what's the weather forecast", "", "!!", "どこ"}

func fitted(t testing.TB, texts []string, dims int, o encode.Options) (*static.Encoder,
	dataset.Matrix) {
	t.Helper()
	e, x, err := static.Fit(t.Context(), texts, dims, o)
	if err != nil {
		t.Fatal(err)
	}
	return e, x
}

func cosine(x dataset.Matrix, a, b int) (sum float64) {
	for j := range x.Cols {
		sum += float64(x.F32[a*x.Cols+j]) * float64(x.F32[b*x.Cols+j])
	}
	return sum
}

func TestTextsOfOneMeaningAreClose(t *testing.T) {
	_, x := fitted(t, questions, 0, encode.Options{})
	if x.Rows != len(questions) || x.Cols != 256 {
		t.Fatalf("%d × %d", x.Rows, x.Cols)
	}
	for _, i := range []int{0, 2, 4} {
		for j := range 6 {
			if j != i && j != i+1 && cosine(x, i, j) >= cosine(x, i, i+1) {
				t.Errorf("%q is nearer to %q than to %q", questions[i], questions[j],
					questions[i+1])
			}
		}
	}
	for i := range questions {
		want := 1.0
		if questions[i] == "" {
			want = 0
		}
		if got := cosine(x, i, i); math.Abs(got-want) > 1e-6 {
			t.Errorf("%q has the squared length %v, want %v", questions[i], got, want)
		}
	}
}

// TestVectorsAreRestored from what a model keeps, with any number of threads.
func TestVectorsAreRestored(t *testing.T) {
	texts := slices.Repeat(questions, 200)
	texts[7] = strings.Repeat(strings.Join(questions, " "), 40) // several passages
	for _, dims := range []int{0, 32} {
		e, x := fitted(t, texts, dims, encode.Options{Threads: 1})
		other, y := fitted(t, texts, dims, encode.Options{Threads: 3})
		if !reflect.DeepEqual(x, y) || !reflect.DeepEqual(e.Identity(), other.Identity()) {
			t.Error("the vectors depend on the threads")
		}
		text, err := json.Marshal(e.Identity())
		if err != nil {
			t.Fatal(err)
		}
		var id encode.Identity
		if err := json.Unmarshal(text, &id); err != nil {
			t.Fatal(err)
		}
		back, err := static.Restore(id)
		if err != nil {
			t.Fatal(err)
		}
		y, err = back.Encode(t.Context(), texts[:20], encode.Options{})
		if err != nil || !slices.Equal(y.F32, x.F32[:20*x.Cols]) {
			t.Errorf("%d dimensions: other vectors from the model (%v)", dims, err)
		}
	}
}

func TestDamagedIdentitiesAreRefused(t *testing.T) {
	e, _ := fitted(t, questions, 8, encode.Options{})
	for name, damage := range map[string]func(id *encode.Identity){
		"name":       func(id *encode.Identity) { id.Name = "" },
		"digest":     func(id *encode.Identity) { id.Digest = "0" },
		"dimensions": func(id *encode.Identity) { id.Dimensions, id.Common = 1000, nil },
		"common":     func(id *encode.Identity) { id.Common = id.Common[:3] },
		"a number":   func(id *encode.Identity) { id.Common = slices.Repeat([]float32{2}, 8) },
		"counts":     func(id *encode.Identity) { id.Counts = nil },
		"order":      func(id *encode.Identity) { slices.Reverse(id.Counts.Pieces) },
		"times":      func(id *encode.Identity) { id.Counts.Times[0] = 0 },
		"lengths":    func(id *encode.Identity) { id.Counts.Times = id.Counts.Times[1:] },
		"pieces": func(id *encode.Identity) {
			id.Counts.Pieces[len(id.Counts.Pieces)-1] = 1 << 20
		},
	} {
		id := e.Identity()
		id.Common = slices.Clone(id.Common)
		id.Counts = &encode.Counts{Pieces: slices.Clone(id.Counts.Pieces),
			Times: slices.Clone(id.Counts.Times)}
		damage(&id)
		var in *fault.Input
		if _, err := static.Restore(id); !errors.As(err, &in) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFitEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := static.Fit(ctx, questions, 0, encode.Options{}); !errors.Is(err,
		context.Canceled) {
		t.Error(err)
	}
}

// TestOneTextHasAVector, though it has all in common with itself.
func TestOneTextHasAVector(t *testing.T) {
	_, x := fitted(t, questions[:1], 0, encode.Options{})
	if got := cosine(x, 0, 0); math.Abs(got-1) > 1e-6 {
		t.Errorf("squared length %v", got)
	}
}

func TestKnownTellsEnglish(t *testing.T) {
	for text, english := range map[string]bool{
		"I still have not received my new card, I ordered over a week ago.":              true,
		"how would you say fly in italian":                                               true,
		"The naïve café owner's résumé, 2024":                                            true,
		"error: cannot open file '/etc/passwd': permission denied (errno 13)":            true,
		"Ich habe meine neue Karte noch nicht erhalten und vor einer Woche bestellt.":    false,
		"Je n'ai toujours pas reçu ma nouvelle carte, commandée il y a une semaine.":     false,
		"Todavía no he recibido mi nueva tarjeta, la pedí hace más de una semana.":       false,
		"Não recebi ainda o meu novo cartão, que encomendei há mais de uma semana.":      false,
		"Non ho ancora ricevuto la mia nuova carta, ordinata più di una settimana fa.":   false,
		"Ik heb mijn nieuwe kaart nog niet ontvangen, een week geleden besteld.":         false,
		"Jag har fortfarande inte fått mitt nya kort som jag beställde förra veckan.":    false,
		"Nadal nie otrzymałem nowej karty, zamówiłem ją ponad tydzień temu.":             false,
		"Я до сих пор не получил новую карту, заказал больше недели назад.":              false,
		"我还没有收到我的新卡，一个多星期前订的。":                                                           false,
		"新しいカードがまだ届きません。一週間以上前に注文しました。":                                                  false,
		"Yeni kartımı hâlâ almadım, bir haftadan fazla süre önce sipariş ettim.":         false,
		"لم أستلم بطاقتي الجديدة بعد، طلبتها منذ أكثر من أسبوع.":                         false,
		"Tôi vẫn chưa nhận được thẻ mới của mình, tôi đã đặt hàng hơn một tuần trước.":   false,
		"En ole vieläkään saanut uutta korttiani, tilasin sen yli viikko sitten.":        false,
		"Még mindig nem kaptam meg az új kártyámat, több mint egy hete rendeltem.":       false,
		"Saya masih belum menerima kartu baru saya, saya memesannya seminggu yang lalu.": false,
	} {
		share, err := static.Known(t.Context(), []string{text})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%.2f %v %s", share, english, text)
		if (share >= static.English) != english {
			t.Errorf("%.2f of %q is known", share, text)
		}
	}
}

// TestIntents expects k-means on the built-in vectors to find intents better than on words alone
// (data/lsa: .23 and .26).
func TestIntents(t *testing.T) {
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" || testing.Short() {
		t.Skip("KINDRED_DATASETS does not name a folder of data sets, or -short")
	}
	for name, least := range map[string]float64{"banking77": .30, "clinc150": .45} {
		texts, classes, groups := intents(t, filepath.Join(folder, name+".csv"))
		_, x := fitted(t, texts, 0, encode.Options{})
		var mean float64
		const seeds = 3
		for seed := range uint64(seeds) {
			found, err := kmeans.Fit(t.Context(), x, kmeans.Config{Clusters: groups,
				Options: fit.Options{Seed: seed}})
			if err != nil {
				t.Fatal(err)
			}
			labels := make([]int, x.Rows)
			for i, l := range found.Labels {
				labels[i] = int(l) + 1
			}
			report, err := eval.Compare(labels, classes)
			if err != nil {
				t.Fatal(err)
			}
			mean += report.AdjustedRand / seeds
		}
		t.Logf("%s: adjusted Rand index %.3f", name, mean)
		if mean < least {
			t.Errorf("%s: adjusted Rand index %.3f, want %v", name, mean, least)
		}
	}
}

// intents reads a file with columns id, text and intent.
func intents(t testing.TB, path string) (texts []string, classes []int, groups int) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	numbers := map[string]int{}
	for _, row := range rows[1:] {
		if numbers[row[2]] == 0 {
			numbers[row[2]] = len(numbers) + 1
		}
		texts, classes = append(texts, row[1]), append(classes, numbers[row[2]])
	}
	return texts, classes, len(numbers)
}

func BenchmarkFit(b *testing.B) {
	texts := slices.Repeat(questions[:6], 5000)
	if folder := os.Getenv("KINDRED_DATASETS"); folder != "" {
		read, _, _ := intents(b, filepath.Join(folder, "banking77.csv"))
		texts = slices.Repeat(read, 10)
	}
	fitted(b, texts[:1], 0, encode.Options{}) // reads the table
	for b.Loop() {
		fitted(b, texts, 0, encode.Options{})
	}
	b.ReportMetric(float64(len(texts)*b.N)/b.Elapsed().Seconds(), "texts/s")
}
