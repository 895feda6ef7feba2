package input

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/data/images"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/data/sample"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/dburl"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method/param"
)

// Source reports how DATA are read, prepared and compared; its fields are what the flags of the
// same names set. The zero value can read; preparing needs the defaults that [Source.Flags] and
// [Source.CompareFlags] set.
type Source struct {
	ID, Label, Scale, Duplicates, Missing, Format string
	Features, Drop                                []string
	Delimiter, Decimal, Encoding, DateOrder       string
	NA, Types                                     []string // Types as column=type
	Dates                                         string
	Vectors                                       string // column of lists of numbers
	Sheet, Table, Query                           string // part of DATA, as in dataset.ReadOptions
	InflateLimit                                  int64  // bytes; 0: [dataset.DefaultInflateLimit]
	Threads                                       int    // 0: one a processor
	// lists are read as texts, whether or not a column of them is compared
	AsTexts bool
	// features that are all numbers or booleans are not scaled by default
	Unscaled bool

	Metric               string
	Text, Series, Images string // column of texts, of lists of numbers, or of paths of pictures
	Embedding            string // file of vectors of the rows
	EncoderModel         string // of an endpoint of Encoder
	EncoderPrompt        string // before each text, or its name; "": the encoder's own
	EncoderCache         string // file of vectors from an endpoint; "": the usual one
	AllowRemote          bool   // an endpoint may be on another machine
	Encoder              string // what makes vectors of texts; "": the texts decide
	ImageFeatures        string // what is seen of pictures, as images.Kinds; "": the first
	Dimensions           int    // of the vectors that texts or pictures become; 0: as many as suit
	Square               bool   // the data are a matrix of dissimilarities
	Labels               string // of a matrix: file of true classes
	Pictures             string // of a matrix: folder of pictures, or file of their names
	Band                 int
	EditCost             float64

	Levels        int      // most columns that a category becomes; 0: dataset.DefaultLevels
	ColumnWeights []string // as column=weight
	// texts and roles as the first edition took them, see dataset.ReadOptions
	Plain bool

	earlier      bool // defaults as in dataset.ReadOptions.Earlier
	sharp        bool // as in dataset.Preparation.Earlier
	scaled       bool // features are scaled by default even where they are an embedding
	unit         bool // rows are brought to length 1
	apart        bool // texts and pictures are compared alone, whatever Features are
	categories   bool // are compared where they stand beside texts, see readingTexts
	usualEncoder bool // Encoder was not given: it follows from the texts, or from the age of a project
	exact        bool // pictures are decoded whole
	uncounted    bool // rows that equal others are not counted

	known  map[string]dataset.Type // of columns that a model has
	assume dataset.Reading         // of the text that a model was made from
}

// Reading returns the settings of reading alone, for other files of the same kind.
func (s Source) Reading() Source {
	return Source{ID: s.ID, Format: s.Format, InflateLimit: s.InflateLimit, Threads: s.Threads,
		Delimiter: s.Delimiter, Decimal: s.Decimal, Encoding: s.Encoding, DateOrder: s.DateOrder,
		NA: s.NA, Types: s.Types, Plain: s.Plain}
}

// ReadingFlags adds the flags for reading columns that are known.
func (s *Source) ReadingFlags(fs *pflag.FlagSet) {
	declare(fs, s.declareReading)
}

// Flags adds the flags for reading and preparing.
func (s *Source) Flags(fs *pflag.FlagSet) {
	declare(fs, s.declareReading, s.declarePreparing)
}

// CompareFlags adds the flags for comparing rows.
func (s *Source) CompareFlags(fs *pflag.FlagSet) {
	declare(fs, s.declareComparing)
}

// TextFlags adds the flags for comparing texts as vectors.
func (s *Source) TextFlags(fs *pflag.FlagSet) {
	var set param.Set
	s.declareComparing(&set)
	for _, p := range set.Params() {
		if slices.Contains(ofTexts, p.Name) {
			cli.Flag(fs, DataGroup, p, func(text string) error { return set.Set(p.Name, text) })
		}
	}
}

// ofTexts are the settings of texts that become vectors.
var ofTexts = []string{"text", "encoder", "dimensions", "encoder-model", "encoder-prompt",
	encoderCache, allowRemote}

func declare(fs *pflag.FlagSet, settings ...func(*param.Set)) {
	var set param.Set
	for _, add := range settings {
		add(&set)
	}
	cli.Declare(fs, DataGroup, &set)
}

