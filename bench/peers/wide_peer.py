"""Does one piece of work of wide.py with another library and prints what it took as JSON.

usage: wide_peer.py PEER WORK THREADS DATA COLUMNS PARAMETER RESULT
       wide_peer.py make SET DATA
       wide_peer.py compare WORK DATA COLUMNS PARAMETER OURS THEIRS

DATA is a file of little-endian float32, row-major; RESULT one of int64. The work is done once for
the first 2000 rows, which loads libraries and compiles what is compiled, then timed for all.
"""

import json
import os
import resource
import sys
import time
import warnings

if sys.argv[1] not in ("make", "compare"):
    THREADS = int(sys.argv[3])
    # Every library heeds the processors allowed; not every one heeds the usual variables.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-THREADS:])
    for name in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
        os.environ[name + "_NUM_THREADS"] = str(THREADS)

import numpy as np  # noqa: E402

warnings.filterwarnings("ignore")

# rows, columns, groups, dimensions in which the groups lie (0: all columns), spread of the groups
SETS = {
    "100000×768": (100_000, 768, 50, 24, 1.0),
    "100000×384": (100_000, 384, 100, 24, 1.0),
    "200000×128": (200_000, 128, 1000, 24, 1.0),
    "100000×768 overlapping": (100_000, 768, 50, 24, 0.25),
    "100000×384 overlapping": (100_000, 384, 100, 24, 0.25),
    "200000×128 overlapping": (200_000, 128, 1000, 24, 0.25),
    "100000×768 noise": (100_000, 768, 1, 0, 0.0),
    "20000×384": (20_000, 384, 60, 24, 1.0),
    "1000000×2": (1_000_000, 2, 50, 0, 25.0),
    "100000×16": (100_000, 16, 50, 0, 4.0),
    "20000×16": (20_000, 16, 50, 0, 4.0),
}


def make(name, file):
    """Groups of unit spread in few dimensions, put into all columns by a random map, and noise."""
    n, d, k, latent, spread = SETS[name]
    rng = np.random.default_rng(1)
    inner = latent or d
    x = rng.normal(0, spread, (k, inner))[rng.integers(k, size=n)] * 2 if latent else (
        rng.normal(0, spread, (k, inner))[rng.integers(k, size=n)])
    x = (x + rng.normal(size=(n, inner))).astype("f4")
    if latent:
        x = x @ (rng.normal(size=(latent, d)) / latent**0.5).astype("f4")
        x += rng.normal(0, 0.2, (n, d)).astype("f4")
    x.tofile(file + ".part")  # no part of a set passes for the whole
    os.replace(file + ".part", file)


