"""Fits k-means once with scikit-learn or its Intel extension and prints what it did as JSON.

usage: peer.py PACKAGE ALGORITHM THREADS ITERATIONS DATA CENTERS COLUMNS

DATA and CENTERS are files of little-endian float64, row-major. Only the fit is timed, the second of
two, so that loading libraries and starting threads are not counted; main.go does the same.
"""

import json
import os
import sys
import time
import warnings

package, algorithm, threads, iterations, data, centers, columns = sys.argv[1:]
threads, iterations, columns = int(threads), int(iterations), int(columns)

# Every library heeds the processors allowed; not every one heeds the usual variables.
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-threads:])
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = str(threads)

import numpy as np  # noqa: E402

if package == "sklearnex":
    from sklearnex.cluster import KMeans  # noqa: E402
else:
    from sklearn.cluster import KMeans  # noqa: E402
warnings.filterwarnings("ignore")  # "did not converge" is the point of a fixed number of iterations

x = np.fromfile(data).reshape(-1, columns)
c = np.fromfile(centers).reshape(-1, columns)


def fit():
    model = KMeans(
        n_clusters=len(c), init=c, n_init=1, max_iter=iterations, tol=0, algorithm=algorithm
    )
    began = time.perf_counter()
    model.fit(x)
    return model, time.perf_counter() - began


fit()
model, seconds = fit()
print(
    json.dumps(
        {"seconds": seconds, "inertia": float(model.inertia_), "iterations": int(model.n_iter_)}
    )
)
