#!/usr/bin/env python3
"""Sets what answers are worth to kindred beside what they are worth to its peers of PyPI, and prints
a table in Markdown.

On the sets of files that reproduce/worth/listed.tsv lists: of equal rows the first, scaled to 0..1
unless they are vectors. The classes answer 25, 50 and 100 questions of kin, of kindred's COBRAS, of
cobras-ts, and of the strategies MinMax and NPU of active-semi-supervised-clustering, whose PCKMeans
then clusters, told the number of classes. The table gives mean adjusted Rand indices over the seeds,
and processor seconds of a session of 100 answers. All run in turns on one processor. The strategies
compare all pairs in Python, so they run on up to 500 rows, NPU on up to 200. Needs what methods.py
needs.

    bench/peers/answers.py [--seeds 3] [--python PYTHON] [--work FOLDER] [--only SET,SET]
"""

import argparse
import json
import math
import os
import pathlib
import resource
import statistics
import subprocess
import sys

from methods import ACTIVE, ASK, COBRAS, environment
from run import HERE, machine

BUDGETS = (25, 50, 100)
WORTH = HERE.parent.parent / "reproduce"

MAKE = """
import gzip, json, sys, numpy as np, pandas as pd
source, labels, column, folder = sys.argv[1:5]
c = pd.read_csv(labels or source)[column]
if '.npy' in source:
    with gzip.open(source) as f:
        x = np.load(f).astype(float)
else:
    x = pd.read_csv(source).drop(columns='class').to_numpy(float)
_, first = np.unique(x, axis=0, return_index=True)
first.sort()
x, c = x[first], pd.factorize(c[first])[0]
if '.npy' not in source:
    span = np.ptp(x, axis=0)
    x = (x - x.min(axis=0)) / np.where(span > 0, span, 1)
x.astype('<f8').tofile(folder + '/data')
c.astype('<i8').tofile(folder + '/classes')
print(json.dumps({'n': len(x), 'columns': x.shape[1], 'classes': int(c.max() + 1)}))
"""

# What every peer begins with: x, c (classes), k (clusters) and budgets. It fills labels, by budget.
PEER = """
import json, sys, time, types, warnings
warnings.filterwarnings('ignore')
import numpy as np
w = json.load(open(sys.argv[1]))
x = np.fromfile(w['data']).reshape(-1, w['columns'])
c = np.fromfile(w['classes'], np.int64)
k, budgets, labels, spent = w['clusters'], w['budgets'], {}, {}
IMPORTS
for budget in budgets:
    np.random.seed(w['seed'])
    w['budget'] = budget
    began = time.process_time()
    FIT
    spent[budget] = time.process_time() - began
from sklearn.metrics import adjusted_rand_score
print(json.dumps({'index': [adjusted_rand_score(c, labels[b]) for b in budgets], 'seconds': spent[budgets[-1]]}))
"""

SCORE = """
import json, sys, numpy as np
from sklearn.metrics import adjusted_rand_score
c = np.fromfile(sys.argv[1], np.int64)
print(json.dumps([adjusted_rand_score(c, np.fromfile(f, np.int64)) for f in sys.argv[2:]]))
"""


def indented(fit):
    return fit.replace("labels = ", "labels[budget] = ").replace("\n", "\n    ")


# name, most rows, imports and fit of a peer; of ours the method.
CONTENDERS = (
    ("kin", 5000, "kin", None),
    ("COBRAS", 5000, "cobras", None),
    (
        "cobras-ts",
        5000,
        COBRAS,
        "f = COBRAS_kmeans(x, LabelQuerier(c), budget, store_intermediate_results=False).cluster()\n"
        "labels = f.construct_cluster_labeling()",
    ),
    ("MinMax, PCKMeans", 500, ACTIVE.format("MinMax"), ASK.format("MinMax(n_clusters=k)")),
    ("NPU, PCKMeans", 200, ACTIVE.format("NPU"), ASK.format("NPU(PCKMeans(n_clusters=k))")),
)


