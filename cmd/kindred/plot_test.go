package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestLargeGroupNumbers draws and scores groups by the numbers they have, in memory that follows
// the rows.
func TestLargeGroupNumbers(t *testing.T) {
	folder := t.TempDir()
	groups, picture := filepath.Join(folder, "groups.csv"), filepath.Join(folder, "groups.svg")
	var b strings.Builder
	b.WriteString("id,cluster\n")
	for i := range 150 {
		fmt.Fprintf(&b, "%d,%d\n", i+1, []int{0, 3, 20_000_000, 20_000_001}[i%4])
	}
	if err := os.WriteFile(groups, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"plot", groups, "--data", "iris", "--out", picture},
		{"score", groups, "iris", "--label", "class", "--silhouette", "--noise-apart"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		code, said := command(t, args...)
		runtime.ReadMemStats(&after)
		if code != 0 {
			t.Fatal(said)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 256<<20 {
			t.Errorf("kindred %s allocates %d bytes", args[0], took)
		}
	}
	drawn, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"group 3", "group 20000000", "group 20000001", "noise"} {
		if !strings.Contains(string(drawn), name) {
			t.Errorf("%s is not named in the picture", name)
		}
	}
}

// TestRowsThatAreNotDrawnAreSaidToBeLeftOut tells rows without values, which are not drawn, from
// those that are drawn as noise since the partition does not have them.
func TestRowsThatAreNotDrawnAreSaidToBeLeftOut(t *testing.T) {
	folder := t.TempDir()
	data, groups := filepath.Join(folder, "a.csv"), filepath.Join(folder, "groups.csv")
	for name, text := range map[string]string{
		data:   "id,x,y\na,1,2\nb,2,1\nc,,7\nd,8,9\ne,9,8\nf,5,5\n",
		groups: "id,cluster\na,1\nb,1\nd,2\ne,2\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	code, said := command(t, "plot", groups, "--data", data, "--missing", "drop", "--out",
		filepath.Join(folder, "a.svg"))
	for _, want := range []string{"1 row of " + data + " not in the partition: left out",
		"1 row of " + data + " not in the partition: drawn as noise"} {
		if code != 0 || !strings.Contains(said, want) {
			t.Errorf("exits with %d, and without %q:\n%s", code, want, said)
		}
	}
}

// A partition is drawn on what was compared: texts, texts beside columns, a folder of texts
// and dissimilarities, and not on the other columns.
func TestPartitionsAreDrawnOnWhatIsCompared(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	texts, groups := strings.Builder{}, strings.Builder{}
	texts.WriteString("id,note,word,kind\n")
	groups.WriteString("id,cluster\n")
	if err := os.Mkdir(at("notes"), 0o777); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		note := []string{"where is my new card number", "the exchange rate was wrong by"}[i%2]
		note += fmt.Sprintf(" %d", i)
		fmt.Fprintf(&texts, "n%02d.txt,%s,w%dord,%c\n", i, note, i, 'a'+i%3)
		fmt.Fprintf(&groups, "n%02d.txt,%d\n", i, 1+i%2)
		if err := os.WriteFile(at(fmt.Sprintf("notes/n%02d.txt", i)), []byte(note), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"a.csv": texts.String(), "groups.csv": groups.String(),
		"square.csv": "0,1,5,6\n1,0,4,5\n5,4,0,1\n6,5,1,0\n",
		"four.csv":   "id,cluster\n1,1\n2,1\n3,2\n4,2\n",
		"other.csv":  "id,cluster\n1,1\n9,2\n"} {
		if err := os.WriteFile(at(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	pictures := map[string]string{}
	for _, c := range []struct {
		args string
		code int
	}{
		{"groups.csv --data a.csv --features kind", 0},
		{"groups.csv --data a.csv --text note", 0},
		{"groups.csv --data a.csv --text note --encoder lsa", 0},
		{"groups.csv --data a.csv --text note --features kind", 0},
		{"groups.csv --data a.csv --text word", 0},
		{"four.csv --data square.csv --dissimilarity", 0},
		{"other.csv --data square.csv --dissimilarity", 3},
		{"groups.csv --data a.csv --text none", 3},
	} {
		args := []string{"plot", "--out", at("p.svg")}
		for _, arg := range strings.Fields(c.args) {
			if strings.HasSuffix(arg, ".csv") {
				arg = at(arg)
			}
			args = append(args, arg)
		}
		code, said := command(t, args...)
		if code != c.code {
			t.Fatalf("%s exits with %d:\n%s", c.args, code, said)
		}
		if code != 0 {
			continue
		}
		drawn, err := os.ReadFile(at("p.svg"))
		if err != nil {
			t.Fatal(err)
		}
		for earlier, picture := range pictures {
			if picture == string(drawn) {
				t.Errorf("%s draws what %s does", c.args, earlier)
			}
		}
		pictures[c.args] = string(drawn)
	}
	code, said := command(t, "plot", at("groups.csv"), "--data", at("notes"), "--text", "text",
		"--out", at("p.svg"))
	if code != 0 {
		t.Errorf("a folder of texts exits with %d:\n%s", code, said)
	}
}

// A picture is laid out as --layout has it, and how well neighbours are kept is reported.
func TestLayoutOfPictures(t *testing.T) {
	folder := t.TempDir()
	groups, picture := filepath.Join(folder, "g.csv"), filepath.Join(folder, "g.svg")
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"cluster wine -k 3 --out " + groups + " --plot " + picture + " --layout neighbours", 0,
			"neighbours are kept by the layout neighbours: trustworthiness 0.9"},
		{"plot " + groups + " --data wine --out " + picture, 0,
			"neighbours are kept by the layout pca: trustworthiness 0."},
		{"plot " + groups + " --data wine --layout mds --out " + picture, 0, "by the layout mds"},
		{"plot " + groups + " --data wine --layout round --out " + picture, 2,
			`--layout is "round": give neighbours, pca or mds`},
		{"cluster wine -k 3 --layout mds", 2, "give --plot FILE, too"},
	} {
		code, said := command(t, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(said, c.want) {
			t.Errorf("kindred %s exits with %d, and without %q:\n%s", c.args, code, c.want, said)
		}
	}
}
