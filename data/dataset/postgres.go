package dataset

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/dburl"
)

// ReadDatabase reads a table, or a query, of a PostgreSQL server. Address is a URL, as in
// postgres://ann@host:5432/shop; what it leaves out, the password for one, comes from where libpq
// takes it: variables such as PGPASSWORD, a file of passwords, a service.
//
// It reads in one transaction that cannot write. The rows of a table come in the order of its
// primary key, those of a table without one in the order of the server. The types of the columns
// are those of the server: numbers, booleans, dates and times are what they are, intervals numbers
// of seconds, enumerations categories, lists of numbers and the vectors of pgvector lists, and
// everything else texts. JSON is no feature, and bytes and other lists cannot be shown.
//
// The name of the table is the address without passwords, which no error has either. It fails with
// a [*fault.Input] where the address, an option, or what the server holds is wrong.
func ReadDatabase(ctx context.Context, address string, o ReadOptions) (*Table, error) {
	d := &postgres{name: dburl.Bare(address), hash: sha256.New()}
	if o.Format != "" {
		return nil, &fault.Input{File: d.name, Problem: "is a database, and --format is of files",
			Fix: "leave out --format"}
	}
	if err := checkQuery(d.name, o); err != nil {
		return nil, err
	}
	if err := d.connect(ctx, address); err != nil {
		return nil, err
	}
	defer d.close()
	t := &Table{Name: d.name, Format: FormatPostgreSQL, idColumn: -1}
	if err := d.read(ctx, t, o); err != nil {
		return nil, t.withParts(d.fault(ctx, err))
	}
	if err := t.finish(ctx, o); err != nil {
		return nil, t.withParts(err)
	}
	t.Fingerprint = withQuery(fmt.Sprintf("%x", d.hash.Sum(nil)), o)
	return t, nil
}

// postgres is a connection to a server.
type postgres struct {
	name  string // the address without passwords
	table string // that is read; "": a query
	cfg   *pgconn.Config
	conn  *pgconn.PgConn
	hash  hash.Hash // of what was read
}

// connectTimeout is how long a server may take to answer, where nothing else is set.
const connectTimeout = 10 * time.Second

// connect connects to the server and begins a transaction that only reads.
func (d *postgres) connect(ctx context.Context, address string) error {
	address, err := dburl.Address(address)
	if err != nil {
		return &fault.Input{File: d.name, Problem: "is no address of a database",
			Fix: "give postgres://user@host:5432/database; signs as @ / # ? of a name or a " +
				"password are written %40 %2F %23 %3F"}
	}
	cfg, err := pgconn.ParseConfig(address)
	if err != nil {
		// The parser must not see the passwords, lest they be in its error.
		why := "its password cannot be used"
		if _, bare := pgconn.ParseConfig(d.name); bare != nil {
			if inner := errors.Unwrap(bare); inner != nil {
				bare = inner
			}
			why = bare.Error()
		}
		return &fault.Input{File: d.name, Problem: "is no address of a database: " + why,
			Fix: "give postgres://user@host:5432/database"}
	}
	if cfg.ConnectTimeout == 0 || cfg.ConnectTimeout >= 2*time.Minute { // as where none is set
		cfg.ConnectTimeout = connectTimeout
	}
	cfg.BuildContextWatcherHandler = func(c *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: c,
			DeadlineDelay: 300 * time.Millisecond}
	}
	if _, set := cfg.RuntimeParams["application_name"]; !set {
		cfg.RuntimeParams["application_name"] = "kindred"
	}
	d.cfg = cfg
	if d.conn, err = pgconn.ConnectConfig(ctx, cfg); err != nil {
		return d.connectFault(ctx, err)
	}
	_, err = d.conn.Exec(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; "+
		"SET LOCAL client_encoding = 'UTF8'; SET LOCAL DateStyle = 'ISO'; "+
		"SET LOCAL IntervalStyle = 'iso_8601'; SET LOCAL TimeZone = 'UTC'; "+
		"SET LOCAL extra_float_digits = 3; SET LOCAL bytea_output = 'hex'; "+
		// the same order of rows each time
		"SET LOCAL synchronize_seqscans = off; SET LOCAL max_parallel_workers_per_gather = 0",
	).ReadAll()
	if err != nil {
		d.close()
		return d.fault(ctx, err)
	}
	return nil
}

