package images

import (
	"container/list"
	"sync"
	"time"
)

// thumbKey names a thumbnail of a file as it was.
type thumbKey struct {
	name    string
	size    int
	bytes   int64
	changed time.Time
}

// thumb is a picture as the page shows it.
type thumb struct {
	key         thumbKey
	data        []byte
	contentType string
}

// cache keeps thumbnails up to a number of bytes; the least recently used goes first.
type cache struct {
	mu    sync.Mutex
	most  int64
	held  int64
	order *list.List // of *thumb, the latest in front
	at    map[thumbKey]*list.Element
}

// overhead is about what a thumbnail takes beside its bytes.
const overhead = 300

func newCache(most int64) *cache {
	return &cache{most: most, order: list.New(), at: map[thumbKey]*list.Element{}}
}

func (c *cache) get(key thumbKey) *thumb {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.at[key]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*thumb)
}

func (c *cache) put(t *thumb) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if cost(t) > c.most || c.at[t.key] != nil {
		return
	}
	c.at[t.key] = c.order.PushFront(t)
	for c.held += cost(t); c.held > c.most; {
		last := c.order.Remove(c.order.Back()).(*thumb)
		delete(c.at, last.key)
		c.held -= cost(last)
	}
}

func cost(t *thumb) int64 { return int64(len(t.data)) + int64(len(t.key.name)) + overhead }
