"""Pools of processes: each process has a worker of its own, which ends with it."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pykindred
import pytest
from pykindred import _worker


def blobs(n: int) -> np.ndarray:
    rng = np.random.default_rng(1)
    return rng.normal(size=(n, 2)) + 8 * (np.arange(n) % 3)[:, None]


def kmeans(x: np.ndarray) -> np.ndarray:
    return pykindred.KMeans(3).fit_predict(x)


def fitted(n: int) -> tuple[pykindred.KMeans, int]:
    """Returns an estimator, and the process of kindred that fitted it."""
    return pykindred.KMeans(3).fit(blobs(n)), _worker._current().process.pid


def is_there(pid: int) -> bool:
    """Reports whether there is a process that has not ended."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture(autouse=True)
def afresh() -> Iterator[None]:
    yield
    _worker.shutdown()


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_process_pools(method):
    kmeans(blobs(30))  # a worker is there before
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        found = pool.map(kmeans, [blobs(n) for n in (30, 33, 36, 39)])
    assert [len(labels) for labels in found] == [30, 33, 36, 39]
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        assert len(pool.submit(kmeans, blobs(33)).result()) == 33


def test_joblib():
    joblib = pytest.importorskip("joblib")
    kmeans(blobs(30))
    for backend in ("loky", "threading", "multiprocessing"):
        jobs = (joblib.delayed(kmeans)(blobs(n)) for n in (30, 33, 36))
        found = joblib.Parallel(2, backend=backend)(jobs)
        assert [len(labels) for labels in found] == [30, 33, 36]


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="looks at /proc")
def test_dask() -> None:
    """Estimators travel to the processes of a cluster and back, with arrays of several MB."""
    dask: Any = pytest.importorskip("distributed")
    here, own = fitted(30)
    with dask.LocalCluster(
        n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None
    ) as cluster, dask.Client(cluster) as client:
        sizes = [30, 33, 36, 200_000]
        found = client.gather(client.map(fitted, sizes, pure=False))
        assert [len(model.labels_) for model, _ in found] == sizes
        workers = {pid for _, pid in found}
        assert own not in workers and all(map(is_there, workers))
        labels = client.submit(lambda model, x: model.predict(x), here, blobs(60)).result()
        np.testing.assert_array_equal(labels, here.predict(blobs(60)))
        with pytest.raises(ValueError, match="NaN"):
            client.submit(kmeans, np.full((10, 2), np.nan)).result()
    end = time.monotonic() + 60
    while any(map(is_there, workers)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(map(is_there, workers))
