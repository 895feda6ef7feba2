#!/usr/bin/env python3
"""Times neighbours, k-means, density clustering, trees and maps against libraries for Python, and prints
a table in Markdown.

All do the same work on the same float32 rows, in turns, each in a process of its own bound to two
processors; the table gives medians. "processor" is the time of all threads, which other work on the
machine changes less. Needs Linux, python3 with venv, go, and the network for the first run, which
installs the peers from PyPI into a virtual environment.

    bench/peers/wide.py [--repeats 3] [--work FOLDER] [--only TEXT] [--without PEER]
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = [
    "scikit-learn", "faiss-cpu", "hdbscan", "fast_hdbscan", "pynndescent", "umap-learn",
    "fastcluster",
]  # fmt: skip
THREADS = 2
# work, set, parameter: clusters, neighbours, radius, least cluster
WORKS = [
    ("kmeans", "100000×768", 50),
    ("kmeans", "100000×384", 100),
    ("kmeans", "200000×128", 1000),
    ("kmeans", "100000×768 overlapping", 50),
    ("kmeans", "100000×384 overlapping", 100),
    ("kmeans", "200000×128 overlapping", 1000),
    ("kmeans", "100000×768 noise", 50),
    ("knn", "20000×384", 15),
    ("graph", "100000×384", 15),
    ("dbscan", "20000×384", 21),
    ("dbscan", "1000000×2", 0.2),
    ("dbscan", "100000×16", 3),
    ("hdbscan", "1000000×2", 20),
    ("hdbscan", "100000×16", 10),
    ("hdbscan", "20000×384", 10),
    ("ward", "20000×384", 60),
    ("average", "20000×16", 50),
    ("complete", "20000×16", 50),
    ("single", "20000×16", 50),
    ("layout", "20000×384", 15),
]
PEERS = {
    "kmeans": ["faiss", "scikit-learn"],
    "knn": ["faiss flat", "scikit-learn"],
    "graph": ["faiss HNSW", "pynndescent"],
    "dbscan": ["scikit-learn"],
    "hdbscan": ["fast_hdbscan", "hdbscan"],
    "ward": ["scikit-learn"],
    "average": ["SciPy", "fastcluster"],
    "complete": ["SciPy", "fastcluster"],
    "single": ["SciPy", "fastcluster"],
    "layout": ["umap-learn"],
}


def run(command):
    allowed = ",".join(map(str, sorted(os.sched_getaffinity(0))[-THREADS:]))
    found = subprocess.run(
        ["taskset", "-c", allowed, *command], check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(found.stdout)


def spread(values):
    return f"{statistics.median(values):.2f} ({min(values):.2f}–{max(values):.2f})"


def what(work, contender, ours, theirs, agree):
    """What the results have in common."""
    if work in ("knn", "graph"):
        return f"recall {agree['recalls'][contender != 'kindred']:.3f}"
    if work == "layout":
        return f"trustworthiness {agree['trust'][contender != 'kindred']:.3f}"
    said = "" if contender == "kindred" else f"ARI to kindred {agree['agreement']:.3f}"
    for name in ("objective", "heights"):
        if name in theirs:
            said += f" {name} {theirs[name] / ours[name] - 1:+.1e}" if said else ""
    if "clusters" in theirs:
        said += f" {theirs['clusters']} clusters"
    return said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument(
        "--work",
        default=str(pathlib.Path.home() / ".cache" / "kindred-peers" / "wide"),
        help="folder for the virtual environment and the data",
    )
    parser.add_argument("--python", help="a python that has the peers")
    parser.add_argument("--only", default="", help="do the works whose name holds this")
    parser.add_argument("--without", default="", help="a peer to leave out")
    args = parser.parse_args()
    if len(os.sched_getaffinity(0)) < THREADS:
        sys.exit("needs two processors")
    work = pathlib.Path(args.work)
    work.mkdir(parents=True, exist_ok=True)
    python = args.python or work / "venv" / "bin" / "python"
    if not args.python and not python.exists():
        venv.create(work / "venv", with_pip=True)
        subprocess.run(
            [python, "-m", "pip", "install", "-q", *PACKAGES], check=True, stdout=sys.stderr
        )
    ours = str(work / "wide-peer")
    subprocess.run(["go", "build", "-o", ours, "./wide"], cwd=HERE, check=True)
    peer = [str(python), str(HERE / "wide_peer.py")]
    print(
        "| work | contender | seconds | processor | kindred is faster by (seconds, processor) | MiB more | |"
    )
    print("|---|---|---|---|---|---|---|")
    for name, data, parameter in WORKS:
        if args.only not in f"{name} {data}":
            continue
        file, columns = str(work / data), data.split()[0].split("×")[1]
        if not os.path.exists(file):
            subprocess.run([*peer, "make", data, file], check=True)
        results = [str(work / "ours"), str(work / "theirs")]
        call = [name, str(THREADS), file, columns, str(parameter)]
        runs = {"kindred": []}
        runs |= {p: [] for p in PEERS[name] if p != args.without}
        agree = {}
        for _ in range(args.repeats):
            runs["kindred"].append(run([ours, *call, results[0]]))
            for p in list(runs)[1:]:
                runs[p].append(run([*peer, p, *call, results[1]]))
                if p not in agree:
                    agree[p] = run(
                        [*peer, "compare", name, file, columns, str(parameter), *results]
                    )
        agree["kindred"] = next(iter(agree.values()), dict.fromkeys(("recalls", "trust"), [float("nan")] * 2))
        base = runs["kindred"]
        for contender, these in runs.items():
            by = [
                statistics.median(r[m] for r in these) / statistics.median(r[m] for r in base)
                for m in ("seconds", "processor")
            ]
            print(
                f"| {name} {data}, {parameter} | {contender} | {spread([r['seconds'] for r in these])} | "
                f"{spread([r['processor'] for r in these])} | {by[0]:.2f}×, {by[1]:.2f}× | "
                f"{statistics.median(r['more'] for r in these):.0f} | "
                f"{what(name, contender, base[0], these[0], agree[contender])} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
