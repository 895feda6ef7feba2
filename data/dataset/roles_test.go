package dataset

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNames(t *testing.T) {
	for name, want := range map[string]naming{
		"id": namedID, "UUID": namedID, "Index": namedID,
		"customer_id": namedKey, "customerID": namedKey, "CustomerId": namedKey,
		"customerid": namedKey, "IDKunde": namedKey, "id_type": namedPlain,
		"CustomerNumber": namedKey, "orderNo": namedKey, "Kundennummer": namedKey,
		"order key": namedKey, "product code": namedKey, "lot_no": namedNumber,
		"Flurnummer": namedNumber, "key": namedNumber, "number": namedNumber,
		"zip": namedCode, "PLZ": namedCode, "zip code": namedCode, "phone_number": namedCode,
		"tel": namedCode, "phone_calls": namedPlain, "citric acid": namedPlain,
		"number_of_rooms": namedPlain, "body_mass_index": namedPlain, "yes_no": namedPlain,
		"KdNr": namedKey, "Kd-Nr": namedKey, "Kto": namedCode, "Kto-Nr.": namedCode,
		"Konto": namedCode, "Kontonummer": namedCode, "Kontostand": namedPlain, "BLZ": namedCode,
		"IBAN": namedCode, "Tel": namedCode, "Tel.": namedCode, "Name": namedShown,
		"Vorname": namedShown, "Nachname": namedShown, "Surname": namedShown,
		"first_name": namedShown, "LastName": namedShown, "given_name": namedShown,
		"Nom": namedShown, "prénom": namedShown, "nombre": namedShown, "apellido": namedShown,
		"contact": namedShown, "E-Mail": namedShown, "email": namedShown, "URL": namedShown,
		"name_length": namedPlain, "product_name": namedPlain,
		"Account": namedNumber, "account_balance": namedPlain, "Codice fiscale": namedKey,
		"Codice cliente": namedKey, "Código": namedNumber, "codigo": namedNumber,
		"Código postal": namedCode, "Kod pocztowy": namedCode, "Numer": namedNumber,
		"Numer zamówienia": namedKey, "Número": namedNumber, "Número de pedido": namedKey,
		"Número de hijos": namedPlain, "Nr": namedNumber, "Nr.": namedNumber, "N°": namedNumber,
		"Nº": namedNumber, "№": namedNumber, "N° commande": namedKey, "N": namedPlain,
		"n": namedPlain, "grid": namedPlain, "humid": namedPlain, "": namedPlain, "#": namedPlain,
	} {
		if got := namesOf(name, false); got != want {
			t.Errorf("%q is named %d, want %d", name, got, want)
		}
	}
}

// customers is a table whose columns are as those of files from offices.
func customers(rows int) string {
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("row,customer_id,uuid4,order_no,product_id,zip,phone,town,surname,state,income," +
		"rooms,vip,remark\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d,C-%05d,%08x-0000-4000-8000-%012x,%d,%d,%05d,%d,town %d,name %d,S%d,%d,%d,%v,"+
			"some remark %d on %d\n", i, i, i*7919, i, 70_000+3*i, 100+random.IntN(40),
			10_000+random.IntN(80_000), 4_000_000+random.IntN(1_000_000),
			int(20*random.Float64()*random.Float64()), random.IntN(5000), random.IntN(8),
			20_000+random.IntN(50_000), random.IntN(6), random.IntN(2) == 0, i, random.IntN(1e6))
	}
	return b.String()
}

func roles(t *Table) map[string]string {
	m := make(map[string]string)
	for _, c := range t.Columns {
		m[c.Name] = c.Role.String()
	}
	return m
}

// TestRoles: what names rows, what is shown, and what is compared, whatever the number of rows.
func TestRoles(t *testing.T) {
	text := customers(3000)
	want := map[string]string{"row": "unused", "customer_id": "id", "uuid4": "unused",
		"order_no": "unused", "product_id": "unused", "zip": "unused", "phone": "unused",
		"town": "feature", "surname": "unused", "state": "feature", "income": "feature",
		"rooms": "feature", "vip": "feature", "remark": "unused"}
	for _, rows := range []int{30, 31, 50, 99, 300, 999, 1000, 1001, 3000} {
		lines := strings.SplitAfterN(text, "\n", rows+2)
		prefix := strings.Join(lines[:rows+1], "")
		for _, keep := range []bool{false, true} {
			table := readString(t, prefix, "a.csv", ReadOptions{Keep: keep})
			if diff := cmp.Diff(want, roles(table)); diff != "" {
				t.Errorf("%d rows, keep %v (-want +got):\n%s", rows, keep, diff)
			}
			if table.ID(7) != "C-00007" {
				t.Errorf("row 8 is %s", table.ID(7))
			}
		}
	}
	asked := readString(t, text, "a.csv", ReadOptions{ID: "uuid4",
		Types: map[string]Type{"product_id": Category}})
	got := roles(asked)
	if got["uuid4"] != "id" || got["customer_id"] != "unused" || got["product_id"] != "feature" {
		t.Errorf("asked for otherwise: %v", got)
	}
	plain := roles(readString(t, text, "a.csv", ReadOptions{Plain: true}))
	if plain["row"] != "feature" || plain["order_no"] != "feature" || plain["zip"] != "feature" {
		t.Errorf("as the first edition: %v", plain)
	}
}

