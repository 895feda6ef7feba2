//go:build !unix

package picture

import "os"

const openFlags = os.O_RDONLY
