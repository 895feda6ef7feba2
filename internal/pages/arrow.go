package pages

import (
	"encoding/base64"
	"encoding/binary"
	"time"

	"github.com/kindred-go/kindred/internal/arrowfile"
)

// arrowDurations returns the units of the columns, by their paths "group.column", that by an Arrow
// schema hold durations: Parquet has no type for them, and they are plain integers but for the
// schema that writers built on Arrow keep in the file's metadata, a message of the Arrow IPC
// format. A schema that cannot be read names none.
func arrowDurations(encoded string) map[string]time.Duration {
	message, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(message) < 8 {
		return nil
	}
	if binary.LittleEndian.Uint32(message) == 1<<32-1 { // before the length, since Arrow 0.15
		message = message[4:]
	}
	fields, err := arrowfile.Schema(message[4:])
	if err != nil {
		return nil
	}
	found := make(map[string]time.Duration)
	left := 16 * len(message)
	durations(fields, "", found, &left)
	return found
}

// durations goes through fields, and those within them; left bounds the bytes of paths.
func durations(fields []arrowfile.Field, path string, found map[string]time.Duration,
	left *int) {
	for _, f := range fields {
		if *left -= len(path) + len(f.Name) + 1; *left < 0 {
			return
		}
		switch f.Kind {
		case arrowfile.Duration:
			found[path+f.Name] = f.Unit
		case arrowfile.Struct:
			durations(f.Children, path+f.Name+".", found, left)
		}
	}
}
