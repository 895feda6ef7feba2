#!/usr/bin/env python3
"""Prints how often each criterion chooses the number of classes of a data set, from 2 to 22.

Needs a built command, and the published data sets in the folder that KINDRED_DATASETS names.

    bench/choose.py bin/kindred
"""

import json
import os
import pathlib
import subprocess
import sys

SETS = (
    "iris wine glass ecoli segmentation dermatology_complete breast_cancer_wisconsin_683 column_3C optdigits389 "
    "pendigits389 sipu_aggregation sipu_r15 sipu_s1 sipu_s2 sipu_unbalance sipu_a1"
).split()
WAYS = [("kmeans", c) for c in ("silhouette", "gap", "stability")] + [
    ("gmm", c) for c in ("silhouette", "bic", "icl")
]


def main():
    folder = pathlib.Path(os.environ["KINDRED_DATASETS"])
    print("| data set | classes | " + " | ".join(f"{m}, {c}" for m, c in WAYS) + " |")
    print("|---|---|" + "---|" * len(WAYS))
    right, near = [0] * len(WAYS), [0] * len(WAYS)
    for name in SETS:
        data = folder / f"{name}.csv"
        line, classes = "", 0
        for i, (method, criterion) in enumerate(WAYS):
            args = [data, "--method", method, "-k", "2..22", "--choose", criterion, "--label", "class", "--json"]
            done = subprocess.run([sys.argv[1], "cluster", *args], capture_output=True, text=True)
            if done.returncode:
                line += " – |"
                continue
            report = json.loads(done.stdout)
            if not classes:
                rows = data.read_text().splitlines()
                at = rows[0].split(",").index("class")
                classes = len({r.split(",")[at] for r in rows[1:]})
            k = report["choice"]["clusters"]
            right[i] += k == classes
            near[i] += abs(k - classes) <= max(1, classes // 10)
            line += f" {k} |" if k != classes else f" **{k}** |"
        print(f"| {name} | {classes} |{line}", flush=True)
    print("| right | |" + "".join(f" {v} |" for v in right))
    print("| within 1, or a tenth | |" + "".join(f" {v} |" for v in near))


if __name__ == "__main__":
    main()
