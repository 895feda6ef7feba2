package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Placeholders has the help of a command, and of those below it that have none of their own, name
// the values of flags as [Grouped] does: --rows N, and not --rows int.
func Placeholders(root *cobra.Command) {
	standard := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		out := cmd.OutOrStdout()
		var text bytes.Buffer
		cmd.SetOut(&text)
		standard(cmd, args)
		cmd.SetOut(out)
		written := text.String()
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			was, _ := pflag.UnquoteUsage(f)
			is, _ := placeholder(f)
			flag := "--" + f.Name + " "
			if was != is && len(is) <= len(was) {
				written = strings.Replace(written, flag+was+" ",
					fmt.Sprintf("%s%-*s ", flag, len(was), is), 1)
			}
		})
		io.WriteString(out, written)
	})
}