// The groups of flags in help.
const (
	DataGroup      = "Data"
	MethodGroup    = "Method"
	KnowledgeGroup = "Knowledge"
)

// mostThreads bounds what a client may ask of the machine.
const mostThreads = 4096

func (s *Source) declareReading(set *param.Set) {
	separated := formatNames(dataset.FormatCSV, dataset.FormatTSV)
	encoded := slices.Concat(separated, formatNames(dataset.FormatJSONL, dataset.FormatARFF))
	bases := formatNames(dataset.FormatSQLite)
	texts := slices.Concat(encoded, formatNames(dataset.FormatXLSX), bases)
	sheets := formatNames(dataset.FormatXLSX, dataset.FormatNPZ)
	nested := slices.Concat(formatNames(dataset.FormatJSONL, dataset.FormatParquet,
		dataset.FormatArrow, dataset.FormatXLSX), separated, bases)
	set.String(&s.ID, param.Param{Name: "id", Help: "column that names the rows",
		Auto: "id, else numbers from 1"})
	set.Choice(&s.Format, param.Param{Name: "format", Help: "format of DATA",
		Choices: formatNames(dataset.Formats()...), Auto: "by name"})
	set.String(&s.Sheet, param.Param{Name: "sheet", Formats: sheets,
		Help: "sheet of a workbook or array of an .npz file, by name or number",
		Auto: "first with a table"})
	set.String(&s.Table, param.Param{Name: "table", Formats: bases, Help: "table of a database",
		Auto: "the only one"})
	set.String(&s.Query, param.Param{Name: "query", Formats: bases,
		Help: "SELECT statement whose rows of a database are DATA"})
	set.String(&s.Vectors, param.Param{Name: "vectors", Formats: nested,
		Help: "column of lists of numbers to use, alone or beside --features"})
	set.String(&s.Delimiter, param.Param{Name: "delimiter", Formats: separated,
		Help: "sign between the columns of CSV: , ; | tab or another",
		Auto: "by the first lines"})
	set.Choice(&s.Decimal, param.Param{Name: "decimal", Formats: texts,
		Help:    "decimal mark of numbers in texts",
		Choices: []string{".", ","}, Auto: "by the first rows"})
	set.String(&s.Encoding, param.Param{Name: "encoding", Formats: encoded,
		Help: "encoding of a text: utf-8, utf-16le, windows-1252, windows-1250, shift_jis …",
		Auto: "by the first bytes"})
	set.List(&s.NA, param.Param{Name: "na", Formats: texts,
		Help: "words that mean a missing value, besides the usual ones"})
	set.Choice(&s.DateOrder, param.Param{Name: "date-order", Formats: texts,
		Help:    "order of day, month and year in dates as 1/2/2024",
		Choices: []string{"dmy", "mdy", "ymd"}, Auto: "by the first rows"})
	set.List(&s.Types, param.Param{Name: "types", Formats: texts,
		Help: "types of columns of a text, as zip=category,price=number (also boolean, text, time)",
		Auto: "by the first rows"})
	set.Int64(&s.InflateLimit, param.Param{Name: "inflate-limit", Unit: "bytes",
		Help:    "bytes that compressed or piped data may inflate to",
		Default: strconv.Itoa(dataset.DefaultInflateLimit)})
	set.Int(&s.Threads, param.Param{Name: "threads", Max: mostThreads, Default: "0",
		Help: "threads, 0 for one per processor; they never change a result"})
}

// formatNames returns the names of formats.
func formatNames(formats ...dataset.Format) []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f)
	}
	return names
}