def sets(folder):
    """name, title, file, file and column of the labels of the listed sets that are here."""
    table = {}
    for line in (WORTH / "catalogue" / "sets.tsv").read_text().splitlines():
        f = line.split("\t")
        if len(f) > 2 and not line.startswith("#"):
            for name in f[0].split(", "):
                table[name] = f[1], f[2], f[6], f[7] or "class"
    for line in (WORTH / "worth" / "listed.tsv").read_text().splitlines():
        name = line.split("\t")[0]
        if name not in table:  # it is drawn by a law
            continue
        title, file, labels, column = table[name]
        places = [folder / file, folder / (labels or file)]
        if all(p.exists() for p in places):
            yield name, title, str(places[0]), str(places[1]) if labels else "", column


def run(command):
    """what a command printed last as JSON, and its processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    env = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=600)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise RuntimeError((done.stderr.strip().splitlines() or ["?"])[-1])
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(done.stdout.strip().splitlines()[-1]), spent


def session(contender, python, ours, alone, place, made, seed):
    """the indices after the budgets, and the processor seconds of the last."""
    _, _, imports, fit = contender
    work = {
        "data": f"{place}/data",
        "classes": f"{place}/classes",
        "columns": made["columns"],
        "clusters": made["classes"],
        "seed": seed,
    }
    problem = place / "answers.json"
    if fit:
        problem.write_text(json.dumps({**work, "budgets": BUDGETS}))
        code = PEER.replace("IMPORTS", imports).replace("FIT", indented(fit))
        got, _ = run([*alone, python, "-c", code, problem])
        return got["index"], got["seconds"]
    spent, files = 0, []
    for budget in BUDGETS:
        files.append(f"{place}/labels{budget}")
        problem.write_text(
            json.dumps({**work, "method": imports, "budget": budget, "labels": files[-1]})
        )
        _, spent = run([*alone, ours, problem])
    index, _ = run([python, "-c", SCORE, work["classes"], *files])
    return index, spent


def mean(values):
    return statistics.mean(values) if values else math.nan


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="names of sets, with commas between")
    args, folder, place, python, ours, versions = environment(parser)
    only = args.only.split(",") if args.only else []
    print(
        f"{machine()}. {versions}. One processor, in turns, {args.seeds} seeds: mean adjusted Rand "
        "index after 25 / 50 / 100 answers, and processor seconds of 100 answers.\n"
    )
    names = [c[0] for c in CONTENDERS]
    print(f"| set | rows | classes | {' | '.join(names)} | seconds: {' | '.join(names)} |")
    print("|---|--:|--:|" + "--:|" * (2 * len(names)))
    alone = ["taskset", "-c", str(sorted(os.sched_getaffinity(0))[-1])]
    every, failed = [], []
    for name, title, file, labels, column in sets(folder):
        if only and name not in only:
            continue
        made, _ = run([python, "-c", MAKE, file, labels, column, str(place)])
        indices, seconds = {n: [] for n in names}, {n: [] for n in names}
        for seed in range(args.seeds):
            for contender in CONTENDERS:
                if made["n"] > contender[1]:
                    continue
                try:
                    index, spent = session(contender, python, ours, alone, place, made, seed)
                    indices[contender[0]].append(index)
                    seconds[contender[0]].append(spent)
                except (RuntimeError, subprocess.TimeoutExpired) as e:
                    failed.append(f"{contender[0]} on {name}: {e}")
        of = {n: [mean([i[b] for i in all]) for b in range(3)] for n, all in indices.items() if all}
        every.append(of)
        cells = [" / ".join(f"{v:.3f}" for v in of[n]) if n in of else "–" for n in names]
        cells += [f"{mean(seconds[n]):.2f}" if seconds[n] else "–" for n in names]
        print(
            f"| {title} | {made['n']} | {made['classes']} | {' | '.join(cells)} |",
            flush=True,
        )
    print()
    for name in names[1:]:
        both = [o for o in every if name in o and names[0] in o]
        if both:
            print(
                f"{name}, {len(both)} sets: "
                + "; ".join(
                    f"after {budget} answers {mean([o[name][b] for o in both]):.3f} beside "
                    f"{mean([o[names[0]][b] for o in both]):.3f} of {names[0]}, which is ahead on "
                    f"{sum(o[names[0]][b] > o[name][b] for o in both)}"
                    for b, budget in enumerate(BUDGETS)
                )
                + "."
            )
    for f in failed:
        print(f"Failed: {f}.")


if __name__ == "__main__":
    main()
