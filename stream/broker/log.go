package broker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/kindred-go/kindred/fault"
)

// Limits are those of a stream that is made here because the broker has none for a subject. One
// that is there is used as it is.
type Limits struct {
	Age      time.Duration // messages older than that are dropped; 0: none
	Bytes    int64         // the oldest messages are dropped beyond; 0: none
	Replicas int           // servers of a cluster that keep a copy; 0: 1
}

// memory is how long a broker remembers the ids of messages, so as to refuse one that comes twice.
const memory = 2 * time.Minute

// record is what the broker keeps the messages of a subject in: a stream, in its words.
type record struct {
	stream jetstream.Stream
	info   *jetstream.StreamInfo
	// nothing but this subject's messages is in it, so that its sequence numbers have no gaps
	sole bool
}

// CheckSubject refuses a subject that messages cannot be kept under.
func CheckSubject(subject string) error {
	bad := subject == "" || strings.HasPrefix(subject, "$") || len(subject) > 200
	for token := range strings.SplitSeq(subject, ".") {
		bad = bad || token == ""
	}
	bad = bad || strings.ContainsFunc(subject,
		func(r rune) bool {
			return r <= ' ' || r == '*' || r == '>' || r == '/' || r == '\\' ||
				r == 0x7f
		})
	if bad {
		return &fault.Input{Problem: "the subject is " + strconv.Quote(subject),
			Fix: "give words joined by full stops, without blanks, * and >, as rows or plant.rows"}
	}
	return nil
}

// record finds the stream of a subject, or makes one. l is up.
func (c *Client) record(ctx context.Context, l *line, subject string, limits Limits) (record,
	error) {
	name, err := l.js.StreamNameBySubject(ctx, subject)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		name, err = c.makeRecord(ctx, l, subject, limits)
	}
	if err != nil {
		return record{}, err
	}
	s, err := l.js.Stream(ctx, name)
	if err != nil {
		return record{}, err
	}
	info := s.CachedInfo()
	cfg := &info.Config
	sole := slices.Equal(cfg.Subjects, []string{subject}) && cfg.Mirror == nil &&
		len(cfg.Sources) == 0
	return record{stream: s, info: info, sole: sole}, nil
}

func (c *Client) makeRecord(ctx context.Context, l *line, subject string,
	limits Limits) (name string, err error) {
	name = "KINDRED-" + strings.ReplaceAll(subject, ".", "-")
	cfg := jetstream.StreamConfig{
		Name: name, Subjects: []string{subject}, Description: "made by kindred",
		Storage:   jetstream.FileStorage,
		Retention: jetstream.LimitsPolicy, Discard: jetstream.DiscardOld, MaxAge: limits.Age,
		MaxBytes: limits.Bytes,
		Replicas: max(1, limits.Replicas), Duplicates: memory, AllowDirect: true,
	}
	if limits.Age > 0 {
		cfg.Duplicates = min(memory, limits.Age)
	}
	if limits.Bytes == 0 {
		cfg.MaxBytes = -1
	}
	if _, err := l.js.CreateStream(ctx, cfg); err != nil {
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			return "", fault.Inputf("add the subject to a stream of the broker, or choose another",
				"the broker has a stream %s that does not take the subject %s", name,
				subject).Because(err)
		}
		return "", err
	}
	c.cfg.Say(fmt.Sprintf("made the stream %s for %s on the broker: in files, %s", name, subject,
		limits))
	return name, nil
}

// String reports how long messages are kept.
func (l Limits) String() string {
	switch {
	case l.Age > 0 && l.Bytes > 0:
		return fmt.Sprintf("the oldest messages are dropped after %s, and beyond %d bytes", l.Age,
			l.Bytes)
	case l.Age > 0:
		return fmt.Sprintf("messages are dropped after %s", l.Age)
	case l.Bytes > 0:
		return fmt.Sprintf("the oldest messages are dropped beyond %d bytes", l.Bytes)
	}
	return "messages are kept until someone removes them"
}
