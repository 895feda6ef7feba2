package broker_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kindred-go/kindred/stream/broker"
)

// gate passes what goes to a server and back, until it is shut: then it takes nothing more, as a
// machine that hangs.
type gate struct {
	net.Listener
	to   string
	shut chan struct{}
	wg   sync.WaitGroup
}

func newGate(t *testing.T, to string) *gate {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{Listener: l, to: to, shut: make(chan struct{})}
	var mu sync.Mutex
	var open []net.Conn
	over := false
	g.wg.Go(func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				t.Error(err)
				return
			}
			in.(*net.TCPConn).SetReadBuffer(4096)
			mu.Lock()
			if over {
				in.Close()
				out.Close()
			}
			open = append(open, in, out)
			mu.Unlock()
			g.wg.Go(func() { io.Copy(in, out) })
			g.wg.Go(func() {
				text := make([]byte, 4096)
				for {
					n, err := in.Read(text)
					if err != nil {
						return
					}
					select {
					case <-g.shut:
						return
					default:
						out.Write(text[:n])
					}
				}
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		mu.Lock()
		over = true
		for _, c := range open {
			c.Close()
		}
		mu.Unlock()
		g.wg.Wait()
	})
	return g
}

// TestStuckBroker: a sink can be closed while a broker takes nothing of what is sent to it.
func TestStuckBroker(t *testing.T) {
	b := newBench(t)
	g := newGate(t, strings.TrimPrefix(b.server.Address(), "nats://"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	client, err := broker.Dial(ctx,
		broker.Config{URL: "nats://" + g.Addr().String(), Token: b.server.Token()})
	if err != nil {
		t.Fatal(err)
	}
	sink, err := client.Sink(ctx, broker.SinkConfig{Subject: "labels", Run: "run"})
	if err != nil {
		t.Fatal(err)
	}
	put(t, sink, block(1, 10))
	settle(t, sink)
	close(g.shut)
	short, end := context.WithTimeout(ctx, time.Second)
	defer end()
	for i := uint64(2); err == nil; i++ {
		next := block(i, 8000)
		err = sink.Put(short, next, labelled(next))
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	cancel()
	closed := make(chan struct{})
	go func() {
		sink.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(50 * time.Second): // what is being sent would be waited for a minute
		t.Error("the sink does not close")
	}
}