func (s *Source) declarePreparing(set *param.Set) {
	s.Duplicates, s.Missing = cmp.Or(s.Duplicates, dataset.DuplicatesKeep.String()),
		cmp.Or(s.Missing, dataset.MissingRefuse.String())
	set.String(&s.Label, param.Param{Name: "label",
		Help: "column of true classes, which is never a feature"})
	set.List(&s.Features, param.Param{Name: "features", Help: "columns to use",
		Auto: "all that suit"})
	set.List(&s.Drop, param.Param{Name: "drop", Help: "columns to leave out"})
	set.Choice(&s.Dates, param.Param{Name: "dates",
		Help: "dates compared by days, by parts that vary (time of day, day of week, month, year), " +
			"or both",
		Choices: []string{"auto", "days", "parts", "none"},
		Auto:    "none; auto for those of --features"})
	set.Int(&s.Levels, param.Param{Name: "levels", Example: "20", Min: 2, Max: dataset.MaxLevels,
		Help: "most columns that a category becomes: the values that are rarer share the last",
		Auto: strconv.Itoa(dataset.DefaultLevels)})
	set.List(&s.ColumnWeights, param.Param{Name: "column-weights",
		Help: "weights of columns, as income=2,city=0.5; of others 1"})
	set.Bool(&s.Plain, param.Param{Name: "plain",
		Help: "read texts and choose roles as the first edition of kindred did"})
	set.Choice(&s.Scale, param.Param{Name: "scale", Help: "scaling",
		Choices: []string{"none", "minmax", "zscore"}, Auto: "minmax, none for vectors, cosine"})
	set.Choice(&s.Duplicates, param.Param{Name: "duplicates", Help: "rows with equal features",
		Choices: []string{"keep", "drop"}, Default: s.Duplicates})
	set.Choice(&s.Missing, param.Param{Name: "missing", Help: "missing values",
		Choices: []string{"refuse", "keep", "drop", "median", "mean"}, Default: s.Missing})
}

func (s *Source) declareComparing(set *param.Set) {
	var metrics []string
	for _, m := range dissim.Metrics() {
		metrics = append(metrics, string(m))
	}
	set.Choice(&s.Metric, param.Param{Name: "metric", Help: "dissimilarity of rows",
		Choices: metrics,
		Auto:    "by what is compared"})
	set.String(&s.Text, param.Param{Name: "text",
		Help: "column of texts: long ones by meaning (--encoder), short ones by letters"})
	set.String(&s.Series, param.Param{Name: "series",
		Help: "column of series to compare: lists of numbers"})
	set.String(&s.Images, param.Param{Name: "images",
		Help: "column of pictures to compare: paths from the folder of the data"})
	set.Choice(&s.ImageFeatures, param.Param{Name: "image-features", Choices: images.Kinds(),
		Help: "what pictures are compared by", Auto: images.Shapes})
	set.File(&s.Embedding, param.Param{Name: "embedding",
		Help: "file of vectors to compare, by a column id or in order"})
	set.File(&s.Encoder, param.Param{Name: "encoder",
		Help: "what makes vectors of texts: builtin, a table for English, lsa, their own words, the " +
			"folder of an encoder, or the address of an endpoint",
		Choices: []string{encode.Builtin, encode.LSA},
		Auto:    "builtin; lsa for other languages"})
	set.Int(&s.Dimensions, param.Param{Name: "dimensions", Max: maxDimensions,
		Help: "dimensions of vectors of texts or pictures",
		Auto: "all of the encoder; of lsa 50, of pictures 64"})
	set.Int(&s.Band, param.Param{Name: "band", Default: "0",
		Help: "dtw: places that two series may run apart, 0 for any number"})
	set.Float(&s.EditCost, param.Param{Name: "edit-cost", Max: 1e9, Below: true, Unit: "degrees",
		Help: "cyclic-edit: cost of inserting or deleting an angle",
		Auto: strconv.Itoa(dissim.DefaultEditCost)})
	s.declareEncoders(set)
	set.Bool(&s.Square, param.Param{Name: "dissimilarity",
		Help: "DATA is a matrix of dissimilarities (text or .npy)"})
	set.File(&s.Labels, param.Param{Name: "labels",
		Help: "of a matrix: file of true classes, one a line"})
	set.File(&s.Pictures, param.Param{Name: "pictures",
		Help: "of a matrix: folder of pictures of the rows, or file of their names"})
}

// Read reads a table: a file, - for stdin, or the name of a sample. keep holds all cells, to be
// shown.
func (s *Source) Read(ctx context.Context, place Place, name string, keep bool,
	progress Progress) (*dataset.Table, error) {
	t, err := s.table(ctx, place, name, keep, progress)
	var in *fault.Input
	if errors.As(err, &in) && in.Problem == "the value is a list" {
		in.Fix = "compare lists of numbers with kindred cluster --series " +
			words.Shell(in.Column) +
			", or give each of their items a key of its own in the row"
	}
	return t, err
}

