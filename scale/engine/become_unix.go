//go:build unix

package engine

import "syscall"

// become makes this process another program's.
func become(path string, args, env []string) error { return syscall.Exec(path, args, env) }
