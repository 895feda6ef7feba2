package studio

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// BenchmarkAnswers sends 200 answers a second to one project, as fifty clients over HTTP would,
// each kept on disk before its reply. The latency of an answer counts from when it was due, so that
// a queue shows. Give -benchtime 2000x for ten seconds.
func BenchmarkAnswers(b *testing.B) {
	const perSecond, clients = 200, 50
	for _, data := range []string{"digits"} {
		b.Run(fmt.Sprintf("%s/%ds", data, perSecond), func(b *testing.B) {
			x := open(b, Config{})
			x.client.Transport = &http.Transport{MaxIdleConnsPerHost: clients}
			p := x.begin(data)
			class := classes(b, data)
			type due struct {
				i  int
				at time.Time
			}
			jobs := make(chan due, 10*clients)
			var mu sync.Mutex
			var took []time.Duration
			var all sync.WaitGroup
			for range clients {
				all.Go(func() {
					for job := range jobs {
						// Each pair once: rows that are i+1 apart, round after round.
						a, c := job.i%len(class), (job.i+1+job.i/len(class))%len(class)
						says := "different"
						if class[a] == class[c] {
							says = "same"
						}
						r := x.post(p+"/answers",
							fmt.Sprintf(`{"id":"load%d","a":%d,"b":%d,"answer":%q}`, job.i, a, c,
								says))
						if r.status != 200 {
							b.Errorf("%d %s", r.status, r.body)
						}
						mu.Lock()
						took = append(took, time.Since(job.at))
						mu.Unlock()
					}
				})
			}
			start, i := time.Now(), 0
			for b.Loop() {
				at := start.Add(time.Duration(i) * time.Second / perSecond)
				time.Sleep(time.Until(at))
				jobs <- due{i, at}
				i++
			}
			close(jobs)
			all.Wait()
			b.ReportMetric(float64(i)/time.Since(start).Seconds(), "answers/s")
			slices.Sort(took)
			b.ReportMetric(ms(took[len(took)/2]), "p50-ms")
			b.ReportMetric(ms(took[len(took)*99/100]), "p99-ms")
			b.ReportMetric(ms(took[len(took)-1]), "max-ms")
		})
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// BenchmarkIdleStreams opens a thousand streams of events, tells what one costs the server in
// memory, and how long an answer takes until all of them have it. Give -benchtime 10x.
func BenchmarkIdleStreams(b *testing.B) {
	const streams = 1000
	x := open(b, Config{})
	p := x.begin("iris")
	before := memory()
	var conns []*bufio.Reader
	for range streams {
		c, err := net.Dial("tcp", x.at)
		if err != nil {
			b.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "GET %s/events HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", p,
			x.at, x.token)
		conns = append(conns, bufio.NewReaderSize(c, 16)) // the client shall cost next to nothing
		heard(b, conns[len(conns)-1], "event: state")
	}
	each := float64(memory()-before) / streams / 1024
	took := time.Duration(0)
	n := 0
	for b.Loop() {
		n++
		start := time.Now()
		x.post(p+"/answers", fmt.Sprintf(`{"id":"b%d","a":%d,"b":%d,"answer":"unknown"}`, n, n%150,
			(n+1+n/150)%150)).wants(200)
		for _, c := range conns {
			heard(b, c, fmt.Sprintf(`"revision":%d,`, n))
		}
		took += time.Since(start)
	}
	b.ReportMetric(each, "KiB/stream")
	b.ReportMetric(ms(took)/float64(n), "ms/answer-to-all")
}

// memory returns what the process holds: heap and stacks, after a collection.
func memory() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}

// heard reads a stream until a text has come by, and then to the end of that line.
func heard(b *testing.B, r *bufio.Reader, text string) {
	b.Helper()
	var line strings.Builder
	for {
		part, prefix, err := r.ReadLine()
		if err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			b.Fatal(err)
		}
		line.Write(part)
		if prefix {
			continue
		}
		if strings.Contains(line.String(), text) {
			return
		}
		line.Reset()
	}
}
