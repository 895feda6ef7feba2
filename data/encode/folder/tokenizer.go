package folder

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/internal/wordpiece"
)

// tokenizer is the part of a tokenizer.json that texts are taken apart by.
type tokenizer struct {
	Added []struct {
		ID      int    `json:"id"`
		Content string `json:"content"`
		Special bool   `json:"special"`
	} `json:"added_tokens"`
	Normalizer *struct {
		Type    string `json:"type"`
		Clean   bool   `json:"clean_text"`
		Han     bool   `json:"handle_chinese_chars"`
		Accents *bool  `json:"strip_accents"`
		Lower   bool   `json:"lowercase"`
	} `json:"normalizer"`
	Words *struct {
		Type string `json:"type"`
	} `json:"pre_tokenizer"`
	Around *around `json:"post_processor"`
	Model  struct {
		Type       string         `json:"type"`
		Vocabulary map[string]int `json:"vocab"`
		Unknown    string         `json:"unk_token"`
		Prefix     *string        `json:"continuing_subword_prefix"`
		Longest    int            `json:"max_input_chars_per_word"`
	} `json:"model"`
}

const (
	maxPieces = 1 << 22
	anew      = "copy the folder of the encoder again"
	other     = "use an encoder of a supported kind: " + List
)

// vocabulary is a tokenizer with the pieces that stand around a text.
type vocabulary struct {
	*wordpiece.Tokenizer
	size       int
	begin, end int32 // -1: none
}

// tokenizer reads the tokenizer of a module in a folder.
func (f *files) tokenizer(in string) (*vocabulary, error) {
	name := path.Join(in, "tokenizer.json")
	data, err := f.read(name, maxVocabulary)
	if err != nil {
		return nil, err
	}
	if data == nil {
		return f.list(in)
	}
	var t tokenizer
	if err := json.Unmarshal(data, &t); err != nil {
		return nil, f.bad(name, anew, "this is no tokenizer: %v", err)
	}
	switch n := t.Normalizer; {
	case t.Model.Type != "WordPiece" && (t.Model.Type != "" || t.Model.Prefix == nil):
		return nil, f.bad(name, other, "%s", unsupported("its tokenizer, "+quoted(t.Model.Type)+","))
	case n != nil && n.Type != "BertNormalizer":
		return nil, f.bad(name, other, "%s", unsupported("its normalizer, "+quoted(n.Type)+","))
	case t.Words == nil || t.Words.Type != "BertPreTokenizer":
		return nil, f.bad(name, other, "%s", unsupported("its pre-tokenizer"))
	}
	pieces, err := f.pieces(name, &t)
	if err != nil {
		return nil, err
	}
	o := wordpiece.Options{Unknown: t.Model.Unknown, MaxRunes: max(0, t.Model.Longest)}
	if t.Model.Prefix != nil {
		o.Continuing = *t.Model.Prefix
	}
	if n := t.Normalizer; n != nil {
		accents := n.Lower
		if n.Accents != nil {
			accents = *n.Accents
		}
		o.KeepCase, o.KeepAccents, o.KeepControls, o.JoinHan = !n.Lower, !accents, !n.Clean, !n.Han
	} else {
		o.KeepCase, o.KeepAccents, o.KeepControls, o.JoinHan = true, true, true, true
	}
	for _, a := range t.Added {
		if a.Special {
			o.Special = append(o.Special, a.Content)
		}
	}
	v := &vocabulary{size: len(pieces), begin: -1, end: -1}
	if v.Tokenizer, err = wordpiece.New(pieces, o); err != nil {
		return nil, f.bad(name, anew, "%v", err)
	}
	if a := t.Around; a != nil {
		first, last, ok := a.ends()
		if !ok {
			return nil, f.bad(name, other, "%s", unsupported("its post-processor, "+quoted(a.Type)+","))
		}
		v.begin, v.end = int32(slices.Index(pieces, first)), int32(slices.Index(pieces, last))
		if v.begin < 0 || v.end < 0 {
			return nil, f.bad(name, anew, "the vocabulary lacks %q or %q", first, last)
		}
	}
	return v, nil
}

