package broker

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// mostToken is how many bytes the file of a token may have.
const mostToken = 4 << 10

// tokenFile is where a server keeps the token that it made, in the folder of its files.
const tokenFile = "token"

// checkOwn refuses a file with a secret that others may read or change.
func checkOwn(path, secret string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o077 == 0 || runtime.GOOS == "windows" { // where permissions are none
		return nil
	}
	return fault.Inputf("take that from them, as by chmod 600, and if they may have read it, use "+
		"another one", "others may read or change the broker's %s", secret).In(path)
}

// ReadToken reads the token in a file, which nobody else may be able to read.
func ReadToken(path string) (string, error) {
	f, err := os.Open(path)
	if err == nil {
		defer f.Close()
		var info fs.FileInfo
		if info, err = f.Stat(); err == nil {
			if err := checkOwn(path, "token", info); err != nil {
				return "", err
			}
		}
	}
	var text []byte
	if err == nil {
		text, err = io.ReadAll(io.LimitReader(f, mostToken+1))
	}
	if err != nil {
		return "", fault.Inputf("name a file with the token in it",
			"the broker's token cannot be read").In(path).Because(err)
	}
	if len(text) > mostToken {
		return "", fault.Inputf(fmt.Sprintf("give one of up to %d", mostToken),
			"the broker's token has more bytes than that").In(path)
	}
	token := strings.TrimSpace(string(text))
	if token == "" || strings.ContainsAny(token, " \t\r\n") {
		return "", fault.Inputf("write the token into it, and nothing else",
			"holds no token").In(path)
	}
	return token, nil
}

// keptToken returns the token in the folder of a server, which is made once.
func keptToken(folder string) (token, path string, err error) {
	path = filepath.Join(folder, tokenFile)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		token, err = ReadToken(path)
		return token, path, err
	}
	if err != nil {
		return "", "", err
	}
	token = rand.Text()
	_, err = f.WriteString(token + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		os.Remove(path)
		return "", "", err
	}
	return token, path, nil
}
