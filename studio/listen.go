package studio

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"runtime"
	"strconv"
	"syscall"

	"github.com/kindred-go/kindred/fault"
)

// DefaultAddress is where the studio listens when nobody says: this machine alone, port 5463.
const DefaultAddress = "127.0.0.1:5463"

// ErrPortInUse means that another program listens at an address already.
var ErrPortInUse = errors.New("the port is in use")

// Listen listens on address, host:port, where port 0 takes a free one. Unless allowRemote, the host
// must be an address of this machine alone: 127.0.0.1, ::1 or localhost. The warning is "" or
// tells, in a sentence or two, what it means that other machines can reach the listener. A
// *fault.Input tells an address that cannot be; it wraps [ErrPortInUse] where another port would
// do.
func Listen(address string, allowRemote bool) (l net.Listener, warning string, err error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, "", &fault.Input{Problem: fmt.Sprintf("%q is no address to listen on", address),
			Fix: "give host:port, as in " + DefaultAddress, Err: err}
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil {
		return nil, "", &fault.Input{Problem: fmt.Sprintf("%q is no port", port),
			Fix: "give a number from 0, which takes a free one, to 65535", Err: err}
	} else if n > 0 && n < 1024 && !allowRemote {
		return nil, "", &fault.Input{Problem: fmt.Sprintf("port %d is kept for the system's services", n), Fix: "give one from 1024 to 65535"}
	}
	if !loopback(host) {
		if !allowRemote {
			return nil, "", &fault.Input{
				Problem: fmt.Sprintf("other machines could reach %q", address),
				Fix:     "listen on 127.0.0.1, or say that this is meant",
			}
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
		return nil, "", &fault.Input{
			Problem: fmt.Sprintf("port %s is in use, perhaps by another kindred", port),
			Fix:     "close that one, or give another port; port 0 takes a free one",
			Err:     fmt.Errorf("%w: %w", ErrPortInUse, err),
		}
	case err != nil:
		return nil, "", &fault.Input{Problem: fmt.Sprintf("%s cannot be listened on: %v", address,
			err), Fix: "give an address of this machine, as in " + DefaultAddress, Err: err}
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