def compare(work, file, columns, parameter, ours, theirs):
    a, b = np.fromfile(ours, "<i8"), np.fromfile(theirs, "<i8")
    if work == "layout":
        x = np.fromfile(file, "<f4").reshape(-1, columns)
        maps = [found.reshape(-1, 2).astype("f8") for found in (a, b)]
        return {"trust": [trustworthiness(x, found) for found in maps]}
    if work not in ("knn", "graph"):
        from sklearn.metrics import adjusted_rand_score

        return {"agreement": adjusted_rand_score(a, b)}
    k = int(parameter)
    x = np.fromfile(file, "<f4").reshape(-1, columns).astype("f8")
    some = np.arange(0, len(x), max(1, len(x) // 200))
    recalls = [[], []]
    for i in some:
        d = ((x - x[i]) ** 2).sum(axis=1)
        d[i] = np.inf
        last = np.partition(d, k - 1)[k - 1]
        for side, found in zip(recalls, (a, b)):
            side.append((d[found[i * k : (i + 1) * k]] <= last * (1 + 1e-6)).mean())
    return {"recalls": [float(np.mean(side)) for side in recalls]}


def trustworthiness(x, found, k=15, rows=1000):
    """Venna and Kaski 2001, of rows at equal steps."""
    n, lost = len(x), 0
    some = np.arange(0, n, max(1, n // rows))
    for i in some:
        order = np.argsort(((x - x[i]) ** 2).sum(axis=1), kind="stable")
        rank = np.empty(n, int)
        rank[order[order != i]] = np.arange(1, n)
        near = ((found - found[i]) ** 2).sum(axis=1)
        near[i] = np.inf
        lost += np.maximum(rank[np.argpartition(near, k)[:k]] - k, 0).sum()
    return float(1 - lost * 2 / (len(some) * k * (2 * n - 3 * k - 1)))


def start(x, k):
    return np.ascontiguousarray(x[np.arange(k) * (len(x) // k)])


def faiss_kmeans(x, k):
    import faiss

    model = faiss.Kmeans(
        x.shape[1], int(k), niter=20, max_points_per_centroid=len(x), min_points_per_centroid=1
    )
    model.train(x, init_centroids=start(x, int(k)))
    labels = model.index.search(x, 1)[1][:, 0]
    return labels, {"objective": float(((x - model.centroids[labels]) ** 2).sum(dtype="f8"))}


def sklearn_kmeans(x, k):
    from sklearn.cluster import KMeans

    model = KMeans(int(k), init=start(x, int(k)), n_init=1, max_iter=20, tol=0).fit(x)
    return model.labels_, {"objective": float(model.inertia_)}


def without_self(index, k):
    """Leaves out each row itself, or else the last neighbour."""
    own = index == np.arange(len(index))[:, None]
    own[~own.any(axis=1), -1] = True
    return index[~own].reshape(-1, k)


def faiss_flat(x, k):
    import faiss

    index = faiss.IndexFlatL2(x.shape[1])
    index.add(x)
    return without_self(index.search(x, int(k) + 1)[1], int(k)), {}


def faiss_hnsw(x, k):
    import faiss

    index = faiss.IndexHNSWFlat(x.shape[1], 16)
    index.hnsw.efConstruction = 60
    index.hnsw.efSearch = 48
    index.add(x)
    return without_self(index.search(x, int(k) + 1)[1], int(k)), {}


def sklearn_neighbours(x, k):
    from sklearn.neighbors import NearestNeighbors

    found = NearestNeighbors(n_neighbors=int(k), n_jobs=-1).fit(x).kneighbors()[1]
    return found, {}


def pynndescent(x, k):
    import pynndescent

    index = pynndescent.NNDescent(x, n_neighbors=int(k) + 1, random_state=1, n_jobs=THREADS)
    return without_self(index.neighbor_graph[0], int(k)), {}


def sklearn_dbscan(x, eps):
    from sklearn.cluster import DBSCAN

    labels = DBSCAN(eps=eps, min_samples=10, n_jobs=-1).fit_predict(x)
    return labels, {"clusters": int(labels.max() + 1)}


def hdbscan_hdbscan(x, size):
    import hdbscan

    # min_samples does not count the row itself
    labels = hdbscan.HDBSCAN(
        min_cluster_size=int(size), min_samples=int(size) - 1, core_dist_n_jobs=THREADS
    ).fit_predict(x)
    return labels, {"clusters": int(labels.max() + 1)}


def fast_hdbscan(x, size):
    import fast_hdbscan

    labels = fast_hdbscan.HDBSCAN(
        min_cluster_size=int(size), min_samples=int(size) - 1
    ).fit_predict(x)
    return labels, {"clusters": int(labels.max() + 1)}


def tree(z, k):
    from scipy.cluster.hierarchy import fcluster

    return fcluster(z, k, "maxclust"), {"heights": float(z[:, 2].sum())}


def sklearn_ward(x, k):
    from sklearn.cluster import AgglomerativeClustering

    model = AgglomerativeClustering(int(k), compute_distances=True).fit(x)
    return model.labels_, {"heights": float(model.distances_.sum())}


def scipy_linkage(how):
    def run(x, k):
        from scipy.cluster.hierarchy import linkage

        return tree(linkage(x, how), int(k))

    return run


def fastcluster_linkage(how):
    def run(x, k):
        import fastcluster

        return tree(fastcluster.linkage(x, how), int(k))

    return run


def umap_layout(x, k):
    import umap

    # of up to 4096 rows and of more it compiles other code
    if len(x) == 2000:
        umap.UMAP(n_neighbors=int(k)).fit(np.vstack([x, x, x]) + np.arange(6000)[:, None] % 7)
    places = umap.UMAP(n_neighbors=int(k), n_jobs=THREADS).fit_transform(x)
    return np.rint(places.astype("f8") * 1e6).ravel(), {}


PEERS = {
    ("faiss", "kmeans"): faiss_kmeans,
    ("scikit-learn", "kmeans"): sklearn_kmeans,
    ("faiss flat", "knn"): faiss_flat,
    ("scikit-learn", "knn"): sklearn_neighbours,
    ("faiss HNSW", "graph"): faiss_hnsw,
    ("pynndescent", "graph"): pynndescent,
    ("scikit-learn", "dbscan"): sklearn_dbscan,
    ("hdbscan", "hdbscan"): hdbscan_hdbscan,
    ("fast_hdbscan", "hdbscan"): fast_hdbscan,
    ("scikit-learn", "ward"): sklearn_ward,
    ("umap-learn", "layout"): umap_layout,
    **{("SciPy", how): scipy_linkage(how) for how in ("average", "complete", "single")},
    **{("fastcluster", how): fastcluster_linkage(how) for how in ("average", "complete", "single")},
}


def processor():
    """Seconds of processor time so far, also of processes that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def main():
    if sys.argv[1] == "make":
        return make(*sys.argv[2:])
    if sys.argv[1] == "compare":
        work, file, columns, parameter, ours, theirs = sys.argv[2:]
        found = compare(work, file, int(columns), float(parameter), ours, theirs)
        return print(json.dumps(found))
    peer, work, _, file, columns, parameter, result = sys.argv[1:]
    do = PEERS[peer, work]
    x = np.fromfile(file, "<f4").reshape(-1, int(columns))
    do(x[: min(2000, len(x))], float(parameter))
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    before, began = processor(), time.perf_counter()
    labels, figures = do(x, float(parameter))
    figures["seconds"] = time.perf_counter() - began
    if "joblib.externals.loky" in sys.modules:  # its workers wait for more
        sys.modules["joblib.externals.loky"].get_reusable_executor().shutdown(wait=True)
    figures["processor"] = processor() - before
    figures["more"] = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held) / 1024
    np.asarray(labels).astype("<i8").tofile(result)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
