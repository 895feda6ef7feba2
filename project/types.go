package project

import (
	"time"

	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/project/store"
)

// State is a project as a person sees it. It is small, and made anew at each event.
type State struct {
	ID        string   `json:"id" doc:"name of the project in addresses"`
	Data      string   `json:"data" doc:"the data as they were named"`
	Kind      string   `json:"kind" enum:"image,text,series,fields,none" doc:"how an object is shown"`
	Rows      int      `json:"rows" doc:"objects that take part"`
	Method    string   `json:"method"`
	Links     bool     `json:"links" doc:"the method takes links, so that groups can be merged, split and moved to"`
	Title     string   `json:"title" doc:"what the method does, in a line"`
	Clusters  int      `json:"clusters" doc:"groups as they stand"`
	Numbered  bool     `json:"numbered" doc:"a number of groups may be stated, as clusters of stateLinks"`
	Uncertain bool     `json:"uncertain" doc:"there may well be fewer or more groups, so that certainties are not of how many there are"`
	Hues      []int    `json:"hues" doc:"colour of each group, as an index from 0: it stays with a group while the numbers, which go by size, change"`
	Remarks   []string `json:"remarks" doc:"what the method says of the groups as they stand, in sentences"`
	Masses    bool     `json:"masses" doc:"the groups as they stand come with masses"`
	Trace     bool     `json:"trace" doc:"of the fit it is known how it went"`
	Model     bool     `json:"model" doc:"the groups as they stand make a model that places new rows"`

	Settings map[string]string `json:"settings" doc:"what decides the questions, by the names of the command's flags; parameters of the method that are not given have their default, or nothing where it follows from the data"`
	Notes    []string          `json:"notes" doc:"what was chosen or noticed, in sentences"`

	Revision int64  `json:"revision" doc:"number of the last event of the project; it only grows"`
	Fitted   int64  `json:"fitted" doc:"revision that groups, map and doubts are of"`
	Layout   string `json:"layout" doc:"of the map that keeps neighbours best and is ready, as map/info and map/points take it; empty: the first"`
	Fitting  bool   `json:"fitting" doc:"a fit is running"`
	Failed   string `json:"failed,omitempty" doc:"what ended the last fit"`

	Answers   int    `json:"answers" doc:"answers in effect, of everyone; a step of several links, such as the moving of objects, is one"`
	Stated    int    `json:"stated" doc:"links that these state, each of a step of several"`
	Mine      int    `json:"mine" doc:"answers in effect of the person who asks, counted alike"`
	Likely    int    `json:"likely" doc:"further answers that are likely to settle the groups"`
	Least     int    `json:"least" doc:"what may well be as much as likely: from so many"`
	Upto      int    `json:"upto" doc:"to so many; 0 where they may be more than can be said"`
	Most      int    `json:"most" doc:"further answers at most; a guess where estimated"`
	Estimated bool   `json:"estimated" doc:"neither number is a bound, as answers may raise new questions"`
	Endless   bool   `json:"endless" doc:"questions come as long as anybody answers: likely and most say how many there are, not how many are needed; the same all through a project"`
	Settled   bool   `json:"settled" doc:"more answers are unlikely to change the groups, or nothing is left to ask"`
	Changed   string `json:"changed,omitempty" doc:"what the last answer changed, in a sentence"`

	CanUndo bool `json:"canUndo" doc:"the person has a step to take back"`
	CanRedo bool `json:"canRedo"`

	Skipped        int      `json:"skipped" doc:"pairs that the person put off"`
	Bad            int      `json:"bad" doc:"objects left out as bad data"`
	Contradictions int      `json:"contradictions" doc:"answers kept as doubt because they clash with others"`
	Disagreements  int      `json:"disagreements" doc:"pairs that people, or one person twice, answered differently"`
	People         []Person `json:"people" doc:"who answered, the busiest first"`
	Sharing        Sharing  `json:"sharing"`
}

// Count returns how many answers are in effect, of everyone.
func (s *State) Count() store.Tally { return store.Tally{Answers: s.Answers, Links: s.Stated} }

// Person is someone who answers.
type Person struct {
	Name        string   `json:"name"`
	Answers     int      `json:"answers" doc:"answers in effect; a step of several links is one"`
	Stated      int      `json:"stated" doc:"links that these state, each of a step of several"`
	Shared      int      `json:"shared" doc:"pairs that others answered, too"`
	Agreement   *float64 `json:"agreement,omitempty" doc:"share of those in which the answers are the same, in [0, 1]"`
	Repeated    int      `json:"repeated" doc:"questions asked a second time"`
	Consistency *float64 `json:"consistency,omitempty" doc:"share of those answered as before, in [0, 1]"`
	Reliability float64  `json:"reliability" doc:"belief in what the person says, in (0, 1]; discounts it where sharing.discount is set"`
	Active      bool     `json:"active" doc:"has the page open"`
}

