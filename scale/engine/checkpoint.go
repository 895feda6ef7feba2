package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
)

// kept is how many states of a plan are kept: the newest, and the one before in case the newest cannot be read.
const kept = 2

// identity tells plans apart: everything that a state depends on. More rounds may be asked for later.
func identity(p fold.Plan) (string, error) {
	p.Rounds = 0
	data, err := json.Marshal(p)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// claim makes the folder of a plan's checkpoints its own, and gives the newest state in it, nil when there is none.
func claim(ctx context.Context, folder string, p fold.Plan) (*envelope, error) {
	want, err := identity(p)
	if err != nil {
		return nil, err
	}
	names, err := shard.List(ctx, folder)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(n string) bool { return !strings.HasSuffix(n, ".state") })
	mark := join(folder, "plan")
	have, err := shard.ReadFile(ctx, mark)
	if errors.Is(err, fs.ErrNotExist) && len(names) == 0 {
		return nil, shard.WriteFile(ctx, mark, []byte(want+"\n"))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if strings.TrimSpace(string(have)) != want {
		return nil, &fault.Input{File: folder, Problem: "holds the states of a run of other data or another configuration",
			Mend: "give another folder to --work, or remove this one to begin anew"}
	}
	for i := len(names) - 1; i >= 0; i-- { // by name, so in order of round
		data, err := shard.ReadFile(ctx, names[i])
		if err != nil {
			return nil, err
		}
		if e, err := openEnvelope(data); err == nil {
			return e, nil
		}
	}
	return nil, nil
}

// leave writes the state after a round, whole or not at all.
func leave(ctx context.Context, folder string, round int, data []byte) error {
	if err := shard.WriteFile(ctx, stateFile(folder, round), data); err != nil {
		return fmt.Errorf("leaving the state of round %d: %w", round, err)
	}
	return nil
}

// prune removes all states up to a round.
func prune(ctx context.Context, folder string, upTo int) error {
	names, err := shard.List(ctx, folder)
	if err != nil {
		return err
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".state") && path.Base(name) <= path.Base(stateFile(folder, upTo)) {
			if err := shard.Remove(ctx, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// newest gives the state after the last of some rounds, from the one that was to be run last down.
func newest(ctx context.Context, folder string, p fold.Plan) (*envelope, error) {
	e, err := claim(ctx, folder, p)
	if err == nil && e == nil {
		err = fmt.Errorf("the job ended, but its workers left no state in %s: they must reach it by that name", folder)
	}
	return e, err
}

func stateFile(folder string, round int) string {
	return join(folder, fmt.Sprintf("%06d.state", round))
}

// join puts a name below a folder, which may be remote.
func join(folder, name string) string { return strings.TrimSuffix(folder, "/") + "/" + name }