func quoted(s string) string { return `"` + s + `"` }

// around is what is put before and after the pieces of a text.
type around struct {
	Type   string `json:"type"`
	Single []struct {
		Special *struct {
			ID string `json:"id"`
		} `json:"SpecialToken"`
		Sequence *struct{} `json:"Sequence"`
	} `json:"single"`
	Begin [2]any `json:"cls"` // the piece and its number
	End   [2]any `json:"sep"`
}

// ends returns the pieces before and after a text.
func (a *around) ends() (first, last string, ok bool) {
	switch a.Type {
	case "TemplateProcessing":
		if s := a.Single; len(s) == 3 && s[0].Special != nil && s[1].Sequence != nil &&
			s[2].Special != nil {
			return s[0].Special.ID, s[2].Special.ID, true
		}
	case "BertProcessing":
		first, ok := a.Begin[0].(string)
		last, also := a.End[0].(string)
		return first, last, ok && also
	}
	return "", "", false
}

// pieces returns the vocabulary in the order of its numbers.
func (f *files) pieces(name string, t *tokenizer) ([]string, error) {
	size := 0
	each := func(do func(piece string, id int)) {
		for piece, id := range t.Model.Vocabulary {
			do(piece, id)
		}
		for _, a := range t.Added {
			do(a.Content, a.ID)
		}
	}
	bad := false
	each(func(_ string, id int) {
		bad = bad || id < 0 || id >= maxPieces
		size = max(size, id+1)
	})
	if bad || size == 0 {
		return nil, f.bad(name, anew, "the vocabulary is empty, or has numbers that are not "+
			"from 0 to %d", maxPieces-1)
	}
	pieces := make([]string, size)
	each(func(piece string, id int) { pieces[id] = piece })
	return pieces, nil
}

// list reads a vocab.txt, with a piece in each line, and tokenizer_config.json beside it.
func (f *files) list(in string) (*vocabulary, error) {
	name := path.Join(in, "vocab.txt")
	data, err := f.read(name, maxVocabulary)
	if err != nil {
		return nil, err
	}
	if data == nil {
		return nil, f.bad(in, other, "there is neither tokenizer.json nor vocab.txt")
	}
	pieces := strings.Split(strings.TrimRight(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n"),
		"\n")
	if len(pieces) > maxPieces {
		return nil, f.bad(name, anew, "%d pieces, more than %d", len(pieces), maxPieces)
	}
	about := struct {
		Lower   *bool  `json:"do_lower_case"`
		Accents *bool  `json:"strip_accents"`
		Han     *bool  `json:"tokenize_chinese_chars"`
		Class   string `json:"tokenizer_class"`
	}{}
	if _, err := f.json(path.Join(in, "tokenizer_config.json"), &about); err != nil {
		return nil, err
	}
	if c := about.Class; c != "" && c != "BertTokenizer" && c != "BertTokenizerFast" {
		return nil, f.bad(path.Join(in, "tokenizer_config.json"), other, "%s",
			unsupported("its tokenizer, "+quoted(c)+","))
	}
	lower := about.Lower == nil || *about.Lower
	accents := lower
	if about.Accents != nil {
		accents = *about.Accents
	}
	o := wordpiece.Options{KeepCase: !lower, KeepAccents: !accents,
		JoinHan: about.Han != nil && !*about.Han}
	v := &vocabulary{size: len(pieces), begin: int32(slices.Index(pieces, "[CLS]")),
		end: int32(slices.Index(pieces, "[SEP]"))}
	if v.begin < 0 || v.end < 0 {
		return nil, f.bad(name, anew, "the vocabulary lacks [CLS] or [SEP]")
	}
	for _, piece := range []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"} {
		if slices.Contains(pieces, piece) {
			o.Special = append(o.Special, piece)
		}
	}
	if v.Tokenizer, err = wordpiece.New(pieces, o); err != nil {
		return nil, f.bad(name, anew, "%v", err)
	}
	return v, nil
}
