#!/usr/bin/env python3
"""Compares ssnb, which learns from rows of known and unknown class, with Gaussian naive Bayes of
scikit-learn on the known rows alone and self-trained, and prints a table in Markdown.

All know the same rows, drawn by the seed, of columns scaled to 0..1. The table gives means over the
seeds of the adjusted Rand index over the rows of unknown class, and names peers that ssnb is behind
by more than .02. How the weight of rows of unknown class is chosen was decided on the first five
sets; the others were looked at once it was. Needs go, the published data sets in
the folder that KINDRED_DATASETS names, and a python3 with numpy and scikit-learn, which the first
run installs from PyPI unless --python names one.

    bench/peers/labels.py [--seeds 5] [--python PYTHON] [--work FOLDER] [--only SET,SET]
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import venv

from run import HERE, machine

VIEW = ["wine", "ecoli", "yeast", "parkinsons", "segmentation"]
HELD = ["glass", "dermatology_complete", "pima", "breast_cancer_wisconsin_683", "optdigits_test"]
KNOWN = [2, 5, 10, 20]

# Fits both peers, and writes the rows and what is known of them for ours.
PEER = """
import csv, json, sys, warnings
import numpy as np
from sklearn.naive_bayes import GaussianNB
from sklearn.semi_supervised import SelfTrainingClassifier
from sklearn.metrics import adjusted_rand_score
warnings.filterwarnings('ignore')
source, known, seed, folder, ours = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5]
with open(source) as f:
    rows = list(csv.reader(f))[1:]
x = np.array([r[:-1] for r in rows], float)
c = np.unique([r[-1] for r in rows], return_inverse=True)[1]
span = np.ptp(x, axis=0)
x = (x - x.min(axis=0)) / np.where(span > 0, span, 1)
rng = np.random.default_rng(seed)
which = [int(i) for k in range(c.max() + 1) for i in rng.permutation(np.flatnonzero(c == k))[:known]]
x.astype('<f8').tofile(folder + '/data')
c.astype('<i8').tofile(folder + '/classes')
y = np.full(len(c), -1)
y[which] = c[which]
rest = y < 0
score = lambda labels: adjusted_rand_score(c[rest], np.asarray(labels)[rest])
out = {'supervised': score(GaussianNB().fit(x[which], y[which]).predict(x)),
       'self-trained': score(SelfTrainingClassifier(GaussianNB()).fit(x, y).predict(x))}
import subprocess
problem = {'data': folder + '/data', 'classes': folder + '/classes', 'columns': x.shape[1], 'links': [],
           'clusters': int(c.max() + 1), 'known': True, 'rows': which, 'seed': seed, 'method': 'ssnb',
           'labels': folder + '/labels'}
for name, values in (('ssnb', {}), ('weight 1', {'unlabelled-weight': '1'})):
    with open(folder + '/problem.json', 'w') as f:
        json.dump({**problem, 'values': values}, f)
    subprocess.run([ours, folder + '/problem.json'], check=True, stdout=subprocess.DEVNULL)
    out[name] = score(np.fromfile(folder + '/labels', np.int64))
print(json.dumps(out))
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--python", help="a python3 that has the peers")
    parser.add_argument(
        "--work",
        default=str(pathlib.Path.home() / ".cache" / "kindred-peers"),
        help="folder for the virtual environment and the data",
    )
    parser.add_argument("--only", default="", help="these sets, with commas between")
    args = parser.parse_args()
    folder = os.environ.get("KINDRED_DATASETS")
    if not folder:
        sys.exit("needs the published data sets in the folder that KINDRED_DATASETS names")
    work = pathlib.Path(args.work)
    work.mkdir(parents=True, exist_ok=True)
    python = args.python or work / "labels-venv" / "bin" / "python"
    if not pathlib.Path(python).exists():
        venv.create(work / "labels-venv", with_pip=True)
        subprocess.run(
            [python, "-m", "pip", "install", "-q", "numpy", "scikit-learn"],
            check=True,
            stdout=sys.stderr,
        )
    ours = work / "labels-ours"
    subprocess.run(["go", "build", "-o", ours, "./methods"], cwd=HERE, check=True)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    print(f"{machine()}. Means over {args.seeds} seeds.\n")
    print("| data | known per class | ssnb | weight 1 | supervised | self-trained | behind |")
    print("|---|---|---|---|---|---|---|")
    wanted = args.only.split(",") if args.only else VIEW + HELD
    counts = {}
    peers = ("supervised", "self-trained")
    for data in wanted:
        for known in KNOWN:
            sums = {}
            for seed in range(args.seeds):
                done = subprocess.run(
                    [python, "-c", PEER, f"{folder}/{data}.csv", str(known), str(seed), str(work), ours],
                    check=True,
                    capture_output=True,
                    text=True,
                )
                for name, score in json.loads(done.stdout).items():
                    sums[name] = sums.get(name, 0) + score / args.seeds
            group = counts.setdefault("in view" if data in VIEW else "held out", {"lines": 0})
            group["lines"] += 1
            for name in ("ssnb", "weight 1"):
                for peer in peers:
                    behind = sums[name] < sums[peer] - 0.02
                    group[name, peer] = group.get((name, peer), 0) + behind
            behind = ", ".join(p for p in peers if sums["ssnb"] < sums[p] - 0.02)
            print(
                f"| {data} | {known} | {sums['ssnb']:.3f} | {sums['weight 1']:.3f} | "
                f"{sums['supervised']:.3f} | {sums['self-trained']:.3f} | {behind} |",
                flush=True,
            )
    for group, n in counts.items():
        for peer in peers:
            print(
                f"\nSets {group}: behind {peer} in {n['ssnb', peer]} of {n['lines']} lines, "
                f"with weight 1 in {n['weight 1', peer]}."
            )


if __name__ == "__main__":
    main()
