"""What is used of scikit-learn, with types, which it has none of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Self

    Method = TypeVar("Method", bound=Callable[..., Any])

    class BaseEstimator:
        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **params: Any) -> Self: ...
        def set_fit_request(self, **requests: bool | str | None) -> Self: ...
        def __sklearn_tags__(self) -> Any: ...
        def __getstate__(self) -> dict[str, Any]: ...

    class ClusterMixin: ...

    class NotFittedError(ValueError, AttributeError): ...

    def available_if(check: Callable[[Any], bool]) -> Callable[[Method], Method]: ...
    def feature_names(X: object) -> npt.NDArray[np.object_] | None: ...
    def check_is_fitted(estimator: object, attributes: str) -> None: ...
    def check_array(array: object, **checks: Any) -> npt.NDArray[Any]: ...
    def validate_data(
        estimator: object, X: object, *, reset: bool, **checks: Any
    ) -> npt.NDArray[np.floating[Any]]: ...
else:
    from sklearn.base import BaseEstimator, ClusterMixin
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.metaestimators import available_if
    from sklearn.utils.validation import _get_feature_names as feature_names
    from sklearn.utils.validation import check_array, check_is_fitted, validate_data

__all__ = [
    "BaseEstimator",
    "ClusterMixin",
    "NotFittedError",
    "available_if",
    "check_array",
    "check_is_fitted",
    "feature_names",
    "validate_data",
]