func (s *Source) table(ctx context.Context, place Place, name string, keep bool,
	progress Progress) (*dataset.Table, error) {
	types, err := s.types()
	if err != nil {
		return nil, err
	}
	dates := dataset.DatesNone
	if s.Dates != "" {
		if dates, err = dataset.ParseDates(s.Dates); err != nil {
			return nil, fault.Settingf("--dates: %v", err)
		}
	}
	o := dataset.ReadOptions{
		Delimiter: s.Delimiter, Decimal: s.Decimal, Encoding: s.Encoding, NA: s.NA,
		DateOrder: s.DateOrder, Types: types, Dates: dates,
		Format: dataset.Format(s.Format), ID: s.ID, Label: s.Label, Features: s.Features,
		Drop: s.Drop, Vectors: s.Vectors, Sheet: s.Sheet, Table: s.Table, Query: s.Query,
		Lists: s.Series != "" || s.Text != "" || s.AsTexts,
		Keep:  keep, InflateLimit: s.InflateLimit, Threads: s.Threads,
		Progress: progress.bytes("reading " + called(name)),
	}
	o.Open = func(name string) (*os.File, error) {
		if err := place.lasting(name); err != nil {
			return nil, err
		}
		return place.open(ctx, name, "a log")
	}
	if s.mixed() {
		o.Beside = s.Text + s.Images // one of them
	}
	o.Plain, o.Earlier, o.Levels, o.Assume = s.Plain, s.earlier, s.Levels, s.assume
	if s.known != nil { // the model has the levels
		o.Levels = -1
	}
	path, where, err := place.Locate(name)
	switch {
	case err != nil:
		return nil, err
	case where == InMemory:
		return place.Memory.Table(ctx, name)
	case where == InStream:
		return dataset.ReadStream(ctx, place.Stdin, "stdin", o)
	case where == InSample:
		found, _ := sample.Find(path)
		r, err := found.Open()
		if err != nil {
			return nil, err
		}
		defer r.Close()
		o.Format = dataset.FormatCSV
		return dataset.ReadStream(ctx, r, found.Name, o)
	case where == InParts:
		return place.readParts(ctx, path, o)
	case where == InTexts:
		return place.readTextFolder(ctx, path, o)
	case where == InDatabase:
		if full, ok := place.secrets[path]; ok {
			path = full
		}
		return dataset.ReadDatabase(ctx, path, o)
	}
	f, err := place.open(ctx, path, "a table")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return dataset.ReadFile(ctx, f, path, o)
}

// called is what the progress of reading calls data.
func called(name string) string {
	if dburl.Is(name) {
		return dburl.Name(name)
	}
	return filepath.Base(name)
}

// types returns the types of columns that are given, those of a model where they are not.
func (s *Source) types() (map[string]dataset.Type, error) {
	types := maps.Clone(s.known)
	if types == nil {
		types = make(map[string]dataset.Type)
	}
	given, err := ParseTypes(s.Types)
	maps.Copy(types, given)
	return types, err
}

// ParseTypes returns the types of columns that a list of column=type asks for.
func ParseTypes(list []string) (map[string]dataset.Type, error) {
	types := make(map[string]dataset.Type)
	for _, text := range list {
		at := strings.LastIndexByte(text, '=')
		if at < 1 {
			return nil, fault.Settingf("--types has %q: give columns and their types as "+
				"zip=category,price=number", text)
		}
		t, err := dataset.ParseType(text[at+1:])
		if err != nil {
			return nil, fault.Settingf("--types, column %s: %v", text[:at], err)
		}
		types[text[:at]] = t
	}
	return types, nil
}

// Preparation returns how to prepare, and checks it.
func (s *Source) Preparation(consume bool) (dataset.Preparation, error) {
	o := dataset.Preparation{Consume: consume, Plain: s.Plain, Threads: s.Threads,
		Uncounted: s.uncounted, Earlier: s.sharp}
	var err error
	if s.Scale != "" {
		if o.Scale, err = dataset.ParseScale(s.Scale); err != nil {
			return o, fault.Settingf("--scale: %v", err)
		}
	}
	if o.Duplicates, err = dataset.ParseDuplicates(s.Duplicates); err != nil {
		return o, fault.Settingf("--duplicates: %v", err)
	}
	if o.Weights, err = s.weights(); err != nil {
		return o, err
	}
	o.Missing, err = s.missing()
	return o, err
}

