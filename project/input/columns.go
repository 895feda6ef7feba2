package input

import (
	"context"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/sample"
)

// Columns returns the names of the columns of DATA without reading them whole, as
// [dataset.ColumnNames] does; nil where DATA are no file and no sample.
func (s *Source) Columns(ctx context.Context, place Place, name string) ([]string, error) {
	path, where, err := place.Locate(name)
	if err != nil {
		return nil, err
	}
	switch where {
	case InFile:
		return dataset.ColumnNames(ctx, path, dataset.ReadOptions{
			Delimiter: s.Delimiter, Decimal: s.Decimal, Encoding: s.Encoding,
			Format: dataset.Format(s.Format), Sheet: s.Sheet, Table: s.Table, Query: s.Query,
			Plain: s.Plain})
	case InSample:
		found, _ := sample.Find(path)
		r, err := found.Open()
		if err != nil {
			return nil, err
		}
		defer r.Close()
		t, err := dataset.ReadStream(ctx, r, found.Name,
			dataset.ReadOptions{Format: dataset.FormatCSV})
		if err != nil {
			return nil, err
		}
		var names []string
		for _, c := range t.Columns {
			names = append(names, c.Name)
		}
		return names, nil
	}
	return nil, nil
}
