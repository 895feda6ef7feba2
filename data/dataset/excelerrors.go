package dataset

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// excelErrors are the errors of Excel, and of programs that write alike, in its languages.
var excelErrors = func() map[string]bool {
	known := make(map[string]bool)
	for _, words := range []string{
		"#N/A #VALUE! #DIV/0! #REF! #NUM! #NAME? #NULL! #ERROR! #SPILL! #CALC! #FIELD! #GETTING_DATA",
		"#NV #WERT! #BEZUG! #ZAHL! #ÜBERLAUF! #KALK! #FELD!",               // German
		"#VALEUR! #NOMBRE! #NOM? #NUL! #PROPAGATION! #CHAMP!",              // French
		"#N/D #¡VALOR! #¡DIV/0! #¡REF! #¡NUM! #¿NOMBRE? #¡NULO!",           // Spanish
		"#¡DESBORDAMIENTO! #¡CALC! #VALORE! #RIF! #NOME? #NULLO!",          // and Italian
		"#ESPANSIONE! #CALCOLO! #VALOR! #NÚM! #NULO! #DESPEJAR! #DESPEJO!", // and Portuguese
		"#N/B #WAARDE! #DEEL/0! #VERW! #GETAL! #NAAM? #LEEG! #OVERLOOP!",   // Dutch
		"#I/T #VÆRDI! #DIVISION/0! #REFERENCE! #NAVN? #VERDI!",             // Danish, Norwegian
		"#SAKNAS! #VÄRDEFEL! #REFERENS! #OGILTIGT! #NAMN? #SKÄRNING!",      // Swedish
		"#PUUTTUU! #ARVO! #JAKO/0! #VIITTAUS! #LUKU! #NIMI? #TYHJÄ!",       // Finnish
		"#N/D! #ARG! #DZIEL/0! #ADR! #LICZBA! #NAZWA? #ZERO!",              // Polish
		"#NENÍ_K_DISPOZICI #HODNOTA! #DĚLENÍ_NULOU! #ODKAZ! #ČÍSLO! #NÁZEV?",
		"#HIÁNYZIK #ÉRTÉK! #ZÉRÓOSZTÓ! #HIV! #SZÁM! #NÉV? #NULLA!", // Hungarian
		"#Н/Д #ЗНАЧ! #ДЕЛ/0! #ССЫЛКА! #ЧИСЛО! #ИМЯ? #ПУСТО!",       // Russian
		"#YOK #DEĞER! #SAYI/0! #BAŞV! #SAYI! #AD? #BOŞ!",           // Turkish
	} {
		for _, word := range strings.Fields(words) {
			known[word] = true
		}
	}
	return known
}()

// isExcelError reports whether s is a known error of a spreadsheet.
func isExcelError(s []byte) bool { return len(s) > 2 && s[0] == '#' && excelErrors[string(s)] }

// looksLikeError reports whether s, which is no text by its column, is an error of a spreadsheet:
// a known one, or capitals between # and ! or ?.
func looksLikeError(s []byte) bool {
	const most = 40 // bytes
	if len(s) < 3 || s[0] != '#' || len(s) > most {
		return false
	}
	if last := s[len(s)-1]; last != '!' && last != '?' {
		return excelErrors[string(s)]
	}
	word := s[1 : len(s)-1]
	for _, opening := range []string{"¡", "¿"} {
		word = bytes.TrimPrefix(word, []byte(opening))
	}
	if r, _ := utf8.DecodeRune(word); !unicode.IsUpper(r) {
		return false
	}
	return !bytes.ContainsFunc(word, func(r rune) bool {
		return !unicode.IsUpper(r) && r != '/' && r != '_' && r != '0'
	})
}
