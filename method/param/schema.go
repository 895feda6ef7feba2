package param

// Schema is a declaration as JSON has it.
type Schema struct {
	Name             string   `json:"name" doc:"as in --name"`
	Type             string   `json:"type" enum:"integer,number,boolean,choice,text,file,list" doc:"of its values, which settings have as text; a list is names as one line of CSV"`
	Help             string   `json:"help" doc:"what it is, in a line"`
	Unit             string   `json:"unit,omitempty" doc:"of the values"`
	Range            string   `json:"range" doc:"the values in words"`
	Minimum          *float64 `json:"minimum,omitempty"`
	ExclusiveMinimum *float64 `json:"exclusiveMinimum,omitempty"`
	Maximum          *float64 `json:"maximum,omitempty"`
	ExclusiveMaximum *float64 `json:"exclusiveMaximum,omitempty"`
	Span             bool     `json:"span,omitempty" doc:"it takes a range of whole numbers, too, as in 2..8"`
	Choices          []string `json:"choices,omitempty" doc:"the values; of a text or file, words that mean something of their own"`
	Default          string   `json:"default,omitempty" doc:"the value when none is given; setting it changes nothing"`
	Auto             string   `json:"auto,omitempty" doc:"how the default follows, where it is no value"`
	Example          string   `json:"example,omitempty" doc:"a good value"`
	Basic            bool     `json:"basic" doc:"one of those that people set first"`
	Formats          []string `json:"formats,omitempty" doc:"of data that it means something to; none: all"`
}

// Schema returns the declaration as JSON has it.
func (p Param) Schema() Schema {
	s := Schema{Name: p.Name,
		Type: [...]string{"integer", "number", "boolean", "choice", "text", "file",
			"list"}[p.Kind],
		Help: p.Help, Unit: p.Unit, Range: p.Range(), Span: p.Span, Choices: p.Choices,
		Default: p.Default, Auto: p.Auto, Example: p.Example, Basic: p.Basic,
		Formats: p.Formats}
	if p.Kind != Int && p.Kind != Float {
		return s
	}
	if p.Above {
		s.ExclusiveMinimum = &p.Min
	} else {
		s.Minimum = &p.Min
	}
	switch {
	case p.Max != 0 && p.Below:
		s.ExclusiveMaximum = &p.Max
	case p.Max != 0:
		s.Maximum = &p.Max
	}
	return s
}

// Schemas returns the declarations as JSON has them.
func Schemas(params []Param) []Schema {
	out := make([]Schema, len(params))
	for i, p := range params {
		out[i] = p.Schema()
	}
	return out
}