// Sharing sets how questions are spread over people. The zero value asks each pair once.
type Sharing struct {
	Overlap  float64 `json:"overlap" minimum:"0" maximum:"1" doc:"share of a person's questions that are ones others answered"`
	Repeat   float64 `json:"repeat" minimum:"0" maximum:"1" doc:"share of a person's questions that are ones they answered before"`
	Discount bool    `json:"discount" doc:"answers count by the reliability of who gave them (belief discounting)"`
}

// Question is a pair that a person is asked about.
type Question struct {
	Number     int                `json:"number" doc:"from 1 for the person's first"`
	A          input.Card         `json:"a"`
	B          input.Card         `json:"b"`
	Fields     []input.Difference `json:"fields,omitempty" doc:"the fields of both, marked where they differ"`
	Why        string             `json:"why" doc:"why this pair is asked about, as a clause"`
	Source     string             `json:"source" enum:"method,skipped,overlap,repeat" doc:"the method's own question, one put off before, one that others answered, or one asked again"`
	Candidates *Candidates        `json:"group,omitempty" doc:"of evclus and kevclus: the uncertain object with one reference a cluster"`
	Moot       *Moot              `json:"moot,omitempty" doc:"of the pair that the page has on the screen: its answer is no longer needed"`
	SettledBy  []string           `json:"settledBy,omitempty" doc:"of one ahead: answers to the question of the turn that settle this one, too, so that it does not follow them"`
}

// Moot is why the answer to a question on a screen is no longer needed.
type Moot struct {
	Words  string `json:"words" doc:"a sentence"`
	Closed bool   `json:"closed,omitempty" doc:"an answer is refused; else it counts like any other"`
}

// Candidates are the clusters that an uncertain object (A of its question) may belong to, with the
// objects that stand for clusters.
type Candidates struct {
	May        []int       `json:"may" doc:"clusters that the object may belong to"`
	Outlier    bool        `json:"outlier" doc:"it seems to belong to none"`
	References []Reference `json:"references" doc:"the nearest first"`
	Ask        int         `json:"ask" doc:"index of the reference that is B of the question"`
}

// Reference stands for a cluster.
type Reference struct {
	Card          input.Card         `json:"card"`
	Cluster       int                `json:"cluster" doc:"from 1"`
	Dissimilarity float64            `json:"dissimilarity"`
	Answered      string             `json:"answered,omitempty" enum:"same,different,unknown" doc:"what is known of it and the object already"`
	Fields        []input.Difference `json:"fields,omitempty" doc:"the fields of the object and of it, marked where they differ"`
}

// Turn is what a person is to do next.
type Turn struct {
	Question *Question  `json:"question,omitempty" doc:"missing at the end"`
	Ahead    []Question `json:"ahead" doc:"questions likely to follow, to be loaded before they are needed or while the server is away"`
	Done     string     `json:"done,omitempty" doc:"why there is no question, in a sentence"`
}

// Reply is what the project makes of a step.
type Reply struct {
	Event Event `json:"event"`
	State State `json:"state"`
	Turn  Turn  `json:"turn"`
}

// Event is one step in the history of a project.
type Event struct {
	Seq      int64     `json:"seq" doc:"order in the project, from 1"`
	ID       string    `json:"id,omitempty" doc:"as the client named it"`
	At       time.Time `json:"at"`
	Who      string    `json:"who,omitempty"`
	Step     string    `json:"step" enum:"same,different,unknown,undo,redo,skip,bad,name,drop,groups" doc:"an answer, or what else was done"`
	A        *Object   `json:"a,omitempty" doc:"what it is about"`
	B        *Object   `json:"b,omitempty"`
	Question int       `json:"question,omitempty" doc:"number of the question on the screen; 0 for what was not asked"`
	Why      string    `json:"why,omitempty" doc:"why it was asked"`
	Target   int64     `json:"target,omitempty" doc:"event that it takes back, brings back or replaces"`
	Batch    int64     `json:"batch,omitempty" doc:"first event of those given together"`
	Doubt    bool      `json:"doubt,omitempty" doc:"kept as doubt, as it clashes with others"`
	Repeat   bool      `json:"repeat,omitempty" doc:"asked a second time"`
	Text     string    `json:"text,omitempty" doc:"of name: the name of the group"`
	Clusters int       `json:"clusters,omitempty" doc:"groups that the method finds from this step on"`
	First    int64     `json:"first,omitempty" doc:"in the history: first event of a step of several that it is of, takes back or brings back"`
	Last     int64     `json:"last,omitempty" doc:"and the last"`
	InEffect bool      `json:"inEffect" doc:"false when taken back, dropped or replaced"`
}

