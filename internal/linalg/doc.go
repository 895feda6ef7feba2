// Package linalg is the linear algebra that methods have in common: sums, products and extremes of
// vectors, Cholesky factors, eigenvalues and eigenvectors of small dense matrices and of large
// sparse ones.
//
// Sums are added in an order that depends on the sizes alone, so that results never depend on the
// number of threads. [Dot], [Lower] and [QL] round every step alike on all processors; what
// rests on gonum ([Symmetric], [Gram], [Orthonormal] and [Eigen]) rounds as gonum does.
package linalg
