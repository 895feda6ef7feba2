// Package columns keeps the columns of a Parquet file in the order of their making, as
// parquet.Group sorts them by name.
package columns

import "github.com/parquet-go/parquet-go"

// Ordered is a group of columns in the order in which they were added. The zero value has none.
type Ordered struct {
	parquet.Group
	names []string
}

// Add adds a column; its name must be a new one.
func (o *Ordered) Add(name string, node parquet.Node) {
	if o.Group == nil {
		o.Group = parquet.Group{}
	}
	o.Group[name] = node
	o.names = append(o.names, name)
}

// Has reports whether there is a column of that name.
func (o *Ordered) Has(name string) bool {
	_, has := o.Group[name]
	return has
}

// Len counts the columns.
func (o *Ordered) Len() int { return len(o.names) }

// Fields returns the columns in their order.
func (o *Ordered) Fields() []parquet.Field {
	byName := make(map[string]parquet.Field, len(o.names))
	for _, f := range o.Group.Fields() {
		byName[f.Name()] = f
	}
	fields := make([]parquet.Field, len(o.names))
	for i, name := range o.names {
		fields[i] = byName[name]
	}
	return fields
}
