// Package worker is the process behind programs in other languages: it reads requests from one
// stream and writes replies to another, until the first ends. Package pykindred for Python is its
// client.
//
// A message is the length of a header in four bytes, the least first; the header, a JSON object;
// and the raw bytes of the arrays that its field "arrays" lists, in that order. Requests have an
// "id" from 1, by which replies name them, and a "do". They run at the same time, and
//
//	{"id": 3, "progress": 0.4}
//	{"id": 3, "ok": {"clusters": 3, …}, "arrays": [{"name": "labels", "dtype": "<i4", …}]}
//	{"id": 3, "error": {"kind": "setting", "message": "…"}}
//
// are replies: any number of the first, and one of the others. {"do": "cancel", "id": 3} ends a
// request early, which is then replied to by an error. A reply of id 0 is an error about the stream
// itself, after which the worker ends.
package worker
