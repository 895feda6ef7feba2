//go:build !unix

package engine

import (
	"os"
	"os/exec"
)

// become runs another program to its end in place of this one, as nearly as that can be had here.
func become(path string, args, env []string) error {
	c := exec.Command(path, args[1:]...)
	c.Env, c.Stdout, c.Stderr = env, os.Stdout, os.Stderr
	if err := c.Run(); err != nil {
		return err
	}
	os.Exit(0)
	return nil
}
