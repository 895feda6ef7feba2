package studio

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/input"
)

// Problem is what an answer holds when a request fails (RFC 9457, application/problem+json).
type Problem struct {
	Type   string              `json:"type" doc:"its kind: an address that explains it, or about:blank"`
	Title  string              `json:"title" doc:"the kind in words"`
	Status int                 `json:"status" doc:"HTTP status"`
	Detail string              `json:"detail" doc:"what is wrong, in a sentence for people"`
	Fix    string              `json:"mend,omitempty" doc:"what to do about it"`
	Clash  *project.Clash      `json:"clash,omitempty" doc:"the answer and the chain that contradicts it"`
	Errors []*huma.ErrorDetail `json:"errors,omitempty" doc:"places in the request that are wrong"`
	// settings are named in a sentence as flags of the command
	Settings []string `json:"settings,omitempty" doc:"that the sentences name: one of them is to be changed, as a rule"`
	Request  string   `json:"request,omitempty" doc:"name of the request, as in the header X-Request-Id and in the log of the server"`
	Parts    *Parts   `json:"parts,omitempty" doc:"of the file that could not be read, where it has some and they are known"`
}

// Error returns the sentence.
func (p *Problem) Error() string { return p.Detail }

// GetStatus returns the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType returns the media type of a problem.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// problemBase is where kinds of problems are explained.
const problemBase = "/api/v1/problems/"

// problemKind is a kind of problem that a client may want to distinguish.
type problemKind struct {
	Name, Title string
	Status      int
	Meaning     string
}

// The kinds of problems.
var (
	kindInput = problemKind{"input", "The input is wrong", http.StatusUnprocessableEntity,
		"Something in the request or in the data cannot be. The detail says what, and fix what " +
			"to do about it."}
	kindRequest = problemKind{"request", "The request is wrong", http.StatusBadRequest,
		"The request is not as the API describes it. The errors name the places."}
	kindContradiction = problemKind{"contradiction", "The answer contradicts others",
		http.StatusConflict, "The opposite follows from other answers; clash shows the chain. " +
			"Nothing was kept. Send it again with keep: true, and the same id, to keep it as " +
			"doubt, or edit or drop one of the chain."}
	kindStale = problemKind{"stale", "Something changed meanwhile", http.StatusConflict,
		"The step builds on what is no longer so, as when another tab answered the same pair " +
			"otherwise. With If-Match, the status is 412. Read the state and decide again."}
	kindReused = problemKind{"reused", "The id is that of another step", http.StatusConflict,
		"A step with this id is there already, and it is another one. Nothing of the request was " +
			"kept. Make a new id for each step; send one again under its id only as it was."}
	kindNotFound = problemKind{"not-found", "There is no such thing", http.StatusNotFound,
		"The project, object, group or event does not exist."}
	kindClosed = problemKind{"closed", "The project is not open", http.StatusConflict,
		"Open it by POST /api/v1/projects/{p}/open, and wait until its state is open."}
	kindOpening = problemKind{"opening", "The project is being opened",
		http.StatusConflict,
		"Data are read, or a first fit runs. Ask again after the seconds that Retry-After says, or " +
			"follow /api/v1/projects/{p}/events."}
	kindToken = problemKind{"token", "The token is missing or wrong",
		http.StatusUnauthorized,
		"Send the header Authorization: Bearer TOKEN, with the token that kindred token prints."}
	kindForbidden = problemKind{"forbidden", "The request is not allowed", http.StatusForbidden,
		"It comes from another site, calls the server by a strange name, or is kept for the " +
			"first of the people."}
	kindNothing = problemKind{"nothing", "There is nothing to do", http.StatusConflict,
		"There is no step to take back, or none to bring back."}
	kindBusy = problemKind{"busy", "Too much at once", http.StatusTooManyRequests,
		"Wait for the seconds that Retry-After says."}
)

// problemKinds are all kinds, in the order of the documentation.
var problemKinds = append([]problemKind{kindInput, kindRequest, kindContradiction, kindStale,
	kindReused, kindNotFound, kindClosed, kindOpening, kindToken, kindForbidden, kindNothing, kindBusy},
	troubleKinds()...)

// troubleKinds are the kinds of trouble with files.
func troubleKinds() (kinds []problemKind) {
	for _, c := range fault.Classes() {
		kinds = append(kinds, troubleKind(c))
	}
	return kinds
}

