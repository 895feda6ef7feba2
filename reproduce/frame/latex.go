package frame

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// writeLaTeX writes the table as a tabular, for a document that uses the package booktabs. Title
// and notes are comments.
func (t Table) writeLaTeX(w io.Writer) error {
	var b bytes.Buffer
	remark := func(text string) { fmt.Fprintf(&b, "%% %s\n", strings.ReplaceAll(text, "\n", " ")) }
	remark(t.Title + ". Needs \\usepackage{booktabs}.")
	grid := t.grid()
	fmt.Fprintf(&b, "\\begin{tabular}{%s%s}\n\\toprule\n", strings.Repeat("l", len(t.Keys)),
		strings.Repeat("r", len(grid[0])-len(t.Keys)))
	for i, row := range grid {
		var cells []string
		for _, text := range row {
			cells = append(cells, latexed(text))
		}
		fmt.Fprintf(&b, "%s \\\\\n", strings.Join(cells, " & "))
		if i == 0 {
			b.WriteString("\\midrule\n")
		}
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	for _, note := range t.below() {
		remark(note)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// latex reports how characters are written that LaTeX takes for commands, or has no letter for in
// text.
var latex = strings.NewReplacer(
	`\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `$`, `\$`, `&`, `\&`, `#`, `\#`, `%`, `\%`,
	`_`, `\_`,
	`~`, `\textasciitilde{}`, `^`, `\textasciicircum{}`, `<`, `$<$`, `>`, `$>$`, `|`, `$|$`,
	`[`, `{[}`, `]`, `{]}`, `*`, `{*}`, "\n", " ",
	"−", `$-$`, "±", `$\pm$`, "×", `$\times$`, "·", `$\cdot$`, "≤", `$\le$`, "≥", `$\ge$`,
	"≠", `$\ne$`, "≈", `$\approx$`, "∅", `$\emptyset$`,
	"→", `$\to$`, "∞", `$\infty$`, "√", `$\surd$`, "²", `$^2$`, "³", `$^3$`, "°", `$^\circ$`,
	"–", `--`, "—", `---`, "…", `\ldots{}`, "†", `\dag{}`, "’", `'`, "′", `$'$`, "“", "``",
	"”", `''`,
	"α", `$\alpha$`, "β", `$\beta$`, "γ", `$\gamma$`, "δ", `$\delta$`, "ε", `$\varepsilon$`,
	"η", `$\eta$`, "θ", `$\theta$`, "κ", `$\kappa$`,
	"λ", `$\lambda$`, "μ", `$\mu$`, "µ", `$\mu$`, "ν", `$\nu$`, "ξ", `$\xi$`, "π", `$\pi$`,
	"ρ", `$\rho$`, "σ", `$\sigma$`, "τ", `$\tau$`, "φ", `$\varphi$`,
	"χ", `$\chi$`, "ω", `$\omega$`, "Δ", `$\Delta$`, "Σ", `$\Sigma$`, "Ω", `$\Omega$`,
	"\u00a0", "~",
)

func latexed(text string) string { return latex.Replace(text) }
