// Package freeport finds ports for tests of servers that end and begin again at one address.
package freeport

import (
	"net"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
)

// Ports are below those that systems assign to listeners of any port and to clients: such a
// one would be taken sooner or later while nobody listens at it, even by a caller in search of the
// server.
const (
	first = 12_000
	span  = 20_000
	share = 16 // of a process: several test at a time
)

var given atomic.Int64

// Address returns an address of this machine that nobody listens at, another each time.
func Address(t testing.TB) string {
	t.Helper()
	return address(Port(t))
}

// Port returns the port of one.
func Port(t testing.TB) int {
	t.Helper()
	for range span {
		port := first + int((int64(os.Getpid())*share+given.Add(1))%span)
		l, err := net.Listen("tcp", address(port))
		if err == nil {
			l.Close()
			return port
		}
	}
	t.Fatal("no port is free")
	return 0
}

func address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