// TestLabelCopies leaves out what stands for the classes.
func TestLabelCopies(t *testing.T) {
	var b strings.Builder
	b.WriteString("x,code,word,near,other,class\n")
	for i := range 60 {
		k := i * i % 3
		near := k
		if i == 30 {
			near = 2
		}
		fmt.Fprintf(&b, "%d,%d,w%d,%d,%d,c%d\n", i*7%60, 10-k, k, near, i%3, k)
	}
	got := roles(readString(t, b.String(), "a.csv", ReadOptions{Label: "class"}))
	want := map[string]string{"x": "feature", "code": "unused", "word": "unused",
		"near": "feature", "other": "unused", "class": "label"}
	want["other"] = "feature"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got = roles(readString(t, b.String(), "a.csv",
		ReadOptions{Label: "class", Features: []string{"word", "x"}}))
	if got["word"] != "feature" {
		t.Error("what is asked for was left out")
	}
}

// TestLevelsAreBounded: of many values the most frequent have columns, and the others share one,
// the same whether or not all cells are kept.
func TestLevelsAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("x,town\n")
	for i := range 9000 {
		town := i % 10
		if i > 2000 && i%3 == 0 {
			town = i // many more than a category may have
		}
		fmt.Fprintf(&b, "%d.5,town %d\n", i%17, town)
	}
	path := writeFile(t, "a.csv", []byte(b.String()))
	var want *Table
	for _, o := range []ReadOptions{{}, {chunk: 500, Threads: 3}, {Keep: true}, {chunk: 9000},
		{Features: []string{"x", "town"}}} {
		o.Levels = 6
		got, err := Read(context.Background(), path, o)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		c := got.Columns[1]
		levels := []string{"town 0", "town 1", "town 2", "town 3", "town 4", "other"}
		if c.Role != Feature || c.Type != Category || len(c.Levels) != 6 || c.Levels[5] != "other" {
			t.Fatalf("%+v: %v, want as %v", o, c.Levels, levels)
		}
		if diff := cmp.Diff(want.Columns[1].Levels, c.Levels); diff != "" {
			t.Errorf("%+v: %s", o, diff)
		}
		for row := range got.Rows {
			if got.Value(row, 1) != want.Value(row, 1) {
				t.Fatalf("%+v: row %d is %v and %v", o, row, got.Value(row, 1), want.Value(row, 1))
			}
		}
		if o.Keep && got.Cell(2001, 1) != "town 2001" {
			t.Errorf("the town of row 2001 is shown as %q", got.Cell(2001, 1))
		}
	}
	p := prepare(t, want, Preparation{})
	if p.X.Cols != 7 {
		t.Errorf("%d columns", p.X.Cols)
	}
	// a value that was never seen is one of the others
	later := readString(t, "x,town\n1.5,nowhere\n", "b.csv",
		ReadOptions{Features: p.Encoding.Sources(), Types: p.Encoding.Types(), Levels: -1})
	x, _, err := p.Encoding.Apply(context.Background(), later)
	if err != nil || !(x.At(0, 6) > 0) || x.At(0, 6)*p.Encoding.Columns[1].Divisor[5] != 1 {
		t.Errorf("a value never seen: %v, %v", x, err)
	}
}

// TestWeights: a weight multiplies all columns that a column becomes, whatever the scale, and
// new rows are weighed alike.
func TestWeights(t *testing.T) {
	text := "x,y,kind\n1,10,a\n2,30,b\n4,20,a\n"
	for _, scale := range []Scale{ScaleMinMax, ScaleZScore, ScaleNone} {
		for _, consume := range []bool{false, true} {
			weights := map[string]float64{"x": 2, "kind": 0.5}
			table := readString(t, text, "a.csv", ReadOptions{})
			plain := prepare(t, table, Preparation{Scale: scale}).X
			p := prepare(t, readString(t, text, "a.csv", ReadOptions{}),
				Preparation{Scale: scale, Weights: weights, Consume: consume})
			again, _, err := p.Encoding.Apply(context.Background(), table)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 3 {
				for j, w := range []float64{2, 1, 0.5, 0.5} {
					if got, want := p.X.At(i, j), w*plain.At(i, j); got != want ||
						again.At(i, j) != want {
						t.Errorf("%v: row %d, column %d is %v, want %v", scale, i, j, got, want)
					}
				}
			}
			if got := p.Encoding.Original(0, p.X.At(2, 0)); math.Abs(got-4) > 1e-12 {
				t.Errorf("%v: x was %v", scale, got)
			}
		}
	}
	_, err := readString(t, text, "a.csv", ReadOptions{}).Prepare(context.Background(),
		Preparation{Weights: map[string]float64{"kimd": 2}})
	wantFault(t, err, `a.csv: the weights name "kimd", but there is no such column; `)
	if !strings.Contains(err.Error(), "kind") {
		t.Errorf("%v suggests nothing", err)
	}
}

