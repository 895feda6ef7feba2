package catalogue

import (
	"fmt"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// benchmarks are points in the plane with known clusters.
func benchmarks() map[string]frame.Need {
	const where = "Clustering basic benchmark of P. Fränti and S. Sieranoja, " +
		"https://cs.joensuu.fi/sipu/datasets (%s); the two coordinates, then the cluster"
	sets := map[string]frame.Need{}
	for _, b := range []struct {
		name, title string
		n, k        int
		gz          string
	}{
		{"s1", "S1", 5000, 15, ""},
		{"s2", "S2", 5000, 15, ""},
		{"a1", "A1", 3000, 20, ""},
		{"birch1", "Birch1", 100000, 100, ".gz"},
		{"unbalance", "Unbalance", 6500, 8, ""},
		{"aggregation", "Aggregation", 788, 7, ""},
		{"compound", "Compound", 399, 6, ""},
		{"flame", "Flame", 240, 2, ""},
		{"jain", "Jain", 373, 2, ""},
		{"pathbased", "Pathbased", 300, 3, ""},
		{"spiral", "Spiral", 312, 3, ""},
		{"r15", "R15", 600, 15, ""},
		{"d31", "D31", 3100, 31, ""},
	} {
		sets["sipu_"+b.name] = set(b.title, "sipu_"+b.name+".csv"+b.gz, b.n, 2, b.k,
			fmt.Sprintf(where, b.title))
	}
	const evclust = "R package evclust, https://cran.r-project.org/package=evclust (%s); %s"
	sets["fourclass"] = set("Fourclass", "fourclass.csv", 400, 2, 4,
		fmt.Sprintf(evclust, "fourclass", "the two coordinates, then the class"))
	sets["butterfly"] = set("Butterfly", "butterfly.csv", 12, 2, 0,
		fmt.Sprintf(evclust, "butterfly", "the two coordinates; it has no classes"))
	return sets
}

// images are pictures, one pixel a column.
func images() map[string]frame.Need {
	sets := map[string]frame.Need{
		"mnist_t10k": set("MNIST (test)", "mnist_t10k.csv.gz", 10000, 784, 10,
			"Y. LeCun, C. Cortes and C. Burges, http://yann.lecun.com/exdb/mnist "+
				"(t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte); 784 pixels row by row, "+
				"then the digit"),
	}
	for _, target := range []struct {
		name, column string
		k            int
	}{{"identity", "identity", 20}, {"pose", "pose", 4}, {"expression", "expression", 4},
		{"sunglasses", "eyes", 2}} {
		for suffix, size := range map[string]struct {
			file string
			m    int
			kind string
		}{"": {"cmu_faces_32x30.csv.gz", 960, "_4.pgm"},
			"-64x60": {"cmu_faces_64x60.csv.gz", 3840, "_2.pgm"}} {
			n := set("Faces "+target.name, size.file, 624, size.m, target.k,
				uci(124, "CMU Face Images", fmt.Sprintf("the 624 files *%s, pixels row by row; "+
					"and their names' parts in cmu_faces_labels.csv, columns identity, pose, "+
					"expression and eyes", size.kind)))
			n.Labels, n.Class = "cmu_faces_labels.csv", target.column
			sets["faces-"+target.name+suffix] = n
		}
	}
	return sets
}

// matrices are dissimilarities.
func matrices() map[string]frame.Need {
	matrix := func(title, name string, n, k int, from string) frame.Need {
		return frame.Need{Title: title, File: name + "_D.csv", Labels: name + "_labels.csv",
			Matrix: true, Rows: n, Cols: n, Classes: k, From: from}
	}
	how := func(name string) string {
		return fmt.Sprintf("the matrix without a header in %s_D.csv, and a column named class in "+
			"%s_labels.csv", name, name)
	}
	const delft = "Delft pattern recognition group, http://prtools.org/disdatasets/index.html " +
		"(%s); "
	return map[string]frame.Need{
		"protein": matrix("Protein", "protein", 213, 4,
			"R package evclust, https://cran.r-project.org/package=evclust (protein); "+
				how("protein")),
		"chickenpieces": matrix("ChickenPieces", "chickenpieces", 446, 5,
			"http://algoval.essex.ac.uk/data/sequence/chicken (chickenpieces-20-90), or "+
				"http://prtools.org/disdatasets/index.html; "+how("chickenpieces")),
		"zongker": matrix("Zongker", "zongker", 2000, 10,
			fmt.Sprintf(delft, "Zongker")+"dissimilarities, 0 on the diagonal; "+how("zongker")),
		"gestures": matrix("Gestures", "gestures", 1500, 20,
			fmt.Sprintf(delft, "Delft Gestures")+how("gestures")),
	}
}

// made are sets drawn by the law that a paper states, or by one that fits its text.
func made() map[string]frame.Need {
	gauss := set("9Gauss", "gauss9_like.csv", 900, 2, 9,
		"the authors' set was never published; nine normal clusters of 100 points with deviation "+
			"0.25 on a 3×3 grid of step 1 stand in")
	const law = "%d points drawn by the law of section 4.1 of k-EVCLUS (2016): four classes of " +
		"equal size, t distributions with 5 degrees of freedom; the authors' draw is not known"
	sets := map[string]frame.Need{
		"9gauss": gauss, "gauss9_like": gauss,
		"toys2c_like": set("Toys2c", "toys2c_like.csv", 800, 2, 2,
			"the authors' set was never published; two curved classes of 400 points stand in, "+
				"which 2-means finds with a Rand index of .73, as in the paper"),
	}
	for _, n := range []int{200, 2000, 10000} {
		name := fmt.Sprintf("kevclus_t_n%d", n)
		sets[name] = set(fmt.Sprintf("four t classes, n = %d", n), name+".csv", n, 2, 4,
			fmt.Sprintf(law, n))
	}
	return sets
}
