package studio

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/kindred-go/kindred/fault"
)

// person is who a request is from.
type person struct {
	name  string // "" where there is one alone
	admin bool   // may begin projects and change what holds for all
}

// Limits of the people.
const (
	longestPerson = 64   // characters of a name
	mostPeople    = 1000 // of one server
)

func newPeople(names []string) ([]person, error) {
	if len(names) == 0 {
		return []person{{admin: true}}, nil
	}
	if len(names) > mostPeople {
		return nil, fault.Inputf("start another server for the others",
			"%d people are more than the %d that one server has", len(names), mostPeople)
	}
	var people []person
	seen := map[string]bool{}
	for i, name := range names {
		switch {
		case name == "" || strings.TrimSpace(name) != name:
			return nil, fault.Inputf("give a name without blanks around it",
				"%q is no name of a person", name)
		case utf8.RuneCountInString(name) > longestPerson:
			return nil, fault.Inputf("give a shorter one",
				"the name %q is longer than %d characters", name, longestPerson)
		case !utf8.ValidString(name) ||
			strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
			return nil, fault.Inputf("leave them out",
				"the name %q has characters that cannot be shown", name)
		case seen[name]:
			return nil, fault.Inputf("tell them apart by their names", "two people are called %q",
				name)
		}
		seen[name] = true
		people = append(people, person{name: name, admin: i == 0})
	}
	return people, nil
}

type personKey struct{}

// asking returns who a request is from. Every handler behind the token check may rely on it.
func asking(ctx context.Context) person {
	return ctx.Value(personKey{}).(person)
}

// secretBytes is the size of the secret that tokens are made from.
const secretBytes = 32

// Token returns the token of a person, "" where there is one alone, for servers of a scope
// ([Config]) that this user starts with the secret kept for them.
func Token(scope, person string) (string, error) {
	secret, err := keptSecret()
	if errors.Is(err, errUnkept) {
		return "", fault.Inputf("set XDG_CONFIG_HOME, or HOME, to a folder that can be written to",
			"tokens change with every start of a server, as there is nowhere to keep what they "+
				"are made from").Because(err)
	}
	if err != nil {
		return "", err
	}
	return token(secret, scope, person), nil
}

// token returns the token of a person in a scope: 32 letters, digits, - and _. It is the same as
// long as the secret is, so that cookies and programs outlive a restart.
func token(secret []byte, scope, person string) string {
	h := hmac.New(sha256.New, secret)
	fmt.Fprintf(h, "kindred token 1\x00%d\x00%s\x00%s", len(scope), scope, person)
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:24])
}

// holder returns the person that a token belongs to. It takes as long whatever the token is.
func (s *Server) holder(given string) (person, bool) {
	found := -1
	for i, t := range s.tokens {
		if subtle.ConstantTimeCompare([]byte(t), []byte(given)) == 1 {
			found = i
		}
	}
	if found < 0 {
		return person{}, false
	}
	return s.people[found], true
}

// errUnkept means that a secret cannot be kept, as in a home that is read-only.
var errUnkept = errors.New("the secret that tokens are made from cannot be kept")

func newSecret() []byte {
	secret := make([]byte, secretBytes)
	rand.Read(secret) // never fails
	return secret
}

// keptSecret returns the secret of this user, which is made once and kept where only they can read
// it.
func keptSecret() ([]byte, error) {
	folder, err := os.UserConfigDir()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnkept, err)
	}
	return secretIn(filepath.Join(folder, "kindred"), secretTries)
}

func secretIn(folder string, tries int) ([]byte, error) {
	path := filepath.Join(folder, "secret")
	secret, err := readSecret(path, tries)
	if err == nil || fault.IsInput(err) {
		return secret, err
	}
	secret = newSecret()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("%w: %w", errUnkept, err)
	}
	// Two processes may begin at once: the first one's secret is that of both.
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return readSecret(path, tries)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnkept, err)
	}
	_, err = f.Write(secret)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		os.Remove(path)
		return nil, fmt.Errorf("%w: %w", errUnkept, err)
	}
	return secret, nil
}

// secretTries is how often a secret that is not whole is read again, ten milliseconds later.
const secretTries = 20

// readSecret reads a secret, and takes from others the right to read it.
func readSecret(path string, tries int) ([]byte, error) {
	for try := 0; ; try++ {
		secret, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if len(secret) == secretBytes {
			if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
				if err := os.Chmod(path, 0o600); err != nil {
					return nil, &fault.Input{File: path,
						Problem: "others may read the secret that tokens are made from",
						Fix:     "remove it; another is made, and everybody needs a new link", Err: err}
				}
			}
			return secret, nil
		}
		if try >= tries { // long after another process, which may just be writing it
			return nil, fault.Inputf("remove the file; another is made, and everybody needs a new link",
				"the secret that tokens are made from has %d bytes instead of %d", len(secret),
				secretBytes).In(path)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
