"""Writes peers.json: small sets, and what scikit-learn and the hdbscan package make of them.

python peers.py > peers.json   (scikit-learn 1.9.1, hdbscan 0.8)

Reachabilities are often equal, and both take the order of the rows then. So each set and setting is
tried with its rows in ten orders, and only those are kept of which both always find one partition.
"""
import json
import warnings

import hdbscan
import numpy as np
from sklearn import cluster, datasets

warnings.filterwarnings("ignore")
rng = np.random.default_rng(19)


def sets():
    for d in (1, 2, 3, 6, 14):
        x, _ = datasets.make_blobs(150, d, centers=4, cluster_std=1.1, random_state=d)
        yield f"blobs of {d} columns", x
    yield "moons", datasets.make_moons(150, noise=0.07, random_state=1)[0]
    yield "circles", datasets.make_circles(150, noise=0.05, factor=0.4, random_state=2)[0]
    x, _ = datasets.make_blobs(150, 2, centers=3, cluster_std=[0.3, 1, 2.5], random_state=3)
    yield "three densities", x
    yield "uniform noise", np.vstack([rng.uniform(-6, 6, (60, 2)), rng.normal(size=(90, 2)) / 2])
    t = rng.uniform(0, 9, 150)
    yield "spiral", np.c_[t * np.cos(t), t * np.sin(t)] + rng.normal(size=(150, 2)) / 9
    wine = datasets.load_wine().data
    yield "wine", (wine / wine.std(0))[:, :7]
    iris = datasets.load_iris().data
    yield "iris", iris + rng.normal(size=iris.shape) / 50
    yield "diabetes", 10 * datasets.load_diabetes().data[:150, 4:8] + rng.normal(size=(150, 4)) / 50


def canonical(labels):
    """Numbers clusters by their first rows, from 0; -1 is noise."""
    names = {-1: -1}
    return [names.setdefault(int(l), len(names) - 1) for l in labels]


def stable(x, fit):
    try:
        first = canonical(fit(x))
    except TypeError:  # of scikit-learn, with an eps and a recent NumPy
        return None
    for _ in range(10):
        order = rng.permutation(len(x))
        labels = np.empty(len(x), int)
        try:
            labels[order] = fit(x[order])
        except TypeError:
            return None
        if canonical(labels) != first:
            return None
    return first


out = []
for name, x in sets():
    x = np.round(x, 3)
    x = x[np.sort(np.unique(x, axis=0, return_index=True)[1])]
    new = np.round(np.vstack([x[::6] + rng.normal(size=x[::6].shape) / 3,
                              rng.uniform(x.min(0), x.max(0), (15, x.shape[1]))]), 3)
    entry = {"name": name, "columns": x.shape[1], "rows": x.ravel().tolist(),
             "new": new.ravel().tolist(), "hdbscan": [], "dbscan": []}
    for size, points, how, eps, single in (
            (5, 5, "eom", 0, False), (8, 4, "eom", 0, False), (15, 8, "eom", 0, True),
            (6, 6, "leaf", 0, False), (10, 3, "leaf", 0, False), (5, 4, "eom", 0.6, False)):
        labels = stable(x, lambda x: cluster.HDBSCAN(
            min_cluster_size=size, min_samples=points, cluster_selection_method=how,
            cluster_selection_epsilon=eps, allow_single_cluster=single, copy=True).fit(x).labels_)
        if labels is None or max(labels) < 0:
            continue
        case = {"size": size, "points": points, "selection": how, "eps": eps, "single": single,
                "labels": labels}
        # the hdbscan package does not count the row itself
        peer = lambda x: hdbscan.HDBSCAN(
            min_cluster_size=size, min_samples=points - 1, cluster_selection_method=how,
            cluster_selection_epsilon=float(eps), allow_single_cluster=single,
            approx_min_span_tree=False, prediction_data=True).fit(x)
        if stable(x, lambda x: peer(x).labels_) != labels:
            continue
        fitted = peer(x)
        scores = []
        for seed in range(10):
            order = np.random.default_rng(seed).permutation(len(x))
            scores.append(np.empty(len(x)))
            scores[-1][order] = peer(x[order]).outlier_scores_
        case["outliers"] = [round(float(s[0]), 9) if np.ptp(s) < 1e-9 else -1
                            for s in np.array(scores).T]  # -1 where the order matters
        # It sometimes places by other clusters than it found.
        if (hdbscan.approximate_predict(fitted, x)[0] == fitted.labels_).mean() > 0.9:
            placed, strength = hdbscan.approximate_predict(fitted, new)
            names = {int(a): b for a, b in zip(fitted.labels_, labels)} | {-1: -1}
            case["placed"] = [names[int(l)] for l in placed]
            case["strength"] = [round(float(s), 9) for s in strength]
        entry["hdbscan"].append(case)
    core = np.sort(np.linalg.norm(x[:, None] - x[None], axis=2), axis=1)[:, 4]
    for share in (0.5, 0.8, 0.95):
        eps = float(np.round(np.quantile(core, share), 4))
        labels = stable(x, lambda x: cluster.DBSCAN(eps=eps, min_samples=5).fit(x).labels_)
        if labels is not None:
            entry["dbscan"].append({"eps": eps, "points": 5, "labels": labels})
    out.append(entry)
print("[" + ",\n".join(json.dumps(e, separators=(",", ":")) for e in out) + "]")
