package dataset

import (
	"slices"
	"strings"
	"unicode"
)

// naming is what the name of a column says that its values are for.
type naming int

const (
	// nothing
	namedPlain naming = iota
	// id, index or uuid: they name the rows
	namedID
	// as customer_id or orderNo: they name something, and say nothing by their size
	namedKey
	// as number, key or lot_no: they may name the rows, or count
	namedNumber
	// as zip or phone: digits that say nothing by their size
	namedCode
	// as surname, e-mail or url: names of persons and addresses, to be read and not compared
	namedShown
)

// namesOf finds what a column is named as; earlier is as in [ReadOptions].
func namesOf(name string, earlier bool) naming {
	switch strings.ToLower(name) {
	case "id", "index", "uuid":
		return namedID
	}
	if !earlier {
		name = numberSigns.Replace(name)
	}
	words := nameWords(name)
	for i, word := range words {
		if earlier && slices.Contains(laterWords, word) {
			words[i] = ""
		}
	}
	if len(words) == 0 {
		return namedPlain
	}
	if slices.Contains(shownNames, strings.Join(words, " ")) {
		return namedShown
	}
	first, last := words[0], words[len(words)-1]
	before := ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	numbers := slices.Contains(numberWords, last)
	code := slices.Contains(codeNames, last)
	switch {
	case slices.Contains(codeWords, last), numbers && slices.Contains(codeWords, before),
		(code || last == "id") && slices.Contains(codeWords, before):
		return namedCode
	case !earlier && len(words) > 1 && slices.Contains(things, last) && // Código cliente
		(slices.Contains(numberWords, first) || slices.Contains(codeNames, first)):
		return namedKey
	case last == "id", last == "uuid", last == "guid",
		first == "id" && len(words) == 2 && !slices.Contains(kindWords, last),
		slices.Contains(things, strings.TrimSuffix(last, "id")) && strings.HasSuffix(last, "id"):
		return namedKey
	case (numbers || last == "key" || code) && slices.Contains(things, before):
		return namedKey
	case before == "yes" || before == "ja" || before == "sí":
		return namedPlain
	case numbers, last == "key", code, !earlier && len(words) == 1 && last == "account":
		return namedNumber
	}
	for _, end := range []string{"nummer", "nr"} {
		if thing, ok := strings.CutSuffix(last, end); ok && len(thing) > 2 {
			if slices.Contains(things, thing) || slices.Contains(codeWords, thing) {
				return namedKey
			}
			return namedNumber
		}
	}
	return namedPlain
}

var (
	// signs that stand for number, as words
	numberSigns = strings.NewReplacer("N°", "Nº ", "n°", "nº ", "№", "Nº ")
	numberWords = []string{"number", "no", "nr", "num", "nummer", "numero", "número", "numéro",
		"numer", "nº"}
	codeNames = []string{"code", "código", "codigo", "codice", "kod"}
	// what follows id where the column is about ids, and has none
	kindWords = []string{"type", "typ", "kind", "count", "status", "class", "group", "category"}
	codeWords = []string{"zip", "zipcode", "postcode", "postal", "postale", "pocztowy", "plz",
		"postleitzahl", "phone",
		"telephone", "telefon", "telefono", "téléphone", "tel", "fax", "mobile", "ssn", "iban",
		"isbn", "ean", "upc", "gtin", "sku", "vin", "imei", "barcode",
		"kdnr", "kto", "ktonr", "konto", "kontonummer", "kontonr", "blz", "bic"}
	// of columns that are shown
	shownNames = []string{"name", "vorname", "nachname", "familienname", "surname", "firstname",
		"first name", "lastname", "last name", "given name", "full name", "fullname", "nom",
		"prénom", "prenom", "nombre", "apellido", "apellidos", "contact", "contact name",
		"e mail", "email", "mail", "e mail address", "email address", "url"}
	// what ids are of
	things = []string{"customer", "kunde", "kunden", "kd", "client", "cliente", "user", "member",
		"account", "konto", "order", "bestell", "auftrag", "auftrags", "invoice", "rechnung",
		"rechnungs", "product", "produkt", "item", "artikel", "article", "part", "person",
		"personal", "patient", "patienten", "student", "employee", "mitarbeiter", "session",
		"device", "record", "row", "case", "sample", "subject", "object", "transaction", "event",
		"visitor", "ticket", "booking", "shipment", "contract", "vertrags", "policy", "passport",
		"fiscale", "fiscal", "pedido", "factura", "commande", "facture", "ordine", "fattura",
		"klienta", "zamówienia", "faktury", "serial", "serien", "matrikel", "foreign",
		"primary", "surrogate"}
	// those of the words above that have no meaning with ReadOptions.Earlier
	laterWords = []string{"numer", "nº", "código", "codigo", "codice", "kod", "postale",
		"pocztowy", "fiscale", "fiscal", "pedido", "factura", "commande", "facture", "ordine",
		"fattura", "klienta", "zamówienia", "faktury"}
)

// nameWords splits a name into words in lower case: at signs that are no letters or digits, and
// where a capital begins a word, as in CustomerNumber, orderNo and IDKunde.
func nameWords(name string) (words []string) {
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case !unicode.IsUpper(r) || i == 0:
		case unicode.IsLower(runes[i-1]), unicode.IsDigit(runes[i-1]),
			i+1 < len(runes) && unicode.IsLower(runes[i+1]):
			end()
		}
		word = append(word, r)
	}
	end()
	return words
}
