#!/usr/bin/env python3
"""Times pykindred against scikit-learn and hdbscan from NumPy arrays to labels, and prints tables
in Markdown.

Contenders take turns, each in a process of its own bound to two processors. Each does the work
once for the first 2000 rows, which loads libraries and starts what is started, and is then timed
for all. "processor" is the time of all threads and processes that do the work. The second
table is what calls of pykindred take beside the work itself. Needs Linux and go; --python names an
interpreter with scikit-learn and hdbscan, and KINDRED_DATASETS the folder of the published sets.

    bench/peers/python.py --python PYTHON [--repeats 3] [--only TEXT]
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
THREADS = 2
# rows, columns, groups, spread of their centres; None: a published set, scaled to [0, 1]
SETS = {
    "1000000×16": (1_000_000, 16, 25, 1.0),
    "100000×16": (100_000, 16, 50, 4.0),
    "20000×16": (20_000, 16, 50, 4.0),
    "1000000×2": (1_000_000, 2, 50, 25.0),
    "20000×384": (20_000, 384, 60, 1.0),
    "pendigits": None,
    "pendigits389": None,
    "optdigits389": None,
    "pendigits_test": None,
}
# work, set, type, parameter, peers
WORKS = [
    ("kmeans", "1000000×16", "f4", 25, ["scikit-learn"]),
    ("kmeans", "1000000×16", "f8", 25, ["scikit-learn"]),
    ("kmeans-random", "1000000×16", "f4", 25, ["scikit-learn"]),
    ("kmeans-random", "1000000×16", "f8", 25, ["scikit-learn"]),
    ("hdbscan", "100000×16", "f4", 10, ["hdbscan"]),
    ("hdbscan", "1000000×2", "f4", 20, ["hdbscan"]),
    ("hdbscan", "20000×16", "f8", 10, ["hdbscan", "scikit-learn"]),
    ("dbscan", "100000×16", "f4", 3, ["scikit-learn"]),
    ("dbscan", "1000000×2", "f8", 0.2, ["scikit-learn"]),
    ("dbscan", "pendigits", "f8", 0.25, ["scikit-learn"]),
    ("spectral", "optdigits389", "f8", 3, ["scikit-learn"]),
    ("spectral", "pendigits389", "f8", 3, ["scikit-learn"]),
    ("spectral", "pendigits", "f8", 10, ["scikit-learn"]),
    ("spectral", "20000×16", "f8", 50, ["scikit-learn"]),
    ("ward", "20000×384", "f4", 60, ["scikit-learn"]),
    ("ward", "pendigits_test", "f8", 10, ["scikit-learn"]),
    ("average", "20000×16", "f8", 50, ["scikit-learn"]),
    ("average", "pendigits_test", "f8", 10, ["scikit-learn"]),
    ("complete", "pendigits_test", "f8", 10, ["scikit-learn"]),
    ("single", "pendigits_test", "f8", 10, ["scikit-learn"]),
]


def rows(name, dtype):
    import numpy as np

    made = SETS[name]
    if made is None:
        path = os.path.join(os.environ["KINDRED_DATASETS"], name + ".csv")
        with open(path, encoding="utf-8") as f:
            header = f.readline().rstrip().split(",")
        used = [i for i, column in enumerate(header) if column not in ("class", "id", "label")]
        x = np.loadtxt(path, delimiter=",", skiprows=1, usecols=used)
        low, high = x.min(axis=0), x.max(axis=0)
        x = (x - low) / np.where(high > low, high - low, 1)
    else:
        n, d, k, spread = made
        rng = np.random.default_rng(1)
        x = rng.normal(0, spread, (k, d))[rng.integers(k, size=n)]
        x += rng.normal(size=(n, d))
    return np.ascontiguousarray(x, dtype)


def ours(work, p):
    import pykindred as pk

    return {
        "kmeans": lambda: pk.KMeans(p, n_init=1, max_iter=20, tol=1e-12),
        "kmeans-random": lambda: pk.KMeans(p, n_init=1, max_iter=20, tol=1e-12),
        "hdbscan": lambda: pk.HDBSCAN(min_cluster_size=p, min_samples=p),
        "dbscan": lambda: pk.DBSCAN(eps=p, min_samples=10),
        "spectral": lambda: pk.SpectralClustering(p, n_neighbors=20),
    }.get(work, lambda: pk.AgglomerativeClustering(p, linkage=work))()


def theirs(peer, work, p):
    if peer == "hdbscan":
        import hdbscan

        return hdbscan.HDBSCAN(min_cluster_size=p, min_samples=p - 1, core_dist_n_jobs=THREADS)
    from sklearn import cluster

    start = {"n_init": 1, "max_iter": 20, "tol": 0, "random_state": 0}
    return {
        "kmeans": lambda: cluster.KMeans(p, **start),
        "kmeans-random": lambda: cluster.KMeans(p, init="random", **start),
        "hdbscan": lambda: cluster.HDBSCAN(
            min_cluster_size=p, min_samples=p, n_jobs=THREADS, copy=True
        ),
        "dbscan": lambda: cluster.DBSCAN(eps=p, min_samples=10, n_jobs=THREADS),
        "spectral": lambda: cluster.SpectralClustering(
            p, affinity="nearest_neighbors", n_neighbors=20, random_state=0, n_jobs=THREADS
        ),
    }.get(work, lambda: cluster.AgglomerativeClustering(p, linkage=work))()


def others():
    """Returns the processor seconds of the processes that this one started, such as the worker."""
    times, parents = {}, {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as f:
                    fields = f.read().rpartition(")")[2].split()
            except OSError:  # it has ended
                continue
            parents[int(name)] = int(fields[1])
            times[int(name)] = sum(map(int, fields[11:15]))

    def mine(pid):
        while pid in parents and pid != os.getpid():
            pid = parents[pid]
        return pid == os.getpid()

    ticks = sum(t for pid, t in times.items() if pid != os.getpid() and mine(pid))
    ended = os.times()
    return ticks / os.sysconf("SC_CLK_TCK") + ended.children_user + ended.children_system


def one(contender, work, data, dtype, parameter, out):
    """Does one piece of work and prints what it took."""
    import warnings

    import numpy as np

    warnings.filterwarnings("ignore")
    x = rows(data, dtype)
    p = float(parameter) if work == "dbscan" else int(parameter)

    def model():
        return ours(work, p) if contender == "pykindred" else theirs(contender, work, p)

    model().fit(x[:2000].copy())
    began, used, other = time.perf_counter(), time.process_time(), others()
    m = model().fit(x)
    labels = m.labels_
    seconds = time.perf_counter() - began
    processor = time.process_time() - used + others() - other
    np.save(out, labels)
    found = {"seconds": seconds, "processor": processor}
    if work.startswith("kmeans"):
        found["iterations"], found["inertia"] = int(m.n_iter_), float(m.inertia_)
    print(json.dumps(found))


def agreement(a, b):
    import numpy as np
    from sklearn.metrics import adjusted_rand_score

    return adjusted_rand_score(np.load(a), np.load(b))


def overhead():
    """Prints what calls take beside the work itself, as a table."""
    import numpy as np

    from pykindred._worker import call

    def fit(x):
        params = {"clusters": "2", "scale": "none", "starts": "1", "max-iterations": "1"}
        return call("fit", {"method": "kmeans", "params": params, "want": []}, {"X": x})

    def median(do, repeats):
        taken = []
        for _ in range(repeats):
            began = time.perf_counter()
            do()
            taken.append(time.perf_counter() - began)
        return statistics.median(taken) * 1e3

    began = time.perf_counter()
    call("hello")
    first = (time.perf_counter() - began) * 1e3
    print("| what | milliseconds |\n|---|--:|")
    print(f"| first call of a process, which starts the worker | {first:.0f} |")
    print(f"| a call that does nothing | {median(lambda: call('hello'), 200):.2f} |")
    x = np.random.default_rng(0).normal(size=(150, 4))
    print(f"| k-means of 150×4, whole | {median(lambda: fit(x), 200):.2f} |")
    for dtype in ("f4", "f8"):
        x = np.random.default_rng(0).normal(size=(1_000_000, 16)).astype(dtype)
        sent = median(lambda: call("hello", {}, {"X": x}), 9)
        print(f"| 1000000×16 {dtype}, to the worker | {sent:.0f} |")
        labels = np.zeros(1_000_000, np.int32)
        both = {"a": labels, "b": labels}
        sent += median(lambda: call("hello", {}, both), 9)
        print(f"| …, with labels of 1000000 rows | {sent:.0f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--python", default=sys.executable, help="a python that has the peers")
    parser.add_argument("--only", default="", help="do the works whose name holds this")
    args = parser.parse_args()
    if len(os.sched_getaffinity(0)) < THREADS:
        sys.exit("needs two processors")
    binary = os.environ.get("KINDRED_BINARY")
    if not binary:
        binary = str(ROOT / "bin" / "kindred")
        subprocess.run(["make", "-C", str(ROOT), "build"], check=True, stdout=sys.stderr)
    env = {**os.environ, "KINDRED_BINARY": binary, "PYTHONWARNINGS": "ignore",
           "PYTHONPATH": os.environ.get("PYTHONPATH", str(ROOT / "python" / "src"))}  # fmt: skip
    for name in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
        env[name + "_NUM_THREADS"] = str(THREADS)
    allowed = ",".join(map(str, sorted(os.sched_getaffinity(0))[-THREADS:]))

    def run(*words):
        command = ["taskset", "-c", allowed, args.python, __file__, *map(str, words)]
        found = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=env)
        return found.stdout

    print("| work | contender | seconds | processor seconds | pykindred is faster by "
          "(seconds, processor) | |\n|---|---|---|---|---|---|")  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        for work, data, dtype, p, peers in WORKS:
            if args.only not in f"{work} {data} {dtype}":
                continue
            contenders = ["pykindred", *peers]
            runs = {c: [] for c in contenders}
            for _ in range(args.repeats):
                for c in contenders:
                    out = os.path.join(folder, c + ".npy")
                    runs[c].append(json.loads(run("one", c, work, data, dtype, p, out)))
            base = runs["pykindred"]
            for c, these in runs.items():
                middle, by = {}, []
                for m in ("seconds", "processor"):
                    middle[m] = statistics.median(r[m] for r in these)
                    by.append(middle[m] / statistics.median(r[m] for r in base))
                note = ""
                if c != "pykindred":
                    files = [os.path.join(folder, f"{name}.npy") for name in ("pykindred", c)]
                    note = f"ARI {float(run('agree', *files)):.3f}"
                if "inertia" in these[0]:
                    note += f" inertia {these[0]['inertia'] / base[0]['inertia'] - 1:+.1e}"
                    note += f" {these[0]['iterations']} iterations"
                print(f"| {work} {data} {dtype}, {p} | {c} | {middle['seconds']:.3g} | "
                      f"{middle['processor']:.3g} | {by[0]:.2f}×, {by[1]:.2f}× | {note.strip()} |",
                      flush=True)  # fmt: skip
    if args.only in "overhead":
        print("\n" + run("overhead"), end="")


if __name__ == "__main__":
    if sys.argv[1:2] == ["one"]:
        one(*sys.argv[2:])
    elif sys.argv[1:2] == ["agree"]:
        print(agreement(*sys.argv[2:]))
    elif sys.argv[1:2] == ["overhead"]:
        overhead()
    else:
        main()
