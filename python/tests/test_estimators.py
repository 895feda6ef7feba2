"""What is generated, documented and copied of the estimators."""

from __future__ import annotations

import inspect
import os
import pathlib
import pickle
import re
import subprocess
import sys
from typing import Any

import numpy as np
import pykindred
import pytest
from conftest import classes, estimators
from joblib import Parallel, delayed
from pykindred import _binary
from pykindred._base import Learner
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

TOOL = pathlib.Path(__file__).resolve().parents[1] / "tools" / "generate.py"
X, Y = make_blobs(90, 3, centers=3, random_state=5)
every = pytest.mark.parametrize("of", classes(), ids=lambda of: of.__name__)


def test_the_estimators_are_those_of_the_executable() -> None:
    environment = {**os.environ, "KINDRED_BINARY": _binary.path()}
    done = subprocess.run([sys.executable, TOOL, "--check"], env=environment, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


@every
def test_docstrings_name_every_parameter(of: Any) -> None:
    parameters = list(inspect.signature(of).parameters)
    text = inspect.getdoc(of)  # Python 3.13 takes indentation out already
    section = text.split("Parameters\n")[1].split("Attributes\n")[0]
    assert re.findall(r"^(\w+) : ", section, re.MULTILINE) == parameters
    assert "--" not in text.replace("-----", "").replace("----", "")
    assert re.search(r"\bAttributes\n-{10}\nlabels_ : ", text)


@pytest.mark.parametrize("estimator", estimators(), ids=lambda e: type(e).__name__)
def test_copies_are_the_same(estimator: Any) -> None:
    found = estimator.fit(X)
    loaded = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(loaded.labels_, found.labels_)
    if hasattr(found, "predict"):
        np.testing.assert_array_equal(loaded.predict(X), found.predict(X))
    again = clone(found).fit(X)
    np.testing.assert_array_equal(again.labels_, found.labels_)


def test_documented_attributes_are_set() -> None:
    for estimator in estimators():
        fits = [clone(estimator).fit(X)]
        if isinstance(estimator, Learner):  # some are of what was known, or was asked
            fits.append(clone(estimator).fit(X, labels=[0, 1, *[-1] * (len(X) - 2)]))
            fits.append(clone(estimator).set_params(oracle=Y, budget=2).fit(X))
        text = inspect.getdoc(type(estimator)) or ""
        section = text.split("Attributes\n")[1].split("References\n")[0]
        for names in re.findall(r"^(\w+_(?:, \w+_)*) : ", section, re.MULTILINE):
            for name in names.split(", "):
                assert any(hasattr(of, name) for of in fits), f"{type(estimator).__name__}.{name}"


def fitted(k: int) -> int:
    return int(pykindred.KMeans(k).fit(X).n_clusters_)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_joblib(backend: str) -> None:
    found = Parallel(n_jobs=2, backend=backend)(delayed(fitted)(k) for k in range(2, 6))
    assert found == [2, 3, 4, 5]


def test_pipelines() -> None:
    steps = make_pipeline(StandardScaler(), pykindred.COPKMeans(3))
    labels = steps.fit_predict(X)
    assert len(np.unique(labels)) == 3
    steps.fit(X, copkmeans__same=[(0, 1)])
    assert steps[-1].labels_[0] == steps[-1].labels_[1]


def test_input_is_not_changed() -> None:
    for estimator in estimators():
        given = X.copy()
        given.setflags(write=False)
        estimator.fit(given)
        np.testing.assert_array_equal(given, X)
