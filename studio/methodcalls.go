package studio

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/kindred-go/kindred/ask/strategy"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/project/input"
)

type (
	// Method is a method that a project can be begun with, or go on under.
	Method struct {
		Name           string   `json:"name" doc:"as the setting method takes it"`
		Title          string   `json:"title"`
		Source         string   `json:"source" doc:"where it is described"`
		Default        string   `json:"default" doc:"what it does when nothing is said, as a clause"`
		NeedsClusters  bool     `json:"needsClusters" doc:"it must be told the number of groups, by the setting clusters"`
		Clusters       bool     `json:"clusters" doc:"the setting clusters means something to it"`
		Dissimilarity  bool     `json:"dissimilarity" doc:"it takes dissimilarities, and so objects that are no vectors"`
		Masses         bool     `json:"masses" doc:"it gives masses, or memberships as masses"`
		Strategic      bool     `json:"strategic" doc:"it has no questions of its own: a strategy asks for it"`
		SuperInstances bool     `json:"superInstances" doc:"it asks about super-instances, as many as the setting super-instances says"`
		Takes          []string `json:"takes" doc:"settings that mean something to it, besides those of reading data"`
		// of Takes, those that are its own
		Params []param.Schema `json:"params" doc:"its parameters, which are settings of the same names, with their ranges and defaults"`
	}
	// Strategy is a way to choose questions for a method that has none of its own.
	Strategy struct {
		Name          string `json:"name" doc:"as the setting strategy takes it"`
		Title         string `json:"title" doc:"what it asks about, as a clause"`
		NeedsClusters bool   `json:"needsClusters" doc:"it must be told the number of groups"`
		NeedsMasses   bool   `json:"needsMasses" doc:"the method must give masses"`
		Refits        bool   `json:"refits" doc:"the groups are found anew before each question"`
	}
	// Methods are the methods that ask.
	Methods struct {
		Methods    []Method   `json:"methods" doc:"by name"`
		Strategies []Strategy `json:"strategies"`
		Settings   []Setting  `json:"settings" doc:"the settings of reading data and of what is known before, whatever the method"`
	}
	// Setting is the declaration of a setting.
	Setting struct {
		param.Schema
		Part input.Part `json:"part" enum:"reading,preparing,comparing,knowledge" doc:"what it is about: how data become a table, how that becomes a matrix, what is compared, and what is known before"`
	}
)

// methodCalls registers what a project can be begun with.
func (s *Server) methodCalls(api huma.API) {
	operation(s, api, call("listMethods", "GET /methods", "server",
		"The methods that ask, and the strategies", "Where no strategy is given it is minmax with a "+
			"number of groups, and farthest-first without."),
		func(context.Context, *struct{}) (*body[Methods], error) {
			return &body[Methods]{askingMethods()}, nil
		})
}

func askingMethods() Methods {
	given := Methods{Methods: []Method{}, Strategies: []Strategy{}, Settings: []Setting{}}
	for _, p := range input.New().General() {
		if input.OwnersAlone(p.Name) {
			continue
		}
		given.Settings = append(given.Settings, Setting{p.Schema(), input.PartOf(p.Name)})
	}
	for _, m := range all.List() {
		if !m.Asks() {
			continue
		}
		params := m.Params()
		takes := []string{"links", "labelled-per-class", "labelled-share", "oracle-errors",
			"oracle-unknowns"}
		if m.Dissimilarity {
			takes = append(takes, "metric", "dissimilarity", "labels", "text", "series", "band",
				"edit-cost")
		}
		for _, p := range params {
			takes = append(takes, p.Name)
		}
		given.Methods = append(given.Methods, Method{
			Name: m.Name, Title: m.Title, Source: m.Source, Default: input.Defaults(params, nil),
			NeedsClusters: m.NeedsClusters, Clusters: m.Takes("clusters"),
			Dissimilarity: m.Dissimilarity, Masses: m.Masses, Strategic: m.Strategic(),
			SuperInstances: m.Takes("super-instances"), Takes: takes,
			Params: param.Schemas(params),
		})
	}
	for _, s := range strategy.List() {
		given.Strategies = append(given.Strategies, Strategy{Name: s.Name, Title: s.Title,
			NeedsClusters: s.NeedsClusters, NeedsMasses: s.NeedsMasses, Refits: s.Refits})
	}
	return given
}
