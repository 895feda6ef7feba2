package dissim

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/infile"
	"github.com/kindred-go/kindred/internal/words"
)

// maxLabels bounds the bytes of a file of labels.
const maxLabels = 1 << 30

// ReadLabels reads the true classes of n objects, one per line, in the order of the matrix; a
// header may come first, which the number of lines reveals. The file may be gzip'ed or
// zstd-compressed. It returns for each object a position in names, which are sorted, as numbers
// when all of them are; -1 for an empty line, a class not known; empty lines at the end count as
// far as objects lack a line.
//
// It fails with a [*fault.Input] when there are not n lines (n+1 with a header), a line has several
// columns, or no class is known.
func ReadLabels(ctx context.Context, path string, n int) (codes []int32, names []string,
	err error) {
	f, err := infile.OpenBy(ctx, os.Open, path, "a file of labels")
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	return ReadLabelsFrom(ctx, f, path, n)
}

// ReadLabelsFrom reads what [ReadLabels] does from r, which messages call path.
func ReadLabelsFrom(ctx context.Context, r io.Reader, path string, n int) (codes []int32,
	names []string, err error) {
	plain, _, closer, err := unpack(infile.NewReader(ctx, r, 0, nil), path, 0)
	if err != nil {
		if in, ok := errors.AsType[*fault.Input](err); ok && in.Problem == isEmpty {
			in.Fix = "give one class a line"
		}
		return nil, nil, err
	}
	defer closer()
	decoded, err := dataset.OpenSmallText(plain, path)
	if err != nil {
		return nil, nil, err
	}
	text, err := io.ReadAll(io.LimitReader(decoded, maxLabels+1))
	if err != nil {
		return nil, nil, infile.Failure(path, err)
	}
	if len(text) > maxLabels {
		return nil, nil, &fault.Input{File: path, Problem: "is larger than 1 GiB",
			Fix: "give one class a line"}
	}
	text = append(text, '\n')
	plainEnds(text)
	text = bytes.TrimSuffix(text[:len(text)-1], []byte("\n"))
	count := bytes.Count(text, []byte("\n")) + 1 // before they are split, which takes memory
	for count > n && count > 1 {
		end := bytes.LastIndexByte(text, '\n')
		if len(bytes.TrimSpace(text[end:])) > 0 {
			break
		}
		text = text[:end]
		count--
	}
	first := count - n
	if first != 0 && first != 1 {
		return nil, nil, &fault.Input{File: path,
			Problem: "has " + words.Count(count, "line") + " for " + words.Count(n, "object"),
			Fix: "give one class a line, in the order of the matrix; a header line may come " +
				"first"}
	}
	lines := strings.Split(string(text), "\n")
	classes := make([]string, n)
	for i, line := range lines[first:] {
		class := strings.TrimSpace(line)
		if len(class) > 1 && class[0] == '"' && class[len(class)-1] == '"' {
			class = strings.ReplaceAll(class[1:len(class)-1], `""`, `"`)
		} else if strings.ContainsAny(class, ",;\t") {
			return nil, nil, &fault.Input{File: path, Line: first + i + 1,
				Problem: "has several columns",
				Fix:     "give one class a line, and in quotes one that holds a separator"}
		}
		classes[i] = class
		if class != "" {
			names = append(names, class)
		}
	}
	if len(names) == 0 {
		return nil, nil, &fault.Input{File: path, Problem: "holds no class",
			Fix: "give one class a line"}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	dataset.SortLevels(names)
	place := make(map[string]int32, len(names))
	for k, name := range names {
		place[name] = int32(k)
	}
	codes = make([]int32, n)
	for i, class := range classes {
		codes[i] = -1
		if k, ok := place[class]; ok {
			codes[i] = k
		}
	}
	return codes, names, nil
}
