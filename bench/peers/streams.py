#!/usr/bin/env python3
"""Times learning a stream against scikit-learn and River, and prints a table in Markdown.

KDD Cup 1999 (492 368 rows of 34 features, eight classes) passes by once, scaled to 0..1 and in a
random order that is the same for all. All begin with the same eight prototypes, k-means++ of the
first thousand rows, and run in turns on one processor, each in a process of its own; the table
gives medians, and how well the prototypes at the end tell the classes. River's rows are Python's
dictionaries, made before the clock starts. Needs Linux, python3 with venv, go, the network for the
first run, which installs the peers from PyPI, and the published data sets in the folder that
KINDRED_DATASETS names.

    bench/peers/streams.py [--repeats 3] [--work FOLDER]
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import venv

from run import HERE, machine, run

CLUSTERS, COLUMNS = 8, 34

MAKE = """
import sys, numpy as np, pandas as pd
from sklearn.cluster import kmeans_plusplus
table, clusters, data, classes, start = sys.argv[1], int(sys.argv[2]), *sys.argv[3:]
t = pd.read_csv(table)
t = t.iloc[np.random.default_rng(1).permutation(len(t))]
c, x = pd.factorize(t['class'])[0], t.drop(columns='class').to_numpy(float)
low, span = x.min(axis=0), np.ptp(x, axis=0)
x = (x - low) / np.where(span > 0, span, 1)
x.tofile(data)
c.astype(np.int64).tofile(classes)
kmeans_plusplus(x[:1000], clusters, random_state=1)[0].tofile(start)
"""

PEER = """
import json, os, sys, time
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-1:])
for name in ('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS'):
    os.environ[name] = '1'
import numpy as np
peer, block, columns, data, start, labels = sys.argv[1], *map(int, sys.argv[2:4]), *sys.argv[4:]
x, c = np.fromfile(data).reshape(-1, columns), np.fromfile(start).reshape(-1, columns)
if peer == 'river':
    from river import cluster
    model = cluster.KMeans(n_clusters=len(c), halflife=0.05, seed=1)
    rows = [dict(enumerate(r)) for r in x.tolist()]
    model.learn_one(rows[0])  # which makes the centres
    model.centers = {i: dict(enumerate(r)) for i, r in enumerate(c.tolist())}
    began = time.perf_counter()
    for r in rows:
        model.learn_one(r)
    seconds = time.perf_counter() - began
    at = np.array([[model.centers[i][j] for j in range(columns)] for i in range(len(c))])
else:
    from sklearn.cluster import MiniBatchKMeans
    model = MiniBatchKMeans(n_clusters=len(c), init=c, n_init=1, batch_size=block)
    model.partial_fit(x[:block])  # loads libraries
    model = MiniBatchKMeans(n_clusters=len(c), init=c, n_init=1, batch_size=block)
    began = time.perf_counter()
    for lo in range(0, len(x), block):
        model.partial_fit(x[lo:lo + block])
    seconds = time.perf_counter() - began
    at = model.cluster_centers_
near = np.concatenate([((b[:, None] - at) ** 2).sum(-1).argmin(1) for b in np.array_split(x, 200)])
near.astype(np.int64).tofile(labels)
print(json.dumps({'seconds': seconds}))
"""

SCORE = """
import json, sys, numpy as np
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
c, p = (np.fromfile(f, np.int64) for f in sys.argv[1:])
print(json.dumps({'nmi': normalized_mutual_info_score(c, p, average_method='geometric'), 'ari': adjusted_rand_score(c, p)}))
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument(
        "--work",
        default=str(pathlib.Path.home() / ".cache" / "kindred-peers"),
        help="folder for the virtual environment and the data",
    )
    args = parser.parse_args()
    folder = os.environ.get("KINDRED_DATASETS")
    table = pathlib.Path(folder or ".") / "kddcup99_10pct_ge1000.csv.gz"
    if not folder or not table.exists():
        sys.exit(f"needs {table.name} in the folder that KINDRED_DATASETS names")
    work = pathlib.Path(args.work)
    work.mkdir(parents=True, exist_ok=True)
    python = work / "streams" / "bin" / "python"
    if not python.exists():
        venv.create(work / "streams", with_pip=True)
        subprocess.run(
            [python, "-m", "pip", "install", "-q", "scikit-learn", "pandas", "river"],
            check=True,
            stdout=sys.stderr,
        )
    ours = work / "streams-ours"
    subprocess.run(["go", "build", "-o", ours, "./streams"], cwd=HERE, check=True)
    versions = subprocess.run(
        [
            python,
            "-c",
            "from importlib.metadata import version as v; print(', '.join(p + ' ' + v(p) for p in "
            "('numpy', 'scikit-learn', 'river')))",
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    data, classes, start, labels = (
        work / f"stream.{n}" for n in ("f64", "classes", "start", "labels")
    )
    subprocess.run([python, "-c", MAKE, table, str(CLUSTERS), data, classes, start], check=True)
    rows = data.stat().st_size // 8 // COLUMNS

    alone = ["taskset", "-c", str(sorted(os.sched_getaffinity(0))[-1])]
    contenders = {
        f"kindred {rule}": [*alone, ours, rule, "1024"]
        for rule in ("wta", "fscl", "rpcl", "olcvqe", "crpcl")
    }
    contenders["kindred wta, rate harmonic"] = [*alone, ours, "wta:harmonic", "1024"]
    for block in (1024, 16384):
        contenders[f"scikit-learn MiniBatchKMeans.partial_fit, blocks of {block}"] = [
            python,
            "-c",
            PEER,
            "sklearn",
            str(block),
        ]
    contenders["River KMeans.learn_one, halflife 0.05"] = [python, "-c", PEER, "river", "1"]
    runs = {name: [] for name in contenders}
    for _ in range(args.repeats):
        for name, command in contenders.items():
            r = run([*command, str(COLUMNS), data, start, labels])
            runs[name].append(r | run([python, "-c", SCORE, classes, labels]))

    print(
        f"{machine()}. {versions}. {rows} rows of {COLUMNS} features in one pass, {CLUSTERS} prototypes, no links, float64, "
        f"one processor, median of {args.repeats} (least–most).\n"
    )
    print("| contender | million rows/s | kindred's wta is faster by | NMI | adjusted Rand index |")
    print("|---|---|---|---|---|")
    base = statistics.median(r["seconds"] for r in runs["kindred wta"])
    for name, results in runs.items():
        seconds = [r["seconds"] for r in results]
        mid = statistics.median(seconds)
        print(
            f"| {name} | {rows / mid / 1e6:.3g} ({rows / max(seconds) / 1e6:.3g}–{rows / min(seconds) / 1e6:.3g}) | "
            f"{mid / base:.2f}× | {results[0]['nmi']:.3f} | {results[0]['ari']:.3f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
