#!/usr/bin/env python3
"""Times the methods of the registry beside their peers of PyPI, and prints a table in Markdown.

Each pair does the same work on the same rows, scaled to 0..1: the same number of clusters, the same
links, labels known before, or answers from the classes. Both run in turns on one processor, each in
a process of its own, whose start and imports are not timed; the table gives medians of seconds over
the seeds, and means and standard deviations of the adjusted Rand index. Rows without a cluster
count as one more. Needs Linux, go, the published data sets in the folder that KINDRED_DATASETS
names, and a python3 with numpy, scipy, pandas, scikit-learn, active-semi-supervised-clustering,
cobras-ts and evclust, which the first run installs from PyPI unless --python names one.

    bench/peers/methods.py [--seeds 3] [--python PYTHON] [--work FOLDER] [--only TEXT]
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import venv

from run import HERE, machine

PACKAGES = [
    "numpy",
    "scipy",
    "pandas",
    "scikit-learn",
    "active-semi-supervised-clustering",
    "cobras-ts",
    "evclust",
]

# Rows in files, the links and the rows whose class is known, all drawn by the seed.
MAKE = """
import json, sys, numpy as np, pandas as pd
source, links, known, seed, folder = sys.argv[1], *map(int, sys.argv[2:5]), sys.argv[5]
if source.startswith('blobs:'):
    n, d, k, *sd = map(float, source.split(':')[1:])
    n, d, k = int(n), int(d), int(k)
    r = np.random.default_rng(1)
    c = r.integers(k, size=n)
    x = r.uniform(0, 1, (k, d))[c] + r.normal(0, *(sd or [.02]), (n, d))
else:
    t = pd.read_csv(source)
    c = pd.factorize(t['class'])[0]
    x = t.drop(columns='class').to_numpy(float)
span = np.ptp(x, axis=0)
x = (x - x.min(axis=0)) / np.where(span > 0, span, 1)
rng = np.random.default_rng(seed)
pairs = set()
while len(pairs) < links:
    a, b = rng.integers(len(x), size=2)
    if a != b:
        pairs.add((int(min(a, b)), int(max(a, b))))
rows = [] if not known else [int(i) for k in range(c.max() + 1) for i in rng.permutation(np.flatnonzero(c == k))[:known]]
x.astype('<f8').tofile(folder + '/data')
c.astype('<i8').tofile(folder + '/classes')
print(json.dumps({'columns': x.shape[1], 'classes': int(c.max() + 1), 'rows': rows, 'n': len(x),
                  'links': [[a, b, 1 if c[a] == c[b] else 2] for a, b in sorted(pairs)]}))
