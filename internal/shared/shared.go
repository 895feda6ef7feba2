// Package shared appends to lists that others hold parts of.
package shared

import "slices"

// Append returns list with v at its end, as append does, but never changes what a longer list in
// the same memory has there: such a one may be held by somebody after its last element was cut off.
// Where that element was v it takes constant time. The zero value of T is no element of any list.
func Append[T comparable](list []T, v T) []T {
	if n := len(list); n < cap(list) {
		var none T
		switch list[:n+1][n] {
		case v:
			return list[:n+1]
		case none: // nothing was there
		default:
			list = slices.Clip(list)
		}
	}
	return append(list, v)
}
