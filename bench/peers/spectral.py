#!/usr/bin/env python3
"""Times the eigen-solver of package spectral against ARPACK (scipy.sparse.linalg.eigsh), and prints
a table in Markdown.

Both find the largest eigenvalues of the same normalised nearest-neighbour graphs to the same
tolerance, in turns, on one thread; the table gives medians. Where the graph has components, the
value 1 has a vector for each, which the clustering of package spectral gives the solver as known:
one line is so. ARPACK may find one of them alone. Needs go, and a python3 with numpy, scipy and
scikit-learn.

    bench/peers/spectral.py [--repeats 3] [--python PYTHON] [--work FOLDER]
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent

# Points around centres, each node linked to nearest neighbours: about 2 million values for 100 000
# nodes.
MAKE = """
import sys, numpy as np, scipy.sparse as sp
from sklearn.neighbors import kneighbors_graph
n, d, neighbours, apart, folder = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), sys.argv[5]
rng = np.random.default_rng(1)
centres = rng.normal(size=(12, d)) * apart
x = centres[rng.integers(12, size=n)] + rng.normal(size=(n, d))
from scipy.sparse.csgraph import connected_components
g = kneighbors_graph(x, neighbours, mode='distance')
g = g.maximum(g.T).tocsr()
g.data = np.exp(-(g.data / np.median(g.data)) ** 2)
degree = np.asarray(g.sum(axis=1)).ravel()
r = 1 / np.sqrt(degree)
count, of = connected_components(g, False)
known = np.sqrt(degree) * (of == np.arange(count)[:, None])
(known / np.linalg.norm(known, axis=1, keepdims=True)).astype('<f8').tofile(folder + '/known')
g = (sp.diags(r) @ g @ sp.diags(r)).tocsr()
g.sort_indices()
g.indptr.astype('<i4').tofile(folder + '/start')
g.indices.astype('<i4').tofile(folder + '/col')
g.data.astype('<f8').tofile(folder + '/value')
print(g.nnz)
"""

PEER = """
import json, sys, time, numpy as np, scipy.sparse as sp
from scipy.sparse.linalg import eigsh, LinearOperator
count, tolerance, folder = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
start, col, value = np.fromfile(folder + '/start', '<i4'), np.fromfile(folder + '/col', '<i4'), np.fromfile(folder + '/value', '<f8')
a = sp.csr_matrix((value, col, start))
products = 0
def apply(x):
    global products
    products += 1
    return a @ x
v0 = np.random.default_rng(1).uniform(-1, 1, a.shape[0])
began = time.perf_counter()
w, v = eigsh(LinearOperator(a.shape, apply, dtype='f8'), count, which='LA', tol=tolerance, v0=v0)
seconds = time.perf_counter() - began
print(json.dumps({'seconds': seconds, 'values': sorted(w, reverse=True), 'products': products,
                  'residuals': np.linalg.norm(a @ v - v * w, axis=0).tolist()}))
"""

# Nodes, columns, neighbours, distance of the centres (at 3 the graph has three components), pairs,
# tolerance, whether vectors of components are known.
GRAPHS = [
    (100_000, 10, 13, 1, 10, 1e-6, False),
    (100_000, 10, 13, 1, 10, 1e-10, False),
    (100_000, 10, 13, 3, 10, 1e-6, False),
    (100_000, 10, 13, 3, 10, 1e-6, True),
    (100_000, 10, 13, 3, 10, 1e-10, True),
    (20_000, 10, 13, 1, 10, 1e-8, False),
]


def output(command, threads):
    env = dict(
        os.environ, OMP_NUM_THREADS=threads, OPENBLAS_NUM_THREADS=threads, GOMAXPROCS=threads
    )
    return subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument(
        "--python", default=sys.executable, help="a python that has scipy and scikit-learn"
    )
    parser.add_argument(
        "--work",
        default=str(pathlib.Path.home() / ".cache" / "kindred-peers" / "spectral"),
        help="folder for graphs",
    )
    args = parser.parse_args()
    work = pathlib.Path(args.work)
    work.mkdir(parents=True, exist_ok=True)
    binary = str(work / "solver")
    subprocess.run(["go", "build", "-o", binary, "./spectral"], cwd=HERE, check=True)
    print(
        "| nodes | centres apart | values | pairs | tolerance | vectors known | values of 1 | ours s | ARPACK s | ours/ARPACK | products | worst residual | values differ by |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    for n, d, neighbours, apart, count, tolerance, known in GRAPHS:
        folder = work / f"{n}-{d}-{neighbours}-{apart}"
        if not (folder / "entries").exists():
            folder.mkdir(exist_ok=True)
            (folder / "entries").write_text(
                output(
                    [
                        args.python,
                        "-c",
                        MAKE,
                        str(n),
                        str(d),
                        str(neighbours),
                        str(apart),
                        str(folder),
                    ],
                    "2",
                )
            )
        entries = int((folder / "entries").read_text())
        ours, peer = [], []
        for _ in range(args.repeats):
            ours.append(
                json.loads(
                    output(
                        [binary, "1", str(count), str(tolerance), str(folder)] + ["known"] * known,
                        "1",
                    )
                )
            )
            peer.append(
                json.loads(
                    output([args.python, "-c", PEER, str(count), str(tolerance), str(folder)], "1")
                )
            )
        a, b = (statistics.median(r["seconds"] for r in side) for side in (ours, peer))
        ones = [sum(v > 1 - 1e-9 for v in side[0]["values"]) for side in (ours, peer)]
        differ = max(
            abs(p - q)
            for p, q in zip(ours[0]["values"][max(0, ones[0] - ones[1]) :], peer[0]["values"])
        )
        print(
            f"| {n} | {apart} | {entries} | {count} | {tolerance:g} | {'yes' if known else 'no'} | {ones[0]} / {ones[1]} | {a:.2f} | {b:.2f} | {a / b:.2f} | {ours[0]['products']} / "
            f"{peer[0]['products']} | {max(ours[0]['residuals']):.1e} / {max(peer[0]['residuals']):.1e} | {differ:.1e} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
