package dissim

import "sync"

// counter adds up work done by several goroutines and reports it.
type counter struct {
	lock        sync.Mutex
	report      func(done, total int64)
	done, total int64
}

func (c *counter) add(n int64) {
	if c.report == nil {
		return
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	c.done += n
	c.report(c.done, c.total)
}
