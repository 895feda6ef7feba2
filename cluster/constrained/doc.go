// Package constrained holds the methods of the k-means family that learn from what is known of some
// rows: their classes, or links between them.
//
//	FitSeeded  seeded and constrained k-means: some rows have known classes (Basu, Banerjee and
//	           Mooney 2002)
//	FitCOP     COP-k-means: links hold without exception, or the error shows why they cannot
//	           (Wagstaff et al. 2001)
//	FitCVQE    CVQE: a violated link costs a distance between centres (Davidson and Ravi 2005)
//	FitPCK     PCK-means: a violated link costs a weight (Basu, Banerjee and Mooney 2004)
//	FitMPCK    MPCK-means: the same while clusters learn metrics (Bilenko, Basu and Mooney 2004)
//
// All return the same bits whatever the number of threads. LCVQE is in package kmeans.
package constrained
