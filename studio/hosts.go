package studio

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"syscall"

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
		return hostList{}, fault.Inputf("give host:port, as in "+DefaultAddress,
			"%q is no address that a server listens on", address).Because(err)
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

// secure reports whether a browser came by HTTPS. A proxy in front sets a header about it, which
// counts if its name is among the further names. A false one leaves the client without a cookie.
func (l *hostList) secure(r *http.Request) bool {
	// by the proxy next to the browser
	first, _, _ := strings.Cut(r.Header.Get("X-Forwarded-Proto"), ",")
	return l.further(r) && strings.EqualFold(strings.TrimSpace(first), "https")
}

// fromElsewhere returns, as a clause, why a request seems to be made by a page of another origin;
// "" when it does not. A person who follows a link to the page itself is welcome from anywhere:
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

// DefaultAddress is where the studio listens by default: this machine alone, [DefaultPort].
const DefaultAddress = "127.0.0.1:5463"

// DefaultPort is the port of [DefaultAddress].
const DefaultPort = 5463

// ErrPortInUse means that another program listens at an address already.
var ErrPortInUse = errors.New("the port is in use")

// Listen listens on address, host:port, where port 0 takes a free one. Unless allowRemote, the host
// must be an address of this machine alone: 127.0.0.1, ::1 or localhost. The warning is "" or
// a sentence or two about what it means that other machines can reach the listener. It fails with
// a *fault.Input for an address that cannot be, which wraps [ErrPortInUse] where another port would
// do.
func Listen(address string, allowRemote bool) (l net.Listener, warning string, err error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, "", fault.Inputf("give host:port, as in "+DefaultAddress,
			"%q is no address to listen on", address).Because(err)
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil {
		return nil, "", fault.Inputf("give a number from 0, which takes a free one, to 65535",
			"%q is no port", port).Because(err)
	} else if n > 0 && n < 1024 && !allowRemote {
		return nil, "", fault.Inputf("give one from 1024 to 65535",
			"port %d is kept for the system's services", n)
	}
	if !loopback(host) {
		if !allowRemote {
			return nil, "", fault.Inputf("listen on 127.0.0.1, or say that this is meant",
				"other machines could reach %q", address)
		}
		warning = "Other machines can reach this server. What it sends can be read on the way, " +
			"tokens included: use it in a network you trust, or behind a proxy that speaks HTTPS."
	}
	if host == "localhost" {
		host = "127.0.0.1" // it may lead elsewhere by the machine's own files
	}
	l, err = net.Listen("tcp", net.JoinHostPort(host, port))
	switch {
	case portTaken(err):
		return nil, "", fault.Inputf(
			"close that one, or give another port; port 0 takes a free one",
			"port %s is in use, perhaps by another kindred",
			port).Because(fmt.Errorf("%w: %w", ErrPortInUse, err))
	case err != nil:
		return nil, "", fault.Inputf("give an address of this machine, as in "+DefaultAddress,
			"%s cannot be listened on: %v", address, err).Because(err)
	}
	return l, warning, nil
}

// loopback reports whether only this machine reaches a host.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}

// portTaken reports whether an error of net.Listen is about the port.
func portTaken(err error) bool {
	const windows = syscall.Errno(10048) // WSAEADDRINUSE
	var number syscall.Errno
	return errors.As(err, &number) &&
		(number == syscall.EADDRINUSE || runtime.GOOS == "windows" && number == windows)
}
