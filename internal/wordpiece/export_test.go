package wordpiece

import "unicode"

// IsPunctuation and IsLater are for tests.
var IsPunctuation = isPunctuation

func IsLater(c rune) bool { return unicode.Is(later, c) }
