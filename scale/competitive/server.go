package competitive

import (
	"slices"

	"github.com/kindred-go/kindred/cluster/competitive"
)

// server holds what all learners share.
type server struct {
	learners int
	at       competitive.Shared
	latest   []*competitive.Share // what each learner sent last; nil: nothing yet
	unread   []sent               // what was sent since somebody asked last, in order
}

// sent is what a learner came to in a period, from prototypes that it started at.
type sent struct {
	from    competitive.Floats
	learner int
	share   competitive.Share
}

// take takes what a learner sends.
func (s *server) take(learner int, from competitive.Floats, share competitive.Share) {
	s.unread = append(s.unread, sent{from, learner, share})
}

// ask returns where prototypes are by all that has been sent.
func (s *server) ask() competitive.Shared {
	*s = s.read()
	return s.at
}

// read takes all that has been sent into account. What all learners came to from one place, which
// nobody has asked for until all were there, is averaged.
func (s server) read() server {
	s.latest = slices.Clone(s.latest)
	if s.together() {
		shares := make([]competitive.Share, s.learners)
		for _, m := range s.unread {
			shares[m.learner] = m.share
			s.latest[m.learner] = &m.share
		}
		s.at, s.unread = s.at.After(competitive.Average(shares)), nil
		return s
	}
	for _, m := range s.unread {
		s.latest[m.learner] = &m.share
		s.step(m)
	}
	s.unread = nil
	return s
}

// together reports whether what has been sent is of all learners, once each, from where the server
// is.
func (s *server) together() bool {
	once := make([]bool, s.learners)
	for _, m := range s.unread {
		if once[m.learner] || !slices.Equal(m.from, s.at.Prototypes) {
			return false
		}
		once[m.learner] = true
	}
	return len(s.unread) == s.learners
}

// step moves prototypes by the way that a learner went, times its share of what all learners sent
// last: of the wins with a prototype, or, where none won with it, of the rows. Those that have not
// sent anything yet are taken to be like the others.
func (s *server) step(m sent) {
	k := len(s.at.Wins)
	wins, rows, known := make([]float64, k), 0.0, 0.0
	for _, l := range s.latest {
		if l == nil {
			continue
		}
		known++
		rows += float64(l.Rows)
		for j, w := range l.Wins {
			wins[j] += w
		}
	}
	d := len(m.from) / k
	way := make([]float64, len(m.from))
	for j := range k {
		part, whole := m.share.Wins[j], wins[j]
		if whole == 0 {
			part, whole = float64(m.share.Rows), rows
		}
		if part == 0 {
			continue
		}
		part *= known / (whole * float64(s.learners))
		for c := j * d; c < (j+1)*d; c++ {
			way[c] = part * (m.share.Prototypes[c] - m.from[c])
		}
	}
	average := m.share
	average.Prototypes = s.at.MoveBy(way).Prototypes
	s.at = s.at.After(average)
}
