package intake

// Source says how DATA are read, prepared and compared.
type Source struct {
	ID, Label, Scale, Duplicates, Missing, Format string
	Features, Drop                                []string
	InflateLimit                                  int64
	Threads                                       int
}
