#!/usr/bin/env python3
"""Prints what BERTopic's way of finding topics reaches on sentence vectors, as a table in Markdown.

On the vectors of banking77 and clinc150 in the folder KINDRED_DATASETS: UMAP with BERTopic's
settings (15 neighbours, cosine, no least distance) to five columns, and to two as kindred's map
has, then HDBSCAN of clusters of at least ten. The adjusted Rand index counts texts in no cluster
as one more, or puts each into the cluster with the nearest mean ("all placed"). Means over the
seeds. `kindred reproduce worth-of-an-answer --parts texts` has the same by kindred.

    pip install umap-learn==0.5.12 hdbscan==0.8.44 scikit-learn
    bench/peers/topics.py [--seeds 2]
"""

import argparse
import csv
import gzip
import os
import pathlib
import warnings

import hdbscan
import numpy as np
import umap
from sklearn.metrics import adjusted_rand_score, pairwise_distances_argmin

warnings.filterwarnings("ignore")


def topics(x, columns, seed):
    """Returns the topic of each row, -1 for none."""
    places = umap.UMAP(n_neighbors=15, n_components=columns, min_dist=0, metric="cosine",
                       random_state=seed).fit_transform(x)
    return hdbscan.HDBSCAN(min_cluster_size=10).fit_predict(places)


def placed(x, labels):
    """Returns labels with the rows of none in the cluster with the nearest mean."""
    means = np.array([x[labels == c].mean(0) for c in range(labels.max() + 1)])
    return np.where(labels < 0, pairwise_distances_argmin(x, means), labels)


def main():
    flags = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    flags.add_argument("--seeds", type=int, default=2)
    o = flags.parse_args()
    folder = pathlib.Path(os.environ["KINDRED_DATASETS"])
    print("| set | columns | topics | in none | adjusted Rand | all placed |")
    print("|---|--:|--:|--:|--:|--:|")
    for name in ("banking77", "clinc150"):
        with gzip.open(folder / f"{name}_minilm384.npy.gz") as f:
            x = np.load(f).astype(np.float32)
        with open(folder / f"{name}.csv", encoding="utf-8") as f:
            truth = [row["intent"] for row in csv.DictReader(f)]
        for columns in (5, 2):
            found = [topics(x, columns, seed) for seed in range(o.seeds)]
            of = [[labels.max() + 1, (labels < 0).mean(), adjusted_rand_score(truth, labels),
                   adjusted_rand_score(truth, placed(x, labels))] for labels in found]
            n, none, index, all_placed = np.mean(of, 0)
            print(f"| {name} | {columns} | {n:.0f} | {none:.0%} | {index:.2f} | {all_placed:.2f} |",
                  flush=True)


if __name__ == "__main__":
    main()