// weights returns the weights of columns that are given.
func (s *Source) weights() (map[string]float64, error) {
	var weights map[string]float64
	for _, text := range s.ColumnWeights {
		at := strings.LastIndexByte(text, '=')
		if at < 1 {
			return nil, fault.Settingf("--column-weights has %q: give columns and their weights "+
				"as income=2,city=0.5", text)
		}
		w, err := strconv.ParseFloat(text[at+1:], 64)
		switch {
		case err != nil || !(w >= 0) || w > mostWeight:
			return nil, fault.Settingf("--column-weights, column %s: the weight %q is no number "+
				"from 0 to %g", text[:at], text[at+1:], float64(mostWeight))
		case w == 0:
			return nil, fault.Settingf("--column-weights, column %s: a weight of 0 leaves the "+
				"column out, as --drop %s does: give that instead", text[:at], text[:at])
		}
		if weights == nil {
			weights = make(map[string]float64)
		}
		if _, twice := weights[text[:at]]; twice {
			return nil, fault.Settingf("--column-weights names column %s twice", text[:at])
		}
		weights[text[:at]] = w
	}
	return weights, nil
}

// mostWeight bounds the weight of a column.
const mostWeight = 1e6

// missing returns how missing values are treated.
func (s *Source) missing() (dataset.Missing, error) {
	m, err := dataset.ParseMissing(s.Missing)
	if err != nil {
		return m, fault.Settingf("--missing: %v", err)
	}
	return m, nil
}

// Prepare scales and completes a table. A label column must have at least two classes.
// consume prepares features in the place that they were read into.
func (s *Source) Prepare(ctx context.Context, t *dataset.Table, consume bool) (*Data, error) {
	d := &Data{Table: t, source: *s, values: !consume}
	square := looksSquare(ctx, t)
	if err := d.prepare(ctx, t, false, consume); err != nil {
		return nil, aboutTexts(err, t)
	}
	if square {
		d.Ready.Notes = append(d.Ready.Notes,
			"the table looks like a matrix of dissimilarities: --dissimilarity takes it as one")
	}
	for _, c := range t.Columns {
		if c.Role == dataset.Feature && partition.LabelColumn([]string{c.Name}) != "" &&
			!slices.Contains(s.Features, c.Name) {
			d.Ready.Notes = append(d.Ready.Notes, "column "+words.Short(c.Name)+
				" is a feature, though its name is one of classes: --label or --drop leaves it out")
		}
	}
	d.kept = d.Ready.Rows
	d.index()
	d.view()
	return d, d.classify()
}

// aboutTexts changes the fix for a table without features: its texts can be compared.
func aboutTexts(err error, t *dataset.Table) error {
	var in *fault.Input
	if len(t.Features()) > 0 || !errors.As(err, &in) {
		return err
	}
	for i, c := range t.Columns {
		if t.HoldsVectors(i) {
			in.Fix = "use the numbers of " + words.Short(c.Name) + " by --vectors, or compare its " +
				"lists by --series"
			return err
		}
	}
	for _, c := range t.Columns {
		if c.Type == dataset.Text && c.Role == dataset.Unused {
			in.Fix = "compare the texts of " + words.Short(c.Name) +
				" by --text, or name features with --features"
			break
		}
	}
	return err
}

// classify takes the true classes of the rows, if there are any.
func (d *Data) classify() error {
	codes, names, ok := d.Table.Labels()
	if !ok {
		return nil
	}
	d.Classes, d.ClassNames = codes, names
	if d.kept != nil {
		d.Classes = make([]int32, len(d.kept))
		for i, row := range d.kept {
			d.Classes[i] = codes[row]
		}
	}
	return CheckClasses(d.Classes, d.Table.Name, d.source.Label)
}

// CheckClasses refuses true classes of which there are not at least two; negative ones are missing.
func CheckClasses[T int | int32](classes []T, file, column string) error {
	first := T(-1)
	for _, c := range classes {
		if c >= 0 && first >= 0 && c != first {
			return nil
		}
		first = max(first, c)
	}
	problem := "the label column is constant, so it tells no groups apart"
	switch {
	case len(classes) == 1:
		return &fault.Input{File: file, Problem: "has one row, and groups take two",
			Fix: "give a file with more rows"}
	case first < 0:
		problem = "no row has a label"
	}
	return &fault.Input{File: file, Column: column, Problem: problem,
		Fix: "name another column with --label"}
}
