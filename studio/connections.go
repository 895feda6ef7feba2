package studio

import (
	"net"
	"sync"
)

// unlimited is how many descriptors a process may have where nothing limits them.
const unlimited = 1 << 30

// ownDescriptors are kept for the files of projects, data and exports: a server that has none left
// could neither read nor write.
const ownDescriptors = 100

// connections returns how many connections may be open of so many descriptors.
func connections(descriptors int) int { return max(descriptors/4, descriptors-ownDescriptors) }

// fewConnections accepts connections while there is room for them.
type fewConnections struct {
	net.Listener
	room    chan struct{}
	stopped <-chan struct{}
}

// Accept waits until there is room.
func (l *fewConnections) Accept() (net.Conn, error) {
	select {
	case l.room <- struct{}{}:
	case <-l.stopped:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.room
		return nil, err
	}
	return &connection{c, sync.OnceFunc(func() { <-l.room })}, nil
}

// connection makes room when it is closed.
type connection struct {
	net.Conn
	left func()
}

// Close closes the connection.
func (c *connection) Close() error {
	defer c.left()
	return c.Conn.Close()
}

// CloseWrite lets a client read the last answer though it still sends; net/http looks for it.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
