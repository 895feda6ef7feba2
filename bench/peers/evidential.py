#!/usr/bin/env python3
"""Times k-EVCLUS against the Python package evclust, and prints a table in Markdown.

Both fit the same dissimilarities from starts of their own, in turns, on one thread; the table gives
medians and says whether what came out are masses. Needs python3 with venv, go, and the network for
the first run, which installs evclust from PyPI. The proteins need the published data sets in the
folder that KINDRED_DATASETS names.

    bench/peers/evidential.py [--repeats 3] [--work FOLDER]
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import venv

from run import HERE, machine, run

# Four overlapping clusters with heavy tails on the plane, after kevclus-2016 section 4.
MAKE = """
import sys, numpy as np
n, data, classes = int(sys.argv[1]), *sys.argv[2:]
rng = np.random.default_rng(1)
c = rng.integers(4, size=n)
centre = np.array([[0, 0], [0, 4], [4, 0], [4, 4]])[c]
x = centre + rng.normal(size=(n, 2)) / np.sqrt(rng.chisquare(5, size=(n, 1)) / 5)
np.savetxt(data, np.sqrt(((x[:, None] - x[None]) ** 2).sum(-1)), delimiter=',', fmt='%.9g')
np.savetxt(classes, c, fmt='%d', header='class', comments='')
"""

PEER = """
import json, sys, time, numpy as np, pandas as pd
from evclust.kevclus import kevclus
from sklearn.metrics import adjusted_rand_score
clusters, partners, quantile, data, classes = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), *sys.argv[4:]
d = np.loadtxt(data, delimiter=',')
truth = pd.read_csv(classes).iloc[:, 0]
np.random.seed(1)
began = time.perf_counter()
r = kevclus(D=d, k=partners or len(d) - 1, c=clusters, d0=np.quantile(d[np.triu_indices(len(d), 1)], quantile), disp=False)
seconds = time.perf_counter() - began
m = np.asarray(r['mass'])
print(json.dumps({'seconds': seconds, 'stress': float(r['crit']), 'ari': adjusted_rand_score(truth, np.asarray(r['y_pl'])),
                  'least': m.min(), 'most': m.max(), 'off': abs(m.sum(axis=1) - 1).max()}))
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
    work = pathlib.Path(args.work)
    work.mkdir(parents=True, exist_ok=True)
    python = work / "evidential" / "bin" / "python"
    if not python.exists():
        venv.create(work / "evidential", with_pip=True)
        subprocess.run(
            [python, "-m", "pip", "install", "-q", "evclust"], check=True, stdout=sys.stderr
        )
    ours = work / "evidential-ours"
    subprocess.run(["go", "build", "-o", ours, "./evidential"], cwd=HERE, check=True)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    sets = [
        ("four clusters, n = 2000, k = 100", 4, 100, 0.9, work / "t_D.csv", work / "t_labels.csv")
    ]
    subprocess.run([python, "-c", MAKE, "2000", sets[0][4], sets[0][5]], check=True)
    folder = os.environ.get("KINDRED_DATASETS")
    if folder:
        folder = pathlib.Path(folder)
        sets.append(
            (
                "protein, all pairs",
                4,
                0,
                1.0,
                folder / "protein_D.csv",
                folder / "protein_labels.csv",
            )
        )

    print(f"{machine()}. One thread, median of {args.repeats} (least–most).\n")
    print(
        "| data | contender | seconds | ours is faster by | stress | adjusted Rand index | masses | sums off 1 by |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for name, clusters, partners, quantile, *files in sets:
        shape = [str(clusters), str(partners), str(quantile), *map(str, files)]
        runs = {"kindred": [], "evclust (Python)": []}
        for _ in range(args.repeats):
            runs["kindred"].append(run([ours, "1", *shape]))
            runs["evclust (Python)"].append(run([python, "-W", "ignore", "-c", PEER, *shape]))
        base = statistics.median(r["seconds"] for r in runs["kindred"])
        for contender, results in runs.items():
            seconds = [r["seconds"] for r in results]
            mid, r = statistics.median(seconds), results[0]
            print(
                f"| {name} | {contender} | {mid:.3f} ({min(seconds):.3f}–{max(seconds):.3f}) | {mid / base:.1f}× | "
                f"{r['stress']:.6f} | {r['ari']:.3f} | {r['least']:.2g} … {r['most']:.2g} | {r['off']:.1g} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