// troubleOf returns the type of the problem that an error is, and what to do about it, where it is
// trouble with files.
func troubleOf(err error) (kind, fix string) {
	class, ok := fault.Of(err)
	if !ok {
		return "", ""
	}
	return problemBase + string(class.Kind), class.Fix
}

func troubleKind(c fault.Class) problemKind {
	return problemKind{string(c.Kind), c.Title, c.Status, c.Meaning}
}

// problem returns a problem of a kind.
func (k problemKind) problem(detail, fix string) *Problem {
	return &Problem{Type: problemBase + k.Name, Title: k.Title, Status: k.Status, Detail: detail,
		Fix: fix, Settings: settingsIn(detail, fix)}
}

// flags are those of the command in a sentence.
var flags = regexp.MustCompile(`(?:^|[^\w-])(?:--([a-z][a-z0-9-]*[a-z0-9])|-(k))\b`)

// settingNames are the names of all settings.
var settingNames = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, p := range input.New().Declared() {
		names[p.Name] = true
	}
	return names
})

// settingsIn returns the settings that sentences name by their flags, each once, in their order.
func settingsIn(sentences ...string) (names []string) {
	for _, text := range sentences {
		for _, found := range flags.FindAllStringSubmatch(text, -1) {
			name := found[1]
			if found[2] != "" {
				name = "clusters"
			}
			if settingNames()[name] && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// plain returns a problem of no kind.
func plain(status int, title, detail, fix string) *Problem {
	return &Problem{Type: "about:blank", Title: title, Status: status, Detail: detail, Fix: fix}
}

// failedDetail is all that a client gets to know of an internal error.
const failedDetail = "something failed in kindred; its log says more"

// asProblem returns the problem for an error. That of an internal error is general; the log has
// the rest.
func asProblem(err error) *Problem {
	var (
		problem *Problem
		clash   *project.Contradiction
		in      *fault.Input
		usage   fault.Setting
		links   *link.Contradiction
		large   *http.MaxBytesError
	)
	trouble, troubled := fault.Of(err)
	switch {
	case errors.As(err, &problem):
		return problem
	case errors.As(err, &clash):
		p := kindContradiction.problem(clash.Error(),
			"send it again with keep, or change one of the chain")
		p.Clash = &clash.Clash
		return p
	case errors.Is(err, project.ErrStale):
		return kindStale.problem(sentence(err),
			"look at the project as it is now, and decide again")
	case errors.Is(err, project.ErrReused):
		return kindReused.problem(sentence(err), "give each step an id of its own")
	case errors.Is(err, project.ErrNotFound):
		return kindNotFound.problem(sentence(err), "look at the project as it is now: rows that "+
			"take part are numbered from 0, groups from 1")
	case errors.Is(err, project.ErrForbidden):
		return kindForbidden.problem(sentence(err), "give your own answer")
	case errors.Is(err, project.ErrNothing):
		return kindNothing.problem(sentence(err), "")
	case errors.Is(err, project.ErrClosed):
		return kindClosed.problem("the project was just closed", "open it, and try again")
	case troubled:
		return troubleKind(trouble).problem(sentence(err), trouble.Fix)
	case errors.As(err, &in):
		p := kindInput.problem(in.Error(), in.Fix)
		p.Parts = partsOf(dataset.PartsOf(err))
		return p
	case errors.As(err, &usage):
		return kindInput.problem(usage.Error(), "change the setting")
	case errors.As(err, &links):
		return kindInput.problem(links.Error(),
			"correct one of them, or keep both with --contradictions keep")
	case errors.As(err, &large):
		return plain(http.StatusRequestEntityTooLarge, "The request is too large",
			"the body has more than 1048576 bytes", "send less at once")
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return plain(http.StatusServiceUnavailable, "It was cut short",
			"the server is stopping, or it took too long", "try again")
	}
	return plain(http.StatusInternalServerError, "It failed", failedDetail, "try again")
}

// sentence returns the sentence of an error of a project.
func sentence(err error) string { return strings.TrimPrefix(err.Error(), "project: ") }

// writeProblem answers a request with a problem, outside the API's own handlers.
func writeProblem(w http.ResponseWriter, p *Problem) {
	w.Header().Set("Content-Type", p.ContentType(""))
	w.WriteHeader(p.Status)
	json.NewEncoder(w).Encode(p) // a client that is gone needs no answer
}
