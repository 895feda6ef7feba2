package project_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/kindred-go/kindred/project"
)

// A project is begun on data, asks, and keeps each answer.
func ExampleOpen() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "project")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	p, err := project.Open(ctx, project.Config{Path: filepath.Join(folder, "iris.kindred"),
		Data: "iris", Alone: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	const who = "ann"
	for range 3 {
		turn, err := p.Turn(ctx, who)
		if err != nil || turn.Question == nil {
			fmt.Println(turn.Done, err)
			return
		}
		// The first fifty rows are of one species.
		a, b := turn.Question.A.Row, turn.Question.B.Row
		step := project.Step{A: a, B: b, Answer: "different"}
		if (a < 50) == (b < 50) {
			step.Answer = "same"
		}
		if _, err := p.Answer(ctx, who, step); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(p.State(who).Answers, "answers are kept")
	// Output: 3 answers are kept
}
