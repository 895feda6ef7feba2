"""Prints the figures of TestAgainstScikitLearn: of mixtures of iris by scikit-learn 1.9.1."""

import pathlib

import numpy as np
from sklearn.mixture import GaussianMixture

sample = pathlib.Path(__file__).parents[3] / "data/sample/files/iris.csv.gz"
x = np.loadtxt(sample, delimiter=",", skiprows=1, usecols=range(4))
for covariance in ("full", "diag", "tied", "spherical"):
    for k in (2, 3):
        m = GaussianMixture(k, covariance_type=covariance, tol=1e-9, max_iter=20000, n_init=40, random_state=1).fit(x)
        print(f"{covariance} {k}: {m.score(x) * len(x):.6f} {m.bic(x):.6f} {m.aic(x):.6f}")
print(repr(x.var(axis=0).mean()))
