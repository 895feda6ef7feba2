//go:build !unix

package pgserver

import "syscall"

func other(string) (*syscall.SysProcAttr, error) { return nil, nil }