func (d *postgres) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	d.conn.Close(ctx) // which ends the transaction
}

// read reads the rows into a table.
func (d *postgres) read(ctx context.Context, t *Table, o ReadOptions) error {
	query, note, err := d.statement(ctx, t, o)
	if err != nil {
		return err
	}
	const name = "kindred" // one statement: the server refuses several
	described, err := d.conn.Prepare(ctx, name, query, nil)
	if err != nil {
		return err
	}
	types, err := d.types(ctx, described.Fields)
	if err != nil {
		return err
	}
	reader := d.conn.ExecPrepared(ctx, name, nil, nil, nil)
	defer reader.Close()
	r := &postgresRows{name: d.name, types: types, reader: reader, hash: d.hash,
		progress: o.Progress, allowance: newAllowance(d.name, o.inflateLimit())}
	cells := r.records(described.Fields, &o)
	if err := readRecords(ctx, d.name, t, cells, o); err != nil {
		return err
	}
	if note != "" {
		t.Notes = append(t.Notes, note)
	}
	return nil
}

// strings returns the rows of a query of the catalogue.
func (d *postgres) strings(ctx context.Context, query string, args ...string) ([][]string, error) {
	var values [][]byte
	for _, a := range args {
		values = append(values, []byte(a))
	}
	result := d.conn.ExecParams(ctx, query, values, nil, nil, nil).Read()
	if result.Err != nil {
		return nil, result.Err
	}
	var rows [][]string
	for _, from := range result.Rows {
		row := make([]string, len(from))
		for i, v := range from {
			row[i] = string(v)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// tablesQuery lists tables and views: schema, name, whether the name alone finds it, whether it may
// be read. Parts of other tables and what belongs to extensions are left out.
const tablesQuery = `SELECT n.nspname, c.relname, pg_catalog.pg_table_is_visible(c.oid),
	pg_catalog.has_table_privilege(c.oid, 'SELECT'), c.oid
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
	AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
	AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend d
		WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid
			AND d.deptype = 'e')
ORDER BY 1, 2`

// keyQuery lists the columns of the primary key of a table.
const keyQuery = `SELECT a.attname
FROM pg_catalog.pg_index i
JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
WHERE i.indrelid = $1::pg_catalog.oid AND i.indisprimary
ORDER BY pg_catalog.array_position(i.indkey::pg_catalog.int2[], a.attnum)`

// statement returns the statement to read: the query, or the rows of the table that is named or the
// only one.
func (d *postgres) statement(ctx context.Context, t *Table, o ReadOptions) (query, note string,
	err error) {
	if o.Query != "" {
		return o.Query, "", nil
	}
	rows, err := d.strings(ctx, tablesQuery)
	if err != nil {
		return "", "", err
	}
	var names []string
	found := map[string][]string{}
	asked := o.Table
	for _, row := range rows {
		name := row[1]
		if row[2] != "t" {
			name = row[0] + "." + row[1]
		}
		if found[name] != nil { // a table that is visible has a name like a schema and a table
			continue
		}
		found[name] = row
		if row[3] == "t" || asked != "" {
			names = append(names, name)
		}
		if asked == row[0]+"."+row[1] {
			asked = name
		}
	}
	name, note, err := chooseTable(d.name, names, asked, t)
	if err != nil {
		return "", "", err
	}
	d.table = name
	row := found[name]
	query = "SELECT * FROM " + quoteName(row[0]) + "." + quoteName(row[1])
	key, err := d.strings(ctx, keyQuery, row[4])
	if err != nil {
		return "", "", err
	}
	var columns []string
	for _, c := range key {
		columns = append(columns, quoteName(c[0]))
	}
	if len(columns) > 0 {
		return query + " ORDER BY " + strings.Join(columns, ", "), note, nil
	}
	if note != "" {
		note += ", "
	} else {
		note = "table " + name + ": "
	}
	return query, note + "without a primary key: its rows are in the order of the server, which " +
		"changes with them", nil
}

// server is where the server is.
func (d *postgres) server() string {
	if strings.HasPrefix(d.cfg.Host, "/") {
		return fmt.Sprintf("the socket in %s, port %d", d.cfg.Host, d.cfg.Port)
	}
	return net.JoinHostPort(d.cfg.Host, fmt.Sprint(d.cfg.Port))
}

// connectFault explains why there is no connection.
func (d *postgres) connectFault(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	in := &fault.Input{File: d.name}
	at := d.server()
	var e *pgconn.PgError
	var dns *net.DNSError
	var network net.Error
	switch {
	case errors.As(err, &e):
		in.Err = e
		switch e.Code {
		case "28P01", "28000":
			in.Problem = "the server at " + at + " refuses user " + d.cfg.User + ": " + e.Message
			in.Fix = "check the user and the password, which PGPASSWORD or ~/.pgpass hold"
			if d.cfg.Password == "" {
				in.Fix = "put the password into PGPASSWORD or ~/.pgpass, and check the user"
			}
		case "3D000":
			in.Problem = "the server at " + at + " has no database " +
				quote([]byte(d.cfg.Database))
			in.Fix = "check the name, which is the last part of the URL; psql -l lists them"
		case "53300", "57P03":
			in.Problem = "the server at " + at + " takes no connection now: " + e.Message
			in.Fix = "try again later"
		default:
			in.Problem = "the server at " + at + " refuses the connection: " + e.Message
			in.Fix = "check the URL"
		}
	case errors.As(err, &dns):
		in.Err = dns
		in.Problem = "there is no host " + quote([]byte(dns.Name))
		in.Fix = "check the host in the URL, and the network"
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, os.ErrNotExist):
		in.Problem = "no server listens at " + at
		in.Fix = "start it, or check the host and the port in the URL"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		in.Problem = fmt.Sprintf("the server at %s does not answer within %g s", at,
			d.cfg.ConnectTimeout.Seconds())
		in.Fix = "check the host and the port in the URL, and the network; ?connect_timeout=60 " +
			"waits longer"
	default:
		text := err.Error()
		if inner := errors.Unwrap(err); inner != nil {
			text = inner.Error()
		}
		if d.cfg.Password != "" {
			text = strings.ReplaceAll(text, d.cfg.Password, "…")
		}
		in.Problem = "the server at " + at + " cannot be reached: " + text
		in.Fix = "check the URL; ?sslmode= says whether the connection is encrypted"
	}
	return in
}

// fault explains an error of the server, and names the table in one of a row.
func (d *postgres) fault(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var in *fault.Input
	if errors.As(err, &in) {
		if in.Row > 0 && d.table != "" && in.File == d.name {
			in.File += ", table " + d.table
		}
		return err
	}
	in = &fault.Input{File: d.name, Err: err}
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		in.Problem = "the connection to " + d.server() + " broke: " + err.Error()
		in.Fix = "try again"
		return in
	}
	in.Problem, in.Fix = "the query fails: "+e.Message, "correct it; it can only read"
	if e.Hint != "" {
		in.Fix = e.Hint
	}
	switch {
	case d.table != "" && e.Code == "42501":
		in.Problem = "user " + d.cfg.User + " may not read table " + d.table
		in.Fix = "let them (GRANT SELECT), or connect as another user"
	case d.table != "":
		in.Problem, in.Fix = "table "+d.table+" cannot be read: "+e.Message, "see the server's log"
	case e.Position > 0:
		in.Problem += fmt.Sprintf(" (at character %d)", e.Position)
	}
	return in
}
