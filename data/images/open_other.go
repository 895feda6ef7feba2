//go:build !unix

package images

import "os"

const openFlags = os.O_RDONLY
