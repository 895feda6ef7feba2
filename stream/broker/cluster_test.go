package broker_test

import (
	"context"
	"net"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/kindred-go/kindred/internal/freeport"
	"github.com/kindred-go/kindred/stream/broker"
)

// cluster starts three servers that keep streams together, and returns the address of one.
func cluster(t *testing.T) string {
	t.Helper()
	var routes []*url.URL
	for range 3 {
		routes = append(routes, &url.URL{Scheme: "nats", Host: freeport.Address(t)})
	}
	var all []*server.Server
	for i, route := range routes {
		host, port, _ := net.SplitHostPort(route.Host)
		opts := &server.Options{
			ServerName: "server" + strconv.Itoa(i), Host: host, Port: server.RANDOM_PORT,
			JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true,
			Cluster: server.ClusterOpts{Name: "three", Host: host}, Routes: routes,
		}
		opts.Cluster.Port, _ = strconv.Atoi(port)
		s, err := server.NewServer(opts)
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(func() {
			s.Shutdown()
			s.WaitForShutdown()
		})
		all = append(all, s)
	}
	for _, s := range all {
		if !s.ReadyForConnections(2 * time.Minute) {
			t.Fatal("a server of the cluster does not start")
		}
	}
	return all[0].ClientURL()
}

// TestReplicatedLabels: messages of somebody else's, among labels that three servers keep, neither
// take the place of one nor bring the stream to a standstill.
func TestReplicatedLabels(t *testing.T) {
	if testing.Short() {
		t.Skip("a cluster takes seconds to begin")
	}
	at := cluster(t)
	b := &bench{t: t}
	nc, err := nats.Connect(at, nats.Timeout(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	if b.js, err = jetstream.New(nc, jetstream.WithDefaultTimeout(time.Minute)); err != nil {
		t.Fatal(err)
	}
	// until the servers have found each other
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second) // nobody may answer
		_, err := b.js.CreateStream(ctx,
			jetstream.StreamConfig{Name: "labels", Subjects: []string{"labels"}, Replicas: 3})
		cancel()
		if err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
	if b.client, err = broker.Dial(t.Context(),
		broker.Config{URL: at, Say: b.reported.say}); err != nil {
		t.Fatal(err)
	}
	s := b.sink(broker.SinkConfig{})
	const rounds, blocks = 20, 20
	for i := range uint64(rounds) {
		for k := range uint64(blocks) {
			put(t, s, block(blocks*i+k+1, 1))
			if k == blocks/2 {
				b.js.PublishAsync("labels", []byte("mine"))
			}
		}
		settle(t, s)
	}
	inOrder(t, b, rounds*blocks)
}
