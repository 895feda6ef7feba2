"""The conventions of scikit-learn: its own checks on every estimator."""

from __future__ import annotations

from typing import Any

from sklearn.utils.estimator_checks import parametrize_with_checks

from conftest import estimators

ONE_CLUSTER = "the check sets n_clusters=1, and masses need at least two clusters"
NO_ANSWERS = "nobody answers: what has to be asked about are no clusters yet"
NO_COUNT = "max_iter bounds the making of super-instances, whose iterations are not reported"

MASSES = dict.fromkeys(
    [
        "check_dont_overwrite_parameters",
        "check_fit2d_1feature",
        "check_fit2d_1sample",
        "check_fit2d_predict1d",
        "check_methods_subset_invariance",
    ],
    ONE_CLUSTER,
)
COUNT = {"check_non_transformer_estimators_n_iter": NO_COUNT}

# Checks that fail, and why. One that no longer fails is an error: pyproject.toml sets xfail_strict.
EXCEPTIONS: dict[str, dict[str, str]] = {
    "CCSR": {"check_non_transformer_estimators_n_iter": "there is nothing to learn without links"},
    "CEVCLUS": MASSES,
    "COBRA": {"check_clustering": NO_ANSWERS, **COUNT},
    "COBRAS": {"check_clustering": NO_ANSWERS, **COUNT},
    "EVCLUS": MASSES,
    "KEVCLUS": MASSES,
    "Kin": COUNT,
    "NCOBRAS": {"check_clustering": NO_ANSWERS, **COUNT},
    "OPTICS": {"check_fit2d_1sample": "the check sets min_samples=1, and a core needs two rows"},
}


def exceptions(estimator: Any) -> dict[str, str]:
    return EXCEPTIONS.get(type(estimator).__name__, {})


@parametrize_with_checks(estimators(), expected_failed_checks=exceptions)
def test_conventions(estimator: Any, check: Any) -> None:
    check(estimator)
