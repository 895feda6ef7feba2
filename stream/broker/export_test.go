package broker

// Token returns what clients must show.
func (s *Server) Token() string { return s.token }

// Away reports how many connections are known to be down.
func (c *Client) Away() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.away
}
