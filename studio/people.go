package studio

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kindred-go/kindred/fault"
)

// person is who a request is from.
type person struct {
	name  string // "" where there is one alone
	admin bool   // may begin projects and change what holds for all
}

// longestPerson is the length of a name, in characters.
const longestPerson = 64

func newPeople(names []string) ([]person, error) {
	if len(names) == 0 {
		return []person{{admin: true}}, nil
	}
	var people []person
	seen := map[string]bool{}
	for i, name := range names {
		switch {
		case name == "" || strings.TrimSpace(name) != name:
			return nil, &fault.Input{Problem: fmt.Sprintf("%q is no name of a person", name),
				Fix: "give a name without blanks around it"}
		case utf8.RuneCountInString(name) > longestPerson:
			return nil, &fault.Input{Problem: fmt.Sprintf("the name %q is longer than %d characters", name, longestPerson), Fix: "give a shorter one"}
		case !utf8.ValidString(name) ||
			strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
			return nil, &fault.Input{Problem: fmt.Sprintf("the name %q has characters that cannot be shown", name), Fix: "leave them out"}
		case seen[name]:
			return nil, &fault.Input{Problem: fmt.Sprintf("two people are called %q", name),
				Fix: "tell them apart by their names"}
		}
		seen[name] = true
		people = append(people, person{name: name, admin: i == 0})
	}
	return people, nil
}

type personKey struct{}

func withPerson(ctx context.Context, p person) context.Context {
	return context.WithValue(ctx, personKey{}, p)
}

// asking returns who a request is from. Every handler behind the token check may rely on it.
func asking(ctx context.Context) person {
	return ctx.Value(personKey{}).(person)
}
