package images

// Pictures of a few pixels that another program wrote, in base 64.

// cmykJPEG is red, 4 × 4, in four inks.
const cmykJPEG = "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAbEhQXFBEbFxYXHhwbIChCKyglJShROj0wQmBVZWRfVV1ban" +
	"iZgWpxkHNbXYW1hpCeo6utq2eAvMm6ps" +
	"eZqKuk/8AAFAgABAAEBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBA" +
	"wMCBAMFBQQEAAABfQEC" +
	"AwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVld" +
	"YWVpjZGVmZ2hpanN0dX" +
	"Z3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8" +
	"fLz9PX29/j5+v/aAA4E" +
	"QwBNAFkASwAAPwDpq5muZrpq/9k="

// losslessWebP is red, 2 × 3.
const losslessWebP = "UklGRhwAAABXRUJQVlA4TA8AAAAvAYAAAAcQ/Y/+ByKi/wEA"

// lossyWebP is red, 2 × 3.
const lossyWebP = "UklGRjgAAABXRUJQVlA4ICwAAACQAQCdASoCAAMAAsBMJaACdLoAA5gA/u5DH+5sc4twV/9tD/9aH" +
	"/60P+lAAA=="

// alphaWebP is red, half transparent, 3 × 2.
const alphaWebP = "UklGRloAAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAAgICAgICAAFZQOCAsAAAAkAEAn" +
	"QEqAwACAALATCWgAnS6AAOYAP7uQx/ubH" +
	"OLcFf/bQ//Wh/+tD/pQAA="

// movingWebP is red, then green, 3 × 2.
const movingWebP = "UklGRsoAAABXRUJQVlA4WAoAAAACAAAAAgAAAQAAQU5JTQYAAAAAAAAAAABBTk1GSgAAAAAAAAAA" +
	"AAIAAAEAAAAAAAJWUDggMgAAADABAJ0BKg" +
	"MAAgABQCYloAADcAD+8ut///mwP/bz/wR6Af//0uD//pcH//S4P/SkAAAAQU5NRkwAAAAAAAAAAAACAAABAAAAAAAAV" +
	"lA4IDQAAAA0AQCdASoD" +
	"AAIAAAAmJaAAA3AA/ukiH//3nz//ufP/+58/6M///yn7//I4//8jj/5QIAAA"