// Object is a row by number and id. Row is −1 for one that is not among the data now.
type Object struct {
	Row int    `json:"row"`
	ID  string `json:"id"`
}

// Cluster is a group of objects as they stand.
type Cluster struct {
	Cluster   int          `json:"cluster" doc:"number, from 1, the largest first"`
	Hue       int          `json:"hue" doc:"as in State.hues"`
	Names     []string     `json:"names" doc:"given by people; several when named groups were joined"`
	Suggested string       `json:"suggested,omitempty" doc:"of texts: a name from their keywords, for where people gave none"`
	Size      int          `json:"size"`
	Doubtful  int          `json:"doubtful" doc:"members whose certainty is below a half"`
	Medoid    input.Card   `json:"medoid"`
	Members   []input.Card `json:"members" doc:"some members, the most typical first"`
	Traits    []Trait      `json:"traits" doc:"what tells it from the rest, the most telling first"`
}

// Trait is a feature in which a group differs from the others.
type Trait struct {
	Words   string  `json:"words" doc:"the difference in words and in the data's own units"`
	Feature string  `json:"feature"`
	Inside  float64 `json:"inside" doc:"mean over the group; of words the share of texts that have it"`
	Outside float64 `json:"outside" doc:"mean over the other objects"`
	Effect  float64 `json:"effect" doc:"difference in pooled standard deviations; of words in shares of texts"`
}

// Member is an object with its place in the groups.
type Member struct {
	Card      input.Card `json:"card"`
	Cluster   int        `json:"cluster" doc:"from 1; 0: none"`
	Certainty float64    `json:"certainty" doc:"in [0, 1]; below a half the object is doubtful: another group is hardly farther away, or in a credal partition it is between groups or like none"`
	Others    []int      `json:"others,omitempty" doc:"other clusters that it may belong to, the likeliest first"`
	Outlier   bool       `json:"outlier,omitempty"`
	Bad       bool       `json:"bad,omitempty" doc:"left out as bad data"`
	Why       string     `json:"why" doc:"in words, as in: group 1 or 3, not 2"`
	Masses    []Mass     `json:"masses,omitempty" doc:"where the groups come with masses, the largest first"`
	Answers   []Event    `json:"answers,omitempty" doc:"answers in effect about it; of one object only"`
}

// Mass is the belief that goes to exactly a set of clusters.
type Mass struct {
	Clusters []int   `json:"clusters" doc:"none: it belongs to no cluster"`
	Mass     float64 `json:"mass"`
	Words    string  `json:"words" doc:"as in: group 1 or 3"`
}

// Clash is a contradiction: an answer, and the chain of others from which its opposite follows.
type Clash struct {
	Answer  Event        `json:"answer" doc:"the one that is kept, or was refused (seq 0)"`
	Chain   []Event      `json:"chain" doc:"links from a to b that say the opposite; seq 0 for links given with the data"`
	Objects []input.Card `json:"objects" doc:"all objects named, in the order of the chain"`
	Words   string       `json:"words" doc:"as in: 12 = 40, 40 = 7, but 12 ≠ 7"`
	Weighed bool         `json:"weighed" doc:"the answer counts where it is kept, beside those of the chain"`
}

// Dispute is a pair that was answered in different ways.
type Dispute struct {
	A       input.Card `json:"a"`
	B       input.Card `json:"b"`
	Answers []Event    `json:"answers"`
	Counts  string     `json:"counts" enum:"same,different,unknown" doc:"what the pair counts as"`
}

// Guess is what the groups so far imply of a pair.
type Guess struct {
	Same  float64 `json:"same" doc:"in [0, 1]"`
	Words string  `json:"words"`
}

// Pair is a link that a client states.
type Pair struct {
	A    int    `json:"a" minimum:"0" doc:"row"`
	B    int    `json:"b" minimum:"0" doc:"row"`
	Link string `json:"link" enum:"same,different,unknown"`
}

// Link is what counts of a pair, after all answers.
type Link struct {
	A            Object  `json:"a"`
	B            Object  `json:"b"`
	Link         string  `json:"link" enum:"same,different,unknown"`
	Plausibility float64 `json:"plausibility" doc:"confidence in the link, in (0, 1]"`
	Source       string  `json:"source" doc:"who answered; empty for links given with the data"`
}