"""

# What every peer begins with: x, c (classes), w (the work), k (clusters), ml and cl, y (classes
# known before, −1 for none).
PEER = """
import json, sys, time, types, warnings
warnings.filterwarnings('ignore')
import numpy as np, pandas as pd
w = json.load(open(sys.argv[1]))
x = np.fromfile(w['data']).reshape(-1, w['columns'])
c = np.fromfile(w['classes'], np.int64)
k, seed = w['clusters'], w['seed']
np.random.seed(seed)
ml = [(a, b) for a, b, kind in w['links'] if kind == 1]
cl = [(a, b) for a, b, kind in w['links'] if kind == 2]
y = np.full(len(x), -1)
y[w['rows']] = c[w['rows']]
IMPORTS
began = time.perf_counter()
FIT
seconds = time.perf_counter() - began
np.asarray(labels).astype(np.int64).tofile(w['labels'])
print(json.dumps({'seconds': seconds}))
"""

SCORE = """
import json, sys, numpy as np
from sklearn.metrics import adjusted_rand_score
print(json.dumps([adjusted_rand_score(*(np.fromfile(f, np.int64) for f in (sys.argv[1], g))) for g in sys.argv[2:]]))
"""

SEMI = "from active_semi_clustering.semi_supervised.{} import {}"
ACTIVE = (
    "from active_semi_clustering.active.pairwise_constraints import ExampleOracle, {0}\n"
    "from active_semi_clustering.semi_supervised.pairwise_constraints import PCKMeans"
)
ASK = (
    "a = {0}\na.fit(x, oracle=ExampleOracle(c, max_queries_cnt=w['budget']))\n"
    "f = PCKMeans(n_clusters=k).fit(x, ml=a.pairwise_constraints_[0], cl=a.pairwise_constraints_[1])\nlabels = f.labels_"
)
# cobras-ts: its folder of queriers imports a web server, which it does not need, and numpy's int of
# old.
COBRAS = (
    "import cobras_ts, pathlib\nnp.int = int\nq = types.ModuleType('cobras_ts.querier')\n"
    "q.__path__ = [str(pathlib.Path(cobras_ts.__file__).parent / 'querier')]\nsys.modules['cobras_ts.querier'] = q\n"
    "from cobras_ts.cobras_kmeans import COBRAS_kmeans\nfrom cobras_ts.querier.labelquerier import LabelQuerier"
)


def work():
    """name, peer, data, ours, links, known rows a class, imports and fit of the peer."""
    sk = "scikit-learn "
    for data, eps, points in (
        ("sipu_d31", 0.02, 10),
        ("blobs:100000:2:30", 0.006, 20),
        ("pendigits", 0.25, 10),
    ):
        yield (
            f"dbscan, Eps {eps}, {points} points",
            sk + "DBSCAN",
            data,
            {"method": "dbscan", "values": {"eps": str(eps), "min-points": str(points)}},
            0,
            0,
            "from sklearn.cluster import DBSCAN",
            f"labels = DBSCAN(eps={eps}, min_samples={points}).fit_predict(x)",
        )
    for data in ("optdigits389", "pendigits389", "pendigits"):
        yield (
            "spectral, 20 neighbours",
            sk + "SpectralClustering",
            data,
            {"method": "spectral", "values": {"neighbours": "20"}},
            0,
            0,
            "from sklearn.cluster import SpectralClustering",
            "labels = SpectralClustering(k, affinity='nearest_neighbors', n_neighbors=20, random_state=seed).fit_predict(x)",
        )
    for linkage in ("ward", "average", "complete", "single"):
        yield (
            f"agglomerative, {linkage}",
            sk + "AgglomerativeClustering",
            "pendigits_test",
            {"method": "agglomerative", "values": {"linkage": linkage}},
            0,
            0,
            "from sklearn.cluster import AgglomerativeClustering",
            f"labels = AgglomerativeClustering(k, linkage='{linkage}').fit_predict(x)",
        )
    for ours, peer in (("full", "full"), ("diagonal", "diag")):
        yield (
            f"gmm, {ours}, 10 iterations",
            sk + "GaussianMixture",
            "blobs:1000000:16:25:.35",
            {
                "method": "gmm",
                "values": {"covariance": ours, "tolerance": "1e-12", "max-iterations": "10"},
            },
            0,
            0,
            "from sklearn.mixture import GaussianMixture",
            f"labels = GaussianMixture(k, covariance_type='{peer}', tol=0, max_iter=10, random_state=seed).fit_predict(x)",
        )
    semi = "active-semi-supervised-clustering "
    for name, peer in (
        ("seeded-kmeans", "SeededKMeans"),
        ("constrained-kmeans", "ConstrainedKMeans"),
    ):
        for data in ("wine", "optdigits389"):
            yield (
                f"{name}, 5 known a class",
                semi + peer,
                data,
                {"method": name},
                0,
                5,
                SEMI.format("labeled_data", peer),
                f"labels = {peer}(n_clusters=k).fit(x, y=y).labels_",
            )
    for name, peer in (
        ("copkmeans", "COPKMeans"),
        ("pckmeans", "PCKMeans"),
        ("mpckmeans", "MPCKMeans"),
    ):
        for data in ("iris_dedup", "wine", "ecoli3"):
            yield (
                f"{name}, 100 links",
                semi + peer,
                data,
                {"method": name},
                100,
                0,
                SEMI.format("pairwise_constraints", peer),
                f"labels = {peer}(n_clusters=k).fit(x, ml=ml, cl=cl).labels_",
            )
    for strategy, peer in (
        ("explore-consolidate", "ExploreConsolidate"),
        ("minmax", "MinMax"),
        ("npu", "NPU"),
    ):
        for data in ("iris_dedup", "wine"):
            yield (
                f"pckmeans asking by {strategy}, 40 answers",
                semi + peer + ", PCKMeans",
                data,
                {"method": "pckmeans", "values": {"strategy": strategy}, "budget": 40},
                0,
                0,
                ACTIVE.format(peer),
                ASK.format(
                    "NPU(PCKMeans(n_clusters=k))" if peer == "NPU" else peer + "(n_clusters=k)"
                ),
            )
    for data in ("iris_dedup", "wine", "dermatology_complete", "ecoli", "optdigits389"):
        yield (
            "cobras, 100 answers",
            "cobras-ts",
            data,
            {"method": "cobras", "budget": 100},
            0,
            0,
            COBRAS,
            "f = COBRAS_kmeans(x, LabelQuerier(c), 100, store_intermediate_results=False).cluster()\nlabels = f.construct_cluster_labeling()",
        )
    for data in ("iris_dedup", "wine", "kevclus_t_n2000"):
        yield (
            "ecm",
            "evclust ecm",
            data,
            {"method": "ecm"},
            0,
            0,
            "from evclust.ecm import ecm",
            "m = ecm(pd.DataFrame(x), c=k, beta=2, alpha=1, delta=10, disp=False)\nlabels = m['y_pl']",
        )
    for data in ("wine", "optdigits389"):
        yield (
            "ssnb, 5 known a class",
            sk + "GaussianNB (known rows alone)",
            data,
            {"method": "ssnb"},
            0,
            5,
            "from sklearn.naive_bayes import GaussianNB",
            "labels = GaussianNB().fit(x[w['rows']], y[w['rows']]).predict(x)",
        )


def run(command):
    env = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=600)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["?"]
        return {"error": next((line for line in lines if line.startswith("panic")), lines[-1])}
    return json.loads(done.stdout.strip().splitlines()[-1])


def environment(parser):
    """The arguments, the folder of the data sets, that of the work, a python that has the peers, the
    program of kindred's methods, and the versions of the peers."""
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--python", help="a python3 that has the peers")
    parser.add_argument(
        "--work",
        default=str(pathlib.Path.home() / ".cache" / "kindred-peers"),
        help="folder for the virtual environment and the data",
    )
    args = parser.parse_args()
    folder = os.environ.get("KINDRED_DATASETS")
    if not folder:
        sys.exit("needs the published data sets in the folder that KINDRED_DATASETS names")
    place = pathlib.Path(args.work)
    place.mkdir(parents=True, exist_ok=True)
    python = args.python or place / "methods" / "bin" / "python"
    if not pathlib.Path(python).exists():
        venv.create(place / "methods", with_pip=True)
        subprocess.run(
            [python, "-m", "pip", "install", "-q", *PACKAGES], check=True, stdout=sys.stderr
        )
    ours = place / "methods-ours"
    subprocess.run(["go", "build", "-o", ours, "./methods"], cwd=HERE, check=True)
    versions = subprocess.run(
        [
            python,
            "-c",
            "from importlib.metadata import version as v; print(', '.join(p + ' ' + v(p) for p in "
            f"{PACKAGES}))",
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    return args, pathlib.Path(folder), place, python, ours, versions


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="run the lines that hold this")
    args, folder, place, python, ours, versions = environment(parser)
    print(
        f"{machine()}. {versions}. One processor, in turns, {args.seeds} seeds: median seconds; mean and standard deviation of the "
        "adjusted Rand index.\n"
    )
    print("| kindred | peer | data | seconds | peer | kindred is faster by | ARI | peer |")
    print("|---|---|---|---|---|---|---|---|")
    ratios, failed = [], []
    alone = ["taskset", "-c", str(sorted(os.sched_getaffinity(0))[-1])]
    for name, peer, data, spec, links, known, imports, fit in work():
        if args.only not in f"{name} {peer} {data}":
            continue
        source = (
            data
            if data.startswith("blobs:")
            else next(str(f) for f in sorted(folder.glob(data + ".csv*")))
        )
        times, scores, errors = ([], []), ([], []), {}
        for seed in range(args.seeds):
            made = run([python, "-c", MAKE, source, str(links), str(known), str(seed), str(place)])
            if "error" in made:
                sys.exit(made["error"])
            one = {
                "data": f"{place}/data",
                "classes": f"{place}/classes",
                "columns": made["columns"],
                "clusters": made["classes"],
                "links": made["links"],
                "known": known > 0,
                "rows": made["rows"],
                "seed": seed,
                "budget": 0,
                "labels": "",
                **spec,
            }
            commands = (
                [*alone, ours],
                [*alone, python, "-c", PEER.replace("IMPORTS", imports).replace("FIT", fit)],
            )
            for side, command in enumerate(commands):
                problem = place / f"problem{side}.json"
                one["labels"] = f"{place}/labels{side}"
                problem.write_text(json.dumps(one))
                try:
                    r = run([*command, problem])
                except subprocess.TimeoutExpired:
                    r = {"error": "ran for more than ten minutes"}
                if "error" in r:
                    errors[side] = r["error"]
                    continue
                times[side].append(r["seconds"])
                scores[side].extend(
                    json.loads(
                        subprocess.run(
                            [python, "-c", SCORE, f"{place}/classes", one["labels"]],
                            check=True,
                            capture_output=True,
                            text=True,
                        ).stdout
                    )
                )
        cells = []
        for side in (0, 1):
            cells.append(
                (
                    f"{statistics.median(times[side]):.3g}",
                    f"{statistics.mean(scores[side]):.3f} ± {statistics.pstdev(scores[side]):.3f}",
                )
                if times[side]
                else ("–", "–")
            )
        ratio = "–"
        if times[0] and times[1]:
            ratios.append(
                (
                    statistics.median(times[1]) / statistics.median(times[0]),
                    name,
                    data,
                    statistics.mean(scores[0]) - statistics.mean(scores[1]),
                    statistics.pstdev(scores[1]) + statistics.pstdev(scores[0]),
                )
            )
            ratio = f"{ratios[-1][0]:.3g}×"
        failed += [f"{(name, peer)[side]} on {data}: {e}" for side, e in errors.items()]
        print(
            f"| {name} | {peer} | {data} | {cells[0][0]} | {cells[1][0]} | {ratio} | {cells[0][1]} | {cells[1][1]} |",
            flush=True,
        )
    if ratios:
        print(
            f"\nMedian over the list: {statistics.median(r[0] for r in ratios):.3g} times faster."
        )
        for ratio, name, data, _, _ in sorted(ratios):
            if ratio < 5:
                print(f"Less than 5 times faster: {name} on {data}, {ratio:.2g}×.")
        for _, name, data, gain, spread in ratios:
            if gain < -max(spread, 0.005):
                print(
                    f"Lower index than the peer's beyond the spread: {name} on {data}, by {-gain:.3f}."
                )
    for f in failed:
        print(f"Failed: {f}.")


if __name__ == "__main__":
    main()
