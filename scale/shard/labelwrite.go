package shard

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/internal/columns"
)

// labelWriter writes ids and clusters in one format.
type labelWriter struct {
	write func(ids []string, clusters []int64) error
	close func() error
}

func newCSVLabels(f File) (labelWriter, error) {
	w := csv.NewWriter(f)
	record := []string{partition.IDColumn, partition.ClusterColumn}
	return labelWriter{
		write: func(ids []string, clusters []int64) error {
			for i, id := range ids {
				record[0], record[1] = id, strconv.FormatInt(clusters[i], 10)
				if err := w.Write(record); err != nil {
					return err
				}
			}
			return nil
		},
		close: func() error { w.Flush(); return w.Error() },
	}, w.Write(record)
}

func newJSONLabels(f File) labelWriter {
	w := bufio.NewWriterSize(f, 64<<10)
	e, row := json.NewEncoder(w), new(partition.Row)
	return labelWriter{
		write: func(ids []string, clusters []int64) error {
			for i, id := range ids {
				row.ID, row.Cluster = id, int(clusters[i])
				if err := e.Encode(row); err != nil {
					return err
				}
			}
			return nil
		},
		close: w.Flush,
	}
}

// Rows of a row group, and of what is handed to the library at a time.
const (
	groupRows = 1 << 17
	writeRows = 256
)

// newParquetLabels writes snappy-compressed columns.
func newParquetLabels(f File) labelWriter {
	var ordered columns.Ordered
	ordered.Add(partition.IDColumn, parquet.String())
	ordered.Add(partition.ClusterColumn, parquet.Int(64))
	w := parquet.NewGenericWriter[any](f, parquet.NewSchema("part", &ordered),
		parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(groupRows))
	rows := make([]parquet.Row, writeRows)
	for i := range rows {
		rows[i] = make(parquet.Row, 2)
	}
	return labelWriter{
		write: func(ids []string, clusters []int64) error {
			for lo := 0; lo < len(ids); lo += writeRows {
				n := min(writeRows, len(ids)-lo)
				for k, row := range rows[:n] {
					row[0] = parquet.ByteArrayValue([]byte(ids[lo+k])).Level(0, 0, 0)
					row[1] = parquet.Int64Value(clusters[lo+k]).Level(0, 0, 1)
				}
				if _, err := w.WriteRows(rows[:n]); err != nil {
					return err
				}
			}
			return nil
		},
		close: w.Close,
	}
}
