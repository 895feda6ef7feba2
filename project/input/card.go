package input

// Card is an object as it is shown to a person. It never holds the true class.
type Card struct {
	Row       int       `json:"row" doc:"place among the prepared rows, from 0"`
	ID        string    `json:"id"`
	Image     bool      `json:"image,omitempty" doc:"it has a picture"`
	Width     int       `json:"width,omitempty" doc:"of the picture, in pixels"`
	Height    int       `json:"height,omitempty"`
	Text      string    `json:"text,omitempty" doc:"at most 20 000 characters"`
	Series    []float64 `json:"series,omitempty" doc:"at most 1000 points, thinned"`
	Fields    []Field   `json:"fields,omitempty" doc:"at most 60"`
	Truncated bool      `json:"truncated,omitempty" doc:"not all of the object is here"`
}

// Field is one value of an object.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value" doc:"at most 500 characters"`
	Aside bool   `json:"aside,omitempty" doc:"of a column that rows are not compared by"`
}

// Difference is a field of two objects.
type Difference struct {
	Name string `json:"name"`
	A    string `json:"a"`
	B    string `json:"b"`
	// ~ where two numbers are less than a tenth of their column's range apart
	Mark  string `json:"mark,omitempty" enum:"~,≠" doc:"≠: the values differ, ~: by little"`
	Aside bool   `json:"aside,omitempty" doc:"of a column that rows are not compared by"`

	// how far the values differ: in shares of the column's range for numbers, else 0 or 1
	Apart float64 `json:"-"`
}
