package studio_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"

	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/studio"
)

// A program serves a project to two people, and one of them asks who they are.
func Example() {
	folder, err := os.MkdirTemp("", "kindred")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	l, _, err := studio.Listen("127.0.0.1:0", false)
	if err != nil {
		log.Fatal(err)
	}
	server, err := studio.New(studio.Config{Address: l.Addr().String(),
		People: []string{"ann", "bob"}, Secret: []byte("for this example alone")})
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- server.Serve(ctx, l) }()

	d, err := server.Open(ctx,
		project.Config{Path: filepath.Join(folder, "flowers.kindred"), Data: "iris"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.ID(), d.State("ann").Rows)

	r, err := http.NewRequest("GET", server.Address()+"/api/v1/me", nil)
	if err != nil {
		log.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+server.Token("bob"))
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(text))

	stop()
	fmt.Println(<-ended)
	// Output:
	// flowers 150
	// {"name":"bob","people":true,"admin":false,"version":"unknown"}
	// <nil>
}
