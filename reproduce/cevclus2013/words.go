package cevclus2013

import (
	"context"
	"fmt"
	"strings"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/link/rule"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// groups are our groups of words: those of figure 16 are in a picture alone. They were made by what
// the words mean, before any partition was looked at. The four topics are those of table 4.
var groups = strings.Split(`computer/machine: windows dos disk drive scsi pc mac memory
computer/screen: graphics card driver video display
entertainment/sport: baseball hockey nhl league team players season games puck fans
entertainment/vehicle: car bmw honda engine dealer
science/space: nasa orbit moon lunar mars launch shuttle satellite mission solar earth
science/medicine: disease patients doctor medicine vitamin cancer
controversial/religion: god jesus bible christian religion
controversial/politics: israel jews war government gun rights law president`, "\n")

// vocabulary are the words of the columns of the newsgroups, in order.
var vocabulary = strings.Fields(`
aids baseball bible bmw cancer car card case children christian computer course data dealer disease
disk display doctor dos drive driver earth email engine evidence fact fans files food format ftp
games god government graphics gun health help hit hockey honda human image insurance israel jesus
jews launch law league lunar mac mars medicine memory mission moon msg nasa nhl number oil orbit
patients pc phone players power president problem program puck question religion research rights
satellite science scsi season server shuttle software solar space state studies system team
technology university version video vitamin war water win windows won world`)

// readings are the two readings of eq. 22, which as printed divides by the squared distance.
var readings = []dissim.Metric{dissim.Tanimoto, dissim.BinaryCorrelation}

// worded are the methods of table 7, the slowest first, and ours.
var worded = []string{cevclus, sscard, ccl, ours}

func wordKey(metric dissim.Metric, linked bool) frame.Key {
	key := frame.Key{Part: partWords, Set: news, Setting: string(metric) + ", without links"}
	if linked {
		key.Setting = string(metric) + ", with links"
	}
	return key
}

// words are the fits of table 7. A reduced run leaves CEVCLUS, the slowest, out of the second
// reading.
func (b *bench) words(g *ground) (all []frame.Unit) {
	for i, metric := range readings {
		methods := worded
		if i > 0 && b.Reduced {
			methods = worded[1:]
		}
		at := b.ground(g.Set, metric)
		for _, linked := range []bool{false, true} {
			all = append(all, frame.Unit{Key: wordKey(metric, linked), Draws: b.draws(g),
				Methods: methods,
				Do: func(ctx context.Context, key frame.Key) ([]frame.Values, error) {
					return at.byWords(ctx, methods, key.Draw, linked)
				}})
		}
	}
	return all
}

// byWords fits by each method, under as many links of the words as the paper has, or without.
func (g *ground) byWords(ctx context.Context, methods []string, draw int,
	linked bool) ([]frame.Values, error) {
	var links []link.Link
	made := 0
	if linked {
		var err error
		if links, made, err = g.wordLinks(ctx, draw); err != nil {
			return nil, err
		}
	}
	wrong := len(link.Violated(g.truth, links))
	all, err := g.runs(ctx, methods, draw, links, g.effort.bound)
	for _, values := range all {
		values["links"], values["wrong"] = float64(len(links)), float64(wrong)
		values["made"] = float64(made)
	}
	return all, err
}

// wordLinks draws as many links as the paper has from those that the groups of words make, and
// returns how many these are.
func (g *ground) wordLinks(ctx context.Context, draw int) (links []link.Link, made int, err error) {
	rules, err := rule.Read(strings.NewReader(ruled()), "groups of words")
	if err != nil {
		return nil, 0, err
	}
	m, err := rules.MatchColumns(ctx, g.X, vocabulary, g.File)
	if err != nil {
		return nil, 0, err
	}
	l, err := m.Links(ctx, paperWordLinks, g.derive("words", draw))
	if err != nil {
		return nil, 0, err
	}
	return l.Drawn, int(l.Must + l.Cannot), nil
}

// ruled returns the groups of words as rules, with commas between words: an object is in a group by
// two of its words.
func ruled() string {
	out := "least 2\n"
	for _, line := range groups {
		name, words, _ := strings.Cut(line, ":")
		out += fmt.Sprintf("%s: %s\n", name, strings.Join(strings.Fields(words), ", "))
	}
	return out
}
