// Package dburl understands the URLs of PostgreSQL databases, as far as it takes to call them
// something without their passwords.
package dburl

import (
	"errors"
	"net"
	"net/url"
	"path"
	"slices"
	"strings"
)

// Is reports whether a name of data is the URL of a PostgreSQL database.
func Is(name string) bool { return scheme(name) != "" }

// scheme returns the beginning of a URL; "" where it is none.
func scheme(name string) string {
	for _, s := range []string{"postgres://", "postgresql://"} {
		if len(name) >= len(s) && strings.EqualFold(name[:len(s)], s) {
			return name[:len(s)]
		}
	}
	return ""
}

// errForm is returned for what cannot be taken apart without doubt.
var errForm = errors.New("the URL is not well formed")

// parse takes a URL apart. A sign of the password that is not escaped could end up in the host, the
// path or the query, and be shown: such URLs are refused.
func parse(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	authority := address[len(scheme(address)):]
	if end := strings.IndexAny(authority, "/?#"); end >= 0 {
		authority = authority[:end]
	}
	switch {
	case strings.Count(authority, "@") > 1: // programs differ in which is the last of a password
		return nil, errForm
	case err != nil, u.Fragment != "", strings.Contains(address, "#"):
		return nil, errForm // and not err, which has the password
	case u.User == nil && strings.Contains(u.EscapedPath(), "@"),
		u.User == nil && u.Path == "" && strings.Contains(u.RawQuery, "@"):
		return nil, errForm
	}
	return u, nil
}

// Address returns a URL as drivers take it, with the scheme in small letters; an error where it is
// not well formed.
func Address(address string) (string, error) {
	if _, err := parse(address); err != nil {
		return "", err
	}
	known := scheme(address)
	return strings.ToLower(known) + address[len(known):], nil
}

// Bare returns a URL without its passwords: the same where it has none.
func Bare(address string) string {
	u, err := parse(address)
	if err != nil {
		rest := address[len(scheme(address)):]
		rest = rest[strings.LastIndexByte(rest, '@')+1:]
		if end := strings.IndexAny(rest, "?#"); end >= 0 {
			rest = rest[:end]
		}
		return scheme(address) + rest
	}
	kept := slices.DeleteFunc(strings.Split(u.RawQuery, "&"), func(setting string) bool {
		key, _, _ := strings.Cut(setting, "=")
		if plain, err := url.QueryUnescape(key); err == nil {
			key = plain
		}
		return strings.EqualFold(key, "password") || strings.EqualFold(key, "sslpassword")
	})
	_, secret := u.User.Password()
	query := strings.Join(kept, "&")
	if !secret && query == u.RawQuery {
		return address
	}
	u.RawQuery = query
	if secret {
		u.User = url.User(u.User.Username())
	}
	return u.String()
}

// Name returns the name of the database that a URL names, which can be part of the name of a file;
// "postgres" where it names none.
func Name(address string) string {
	u, err := parse(address)
	if err != nil {
		return "postgres"
	}
	name := u.Query().Get("dbname")
	if base := path.Base(u.Path); base != "." && base != "/" {
		name = base
	}
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return '-'
		}
		return r
	}, name)
	if strings.Trim(name, ".") == "" {
		return "postgres"
	}
	return name
}

// Local reports whether a URL names no other machine than this one: its hosts are sockets, names
// of this machine, or left out, so that the person's own settings say where it leads.
func Local(address string) bool {
	u, err := parse(address)
	if err != nil {
		return false
	}
	hosts := []string{u.Hostname()}
	for key, values := range u.Query() {
		switch strings.ToLower(key) {
		case "host", "hostaddr":
			hosts = append(hosts, values...)
		case "servicefile": // it may be anybody's
			return false
		}
	}
	for _, host := range strings.Split(strings.Join(hosts, ","), ",") {
		ip := net.ParseIP(host)
		if host != "" && host[0] != '/' && !strings.EqualFold(host, "localhost") &&
			(ip == nil || !ip.IsLoopback()) {
			return false
		}
	}
	return true
}
