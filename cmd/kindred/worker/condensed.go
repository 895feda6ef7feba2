package worker

import "github.com/kindred-go/kindred/data/dendrogram"

// condensed returns a condensed tree: its parts, and where each object leaves it.
func condensed(c *dendrogram.Condensed) []*array {
	n := len(c.Clusters)
	parent, size, label := make([]int32, n), make([]int32, n), make([]int32, n)
	birth, stability := make([]float64, n), make([]float64, n)
	for i, p := range c.Clusters {
		parent[i], size[i], label[i] = int32(p.Parent), int32(p.Size), int32(p.Label)
		birth[i], stability[i] = p.Birth, p.Stability
	}
	return []*array{of("part_parent", parent, n), of("part_size", size, n),
		of("part_label", label, n), of("part_birth", birth, n),
		of("part_stability", stability, n), of("fall_part", c.Cluster, len(c.Cluster)),
		of("fall_lambda", c.Lambda, len(c.Lambda))}
}
