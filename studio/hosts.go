package studio

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// hostList knows by which names the server may be called. A page elsewhere whose name is made to
// lead to this machine (DNS rebinding) comes with its own name, which is not among them.
type hostList struct {
	host, port string          // of the address listened on; host may be "" or unspecified
	extra      map[string]bool // further hosts in lower case, with a port or for any
	first      string          // of the further ones, with its port or ours
}

func newHostList(address string, extra []string) (hostList, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return hostList{}, &fault.Input{Problem: fmt.Sprintf("%q is no address that a server listens on", address), Fix: "give host:port, as in " + DefaultAddress, Err: err}
	}
	list := hostList{host: host, port: port, extra: map[string]bool{}}
	for _, h := range extra {
		u, err := url.Parse("http://" + h)
		if err != nil || u.Host != h || u.Hostname() == "" || strings.HasSuffix(h, ":") ||
			strings.Contains(h, "*") {
			return hostList{}, &fault.Input{Problem: fmt.Sprintf("%q is no name of a host", h),
				Fix: "give a name, as in kindred.example.org, with a port where only that is meant"}
		}
		if list.first == "" {
			list.first = net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), port))
		}
		if u.Port() == "" {
			h = u.Hostname() // without the brackets of an address
		}
		list.extra[strings.ToLower(h)] = true
	}
	return list, nil
}

// shown returns host:port for links that people open.
func (l *hostList) shown() string {
	a, err := netip.ParseAddr(l.host)
	everywhere := l.host == "" || err == nil && a.IsUnspecified()
	switch {
	case !everywhere && !loopback(l.host):
		return net.JoinHostPort(l.host, l.port)
	case l.first != "":
		return l.first
	case everywhere:
		return net.JoinHostPort(outside(), l.port)
	}
	return net.JoinHostPort(l.host, l.port)
}

// outside returns an address of this machine that others may reach; 127.0.0.1 where it has none.
func outside() string {
	addresses, err := net.InterfaceAddrs()
	if err == nil {
		for _, a := range addresses {
			if ip, ok := a.(*net.IPNet); ok && ip.IP.IsGlobalUnicast() && ip.IP.To4() != nil {
				return ip.IP.String()
			}
		}
	}
	return "127.0.0.1"
}

// allows reports whether the Host of a request is a name of this server.
func (l *hostList) allows(r *http.Request) bool {
	if l.further(r) {
		return true
	}
	host, port := called(r)
	if port == "" {
		port = "80"
	}
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if local == nil {
		return false
	}
	at, err := netip.ParseAddrPort(local.String())
	if err != nil || fmt.Sprint(at.Port()) != port {
		return false
	}
	if loopback(host) {
		return at.Addr().Unmap().IsLoopback()
	}
	// An address cannot be rebound: it must be the one that the connection came to.
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap() == at.Addr().Unmap() || host == strings.ToLower(l.host)
}

// called returns the name and the port, "" where there is none, that a request calls the server by.
func called(r *http.Request) (host, port string) {
	given := strings.ToLower(r.Host)
	if h, p, err := net.SplitHostPort(given); err == nil {
		return h, p
	}
	return strings.TrimSuffix(strings.TrimPrefix(given, "["), "]"), ""
}

// further reports whether a request calls the server by one of its further names.
func (l *hostList) further(r *http.Request) bool {
	host, _ := called(r)
	return l.extra[strings.ToLower(r.Host)] || l.extra[host]
}

// secure reports whether a browser came by HTTPS. A proxy in front says so, and is believed where
// the server was told of the name that it goes by. Whoever lies is left without a cookie, and gets
// at nothing by that.
func (l *hostList) secure(r *http.Request) bool {
	// by the proxy next to the browser
	first, _, _ := strings.Cut(r.Header.Get("X-Forwarded-Proto"), ",")
	return l.further(r) && strings.EqualFold(strings.TrimSpace(first), "https")
}

// fromElsewhere tells, in a clause, why a request seems to be made by a page of another origin; ""
// when it does not. A person who follows a link to the page itself is welcome from anywhere:
// nothing changes by that, and frames are denied.
func fromElsewhere(r *http.Request) string {
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" ||
			!strings.EqualFold(u.Host, r.Host) {
			return "it comes from another origin"
		}
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return ""
	}
	if opensPage(r) && r.Header.Get("Sec-Fetch-Mode") == "navigate" &&
		r.Header.Get("Sec-Fetch-Dest") == "document" {
		return ""
	}
	return "a page of another site made it"
}

// opensPage reports whether a request is for the page itself.
func opensPage(r *http.Request) bool {
	return r.Method == http.MethodGet && r.URL.Path == "/"
}
