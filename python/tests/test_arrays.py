"""How arrays get to the worker: read in memory, by shared memory, or through the pipe."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from test_worker import afresh, blobs, kmeans  # noqa: F401

from pykindred import _binary, _worker


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("rows", [60, 200_000])
def test_labels_do_not_depend_on_how_rows_come(dtype, rows):
    x = blobs(rows, 2, 3, dtype)
    labels = kmeans(x)
    assert labels.dtype == np.int32 and len(labels) == rows and set(labels) == {1, 2, 3}
    assert (labels[:30] == np.tile(labels[:3], 10)).all()
    swapped = x.astype(x.dtype.newbyteorder(">"))
    for other in (np.asfortranarray(x), np.repeat(x, 2, axis=0)[::2], swapped):
        assert (kmeans(other) == labels).all()


def test_large_arrays_go_by_any_way(monkeypatch):
    x = blobs(100_000, 4)
    want = kmeans(x)
    worker = _worker._current()
    assert worker.shares == (sys.platform == "linux")
    monkeypatch.setattr(worker, "reads", False)
    assert (kmeans(x) == want).all()  # by shared memory
    monkeypatch.setattr(worker, "shares", False)
    assert (kmeans(x) == want).all()  # through the pipe


@pytest.mark.skipif(sys.platform != "linux", reason="reads memory")
def test_memory_that_cannot_be_read_is_sent(monkeypatch):
    """As that of a device."""
    worker = _worker._current()
    if not worker.reads:
        pytest.skip("processes cannot read the memory of others here")
    x, ways, send = blobs(100_000, 4), [], worker._send

    def elsewhere(header, bodies):
        array = header["arrays"][0]
        ways.append("address" in array)
        if "address" in array:
            array["address"] = 4096
        send(header, bodies)

    want = kmeans(x)
    monkeypatch.setattr(worker, "_send", elsewhere)
    assert (kmeans(x) == want).all() and ways == [True, False]


@pytest.mark.skipif(sys.platform != "linux", reason="reads memory")
def test_a_program_between_is_noticed(monkeypatch, tmp_path):
    """A worker that is no child of this process would read the memory of another one."""
    between = tmp_path / "kindred"
    between.write_text(f'#!/bin/sh\n{_binary.path()} "$@"\nexit $?\n')
    between.chmod(0o755)
    _worker.shutdown()
    monkeypatch.setenv("KINDRED_BINARY", str(between))
    try:
        assert len(kmeans(blobs(100_000, 4))) == 100_000
        assert not _worker._current().reads
    finally:
        _worker.shutdown()
