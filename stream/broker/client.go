package broker

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/kindred-go/kindred/fault"
)

// Config is the broker, and how to reach it.
type Config struct {
	// nats://host:port, also tls, ws and wss; several separated by commas; a user and password, or
	// a token, may be in it. Ignored where Server is set
	URL         string
	Server      *Server       // a server in this process
	Credentials string        // file of credentials that nobody else may read; "": none
	Token       string        // "": none, or that in URL
	Timeout     time.Duration // how long the broker may be away; 0: for ever
	// called, from any goroutine, when the broker goes and comes back, and what is made there;
	// nil: not called
	Say func(string)
}

// Client reaches a broker. Its sources and sinks have connections of their own.
type Client struct {
	cfg  Config
	ctx  context.Context // ends all waiting for a broker that is away
	opts []nats.Option
	host string // of the URL, without what must not be shown

	mu    sync.Mutex
	away  int       // connections that are down
	since time.Time // when the first of them went
	met   bool      // the broker has answered once
}

// Dial reaches the broker, waiting for it as cfg sets. Once ctx is done nothing of this client
// waits for a broker that is away. Wrong credentials, an address that is none, and a server without
// JetStream are a [*fault.Input].
func Dial(ctx context.Context, cfg Config) (*Client, error) {
	c := &Client{cfg: cfg, ctx: ctx}
	if c.cfg.Say == nil {
		c.cfg.Say = func(string) {}
	}
	if err := c.options(); err != nil {
		return nil, err
	}
	l := c.line("kindred")
	defer l.close()
	err := l.do(ctx, func(ctx context.Context) error {
		_, err := l.js.AccountInfo(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	c.met = true
	return c, nil
}

func (c *Client) options() error {
	c.opts = []nats.Option{
		// A connection is used until it breaks, and a new one begins with looking at what the
		// broker has: what the library would send again by itself could come twice, or late.
		nats.NoReconnect(), nats.Timeout(2 * time.Second), nats.FlusherTimeout(answerWait),
		nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2),
	}
	if c.cfg.Server != nil {
		c.host, c.cfg.URL = "of this process", ""
		c.opts = append(c.opts, nats.InProcessServer(c.cfg.Server.nats),
			nats.Token(c.cfg.Server.token))
		return nil
	}
	var hosts []string
	for _, address := range strings.Split(c.cfg.URL, ",") {
		if address = strings.TrimSpace(address); !strings.Contains(address, "://") {
			address = "nats://" + address
		}
		u, err := url.Parse(address)
		if err != nil || u.Hostname() == "" ||
			!strings.Contains(" nats tls ws wss ", " "+u.Scheme+" ") {
			// The address is not shown, nor the reason: a password could be in either.
			return fault.Inputf("give nats://host:port, or embedded:FOLDER for one in this process",
				"the broker's address is none")
		}
		hosts = append(hosts, u.Host)
	}
	c.host = "at " + strings.Join(hosts, ", ")
	if c.cfg.Token != "" {
		c.opts = append(c.opts, nats.Token(c.cfg.Token))
	}
	if name := c.cfg.Credentials; name != "" {
		info, err := os.Stat(name)
		if err != nil {
			return fault.Inputf("name the .creds file of a user",
				"the broker's credentials cannot be read").In(name).Because(err)
		}
		if err := checkOwn(name, "credentials", info); err != nil {
			return err
		}
		c.opts = append(c.opts, nats.UserCredentials(name))
	}
	return nil
}

// leave notes that a connection is down.
func (c *Client) leave(why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.away++; c.away == 1 {
		c.since = time.Now()
		c.cfg.Say(fmt.Sprintf("the broker %s is away (%s); trying again", c.host, reason(why)))
	}
}

// come notes that it is up again.
func (c *Client) come() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.away--; c.away == 0 {
		c.cfg.Say(fmt.Sprintf("the broker %s is back after %s", c.host,
			time.Since(c.since).Round(100*time.Millisecond)))
	}
}

// reason returns in a few words why a broker is away.
func reason(err error) string {
	switch {
	case errors.Is(err, nats.ErrNoServers):
		return "there is no connection"
	case errors.Is(err, nats.ErrConnectionClosed), errors.Is(err, jetstream.ErrMsgIteratorClosed),
		errors.Is(err, jetstream.ErrConnectionClosed):
		return "the connection broke"
	case errors.Is(err, nats.ErrTimeout), errors.Is(err, context.DeadlineExceeded),
		errors.Is(err, jetstream.ErrNoHeartbeat):
		return "it does not answer"
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, jetstream.ErrNoStreamResponse):
		return "JetStream does not answer"
	}
	text := err.Error()
	for strings.HasPrefix(text, "nats: ") {
		text = text[len("nats: "):]
	}
	return text
}

// duplicateUnderWay is the server's code for a message that several servers are still agreeing on
// from an earlier connection.
const duplicateUnderWay = 10158

// unauthorised reports whether the broker does not let us in.
func unauthorised(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) ||
		errors.Is(err, nats.ErrAuthRevoked) || errors.Is(err, nats.ErrAccountAuthExpired)
}

// passing reports whether an error may go away by itself.
func (c *Client) passing(err error) bool {
	var api *jetstream.APIError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled),
		errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return c.met // a server that is going down reports that as well
	case errors.As(err, &api):
		return api.Code >= 500 || api.ErrorCode == duplicateUnderWay
	case unauthorised(err), errors.Is(err, nats.ErrPermissionViolation),
		errors.Is(err, nats.ErrMaxPayload), errors.Is(err, nats.ErrBadSubject),
		errors.As(err, &certificate):
		return false
	}
	return !fault.IsInput(err)
}

// explain turns an error that will not pass into one that states what to do.
func (c *Client) explain(err error) error {
	in := &fault.Input{Err: err}
	switch {
	case unauthorised(err):
		in.Problem, in.Fix = "the broker "+c.host+" does not let us in",
			"name the file of its token (--broker-token-file), or check the password or credentials"
	case errors.Is(err, nats.ErrPermissionViolation):
		in.Problem, in.Fix = "the broker "+c.host+" does not permit it ("+reason(err)+")",
			"ask for permission on the subjects, their streams and the JetStream API"
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled),
		errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		in.Problem, in.Fix = "the broker "+c.host+" has no JetStream",
			"switch JetStream on in its configuration, or use kindred stream broker"
	default:
		return err
	}
	return in
}