// TestRolesOfPublishedSets are judged by hand: what names the rows, and what is shown and not
// compared.
func TestRolesOfPublishedSets(t *testing.T) {
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		t.Skip("KINDRED_DATASETS does not name a folder of data sets")
	}
	for file, want := range map[string]struct {
		id      string
		unused  []string
		feature []string
	}{
		"iris.csv": {feature: []string{"sepal_length", "sepal_width", "petal_length",
			"petal_width"}, unused: []string{"class"}},
		"childcare_centers.csv": {id: "id", unused: []string{"zip", "phone", "name", "address"},
			feature: []string{"source"}},
		"febrl1.csv": {id: "id", unused: []string{"soc_sec_id", "postcode", "surname",
			"suburb", "street_number"}, feature: []string{"state"}},
		"banking77.csv": {id: "id", unused: []string{"text"}},
		"pima.csv": {unused: []string{"class"}, feature: []string{"pregnant", "plasma_glucose",
			"blood_pressure", "triceps_skinfold", "insulin", "bmi", "pedigree", "age"}},
		"cmu_faces_labels.csv": {feature: []string{"identity", "pose", "expression", "eyes"},
			unused: []string{"image"}},
	} {
		table, err := Read(context.Background(), filepath.Join(folder, file), ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got := roles(table)
		for _, c := range table.Columns {
			if (c.Role == ID) != (c.Name == want.id) {
				t.Errorf("%s: %s is %s", file, c.Name, c.Role)
			}
		}
		for _, name := range want.unused {
			if got[name] != "unused" {
				t.Errorf("%s: %s is %s", file, name, got[name])
			}
		}
		for _, name := range want.feature {
			if got[name] != "feature" {
				t.Errorf("%s: %s is %s", file, name, got[name])
			}
		}
	}
}

// TestNamesOfPersonsAreShown compares no names and addresses, however few, unless they are asked
// for, and takes none as an id.
func TestNamesOfPersonsAreShown(t *testing.T) {
	var text strings.Builder
	text.WriteString("Vorname,E-Mail,url,Konto,x\n")
	for i := range 40 {
		fmt.Fprintf(&text, "%s,p%d@example.org,%08x-0000-4000-8000-%012x,%d,%d.5\n",
			[]string{"Ada", "Bob"}[i%2], i, i*7919, i, 4_000_000+977*i%7919, i)
	}
	for _, c := range []struct {
		features []string
		want     map[string]string
	}{
		{nil, map[string]string{"Vorname": "unused", "E-Mail": "unused", "url": "unused",
			"Konto": "unused", "x": "feature"}},
		{[]string{"Vorname", "x"}, map[string]string{"Vorname": "feature", "E-Mail": "unused",
			"url": "unused", "Konto": "unused", "x": "feature"}},
	} {
		table, err := ReadStream(t.Context(), strings.NewReader(text.String()), "a.csv",
			ReadOptions{Features: c.features})
		if err != nil {
			t.Fatal(err)
		}
		if got := roles(table); !maps.Equal(got, c.want) {
			t.Errorf("%q: %v", c.features, got)
		}
	}
}

// TestIdsInOtherLanguages name the rows where they differ.
func TestIdsInOtherLanguages(t *testing.T) {
	for _, name := range []string{"Account", "Codice fiscale", "Código", "Kundennummer", "Numer",
		"Número", "Nr", "N°", "Nº"} {
		var unique, shared strings.Builder
		unique.WriteString(name + ",x\n")
		shared.WriteString(name + ",x\n")
		for i := range 30 {
			fmt.Fprintf(&unique, "%d,%d\n", 4711+3*i, i*i%17)
			fmt.Fprintf(&shared, "%d,%d\n", 4711+i/2, i*i%17)
		}
		table := readString(t, unique.String(), "a.csv", ReadOptions{})
		if got := table.Columns[0].Role; got != ID || table.ID(1) != "4714" {
			t.Errorf("%s: %v", name, got)
		}
		table = readString(t, shared.String(), "a.csv", ReadOptions{})
		if got := table.Columns[0].Role; got == ID {
			t.Errorf("%s: ids that are shared name the rows", name)
		}
	}
}

// TestMoneyCountsNoRows, though it rises by one from row to row.
func TestMoneyCountsNoRows(t *testing.T) {
	var b strings.Builder
	b.WriteString("n,price,share,x\n")
	for i := range 50 {
		fmt.Fprintf(&b, "%d,$%d,%d%%,%d\n", i+1, i+1, i+1, i*i%17)
	}
	table := readString(t, b.String(), "a.csv", ReadOptions{})
	want := map[string]string{"n": "unused", "price": "feature", "share": "feature", "x": "feature"}
	if diff := cmp.Diff(want, roles(table)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
