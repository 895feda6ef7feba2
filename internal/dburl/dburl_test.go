package dburl

import (
	"strings"
	"testing"
)

func TestURLsAreToldFromFiles(t *testing.T) {
	for name, want := range map[string]bool{"postgres://h/db": true, "postgresql:///db": true,
		"POSTGRES://h/db": true, "postgres.csv": false, "postgres:/h": false, "": false,
		"mysql://h/db": false, "./postgres://h": false} {
		if Is(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

func TestAddressIsOfOneMeaning(t *testing.T) {
	for address, want := range map[string]string{
		"POSTGRES://u:pw@h:1/db?a=b": "postgres://u:pw@h:1/db?a=b",
		"postgresql://h":             "postgresql://h",
		"postgres://u:top@secret@h":  "",
		"postgres://u:p#w@h/db":      "",
	} {
		got, err := Address(address)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %s, %v", address, got, err)
		}
	}
}

func TestBareHasNoPassword(t *testing.T) {
	for address, want := range map[string]string{
		"postgres://h/db":                          "postgres://h/db",
		"postgres://ann@h:5433/db?sslmode=require": "postgres://ann@h:5433/db?sslmode=require",
		"postgres://ann:s3cret@h/db":               "postgres://ann@h/db",
		"postgresql://ann:@h/db":                   "postgresql://ann@h/db",
		"postgres://ann:s%40cret@h/db":             "postgres://ann@h/db",
		"postgres://ann:s@cret@h/db":               "postgres://h/db",
		"postgres://:s3cret@h/db":                  "postgres://@h/db",
		"postgres:///db?user=a&password=s3cret":    "postgres:///db?user=a",
		"postgres:///db?pass%77ord=s3cret&user=a":  "postgres:///db?user=a",
		"postgres:///db?PASSWORD=s3cret":           "postgres:///db",
		"postgres:///db?sslpassword=s3cret&host=h": "postgres:///db?host=h",
		"postgres:///db?user=ann@corp&port=1":      "postgres:///db?user=ann@corp&port=1",
		"postgres://a:s3cret@[::1]:5432/db":        "postgres://a@[::1]:5432/db",
		// signs that are not escaped
		"postgres://ann:s3#cret@h/db":       "postgres://h/db",
		"postgres://ann:3#cret@h/db":        "postgres://h/db",
		"postgres://ann:3?cret@h/db":        "postgres://h/db",
		"postgres://ann:3/cret@h/db":        "postgres://h/db",
		"postgres://ann:s3/cret@h/db?a=b":   "postgres://h/db",
		"postgres://ann:s%zzcret@h/db":      "postgres://h/db",
		"postgres://h/db?a=b#password=cret": "postgres://h/db",
	} {
		got := Bare(address)
		if got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
		if Bare(got) != got {
			t.Errorf("%s: %s is not bare", address, got)
		}
	}
}

func FuzzBareHasNoPassword(f *testing.F) {
	f.Add("a#b")
	f.Add("x?y=z&w@v")
	f.Fuzz(func(t *testing.T, extra string) {
		if strings.ContainsAny(extra, "@") {
			return
		}
		secret := "QqZz" + extra + "ZzQq"
		if got := Bare("postgres://ann:" + secret + "@h/db"); strings.Contains(got, "QqZz") {
			t.Errorf("%q: %q", secret, got)
		}
	})
}

func TestNameIsOfTheDatabase(t *testing.T) {
	for address, want := range map[string]string{"postgres://h/shop?sslmode=disable": "shop",
		"postgres://h": "postgres", "postgres:///?dbname=shop": "shop",
		"postgres://h/..": "postgres", "postgres://h/a%2Fb": "b", "postgres://h/a%3Ab": "a-b",
		"postgres://a:b#c@h/db": "postgres"} {
		if got := Name(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

func TestLocalURLsNameNoOtherMachine(t *testing.T) {
	for address, want := range map[string]bool{
		"postgres:///db": true, "postgres://ann@localhost/db": true,
		"postgres://127.0.0.1:5433/db": true, "postgres://[::1]/db": true,
		"postgres:///db?host=/run/postgresql": true, "postgres:///db?service=shop": true,
		"postgres://db.example/db": false, "postgres://10.0.0.1/db": false,
		"postgres://localhost/db?host=db.example":      false,
		"postgres://localhost/db?hostaddr=192.0.2.1":   false,
		"postgres:///db?host=localhost,db.example":     false,
		"postgres:///db?HOST=db.example":               false,
		"postgres:///db?servicefile=x.conf&service=db": false,
		"postgres://a@localhost@db.example/db":         false,
		"postgres://localhost.db.example/db":           false,
	} {
		if Local(address) != want {
			t.Errorf("%s: %v", address, !want)
		}
	}
}
