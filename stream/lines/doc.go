// Package lines reads rows from text, CSV or JSON lines, while it comes, and writes labels as such
// text.
//
// [Open] and [From] return a [Source]. Its first rows make the [stream.Layout] ([Source.WarmUp]),
// by the same rules as package dataset reads and prepares a whole table: separator, header, types
// and roles of columns, categories, scaling. A [Decoder] turns text into rows by a layout, value
// for value as [dataset.Encoding.Apply] would. A [Writer] takes the labels.
//
// Between the rows links may be stated and rows be forgotten:
//
//	@link,12,15,same,0.9                             {"@link":"same","a":"12","b":"15","p":0.9}
//	@forget,12                                       {"@forget":"12"}
//
// A link is same, different or unknown, which takes back the link between the two; its confidence
// may be left out.
package lines
