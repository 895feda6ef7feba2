"""What all estimators have: fit and predict by the executable, and scikit-learn's conventions."""

from __future__ import annotations

import importlib
import inspect
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from . import _data
from ._data import Array, Data, Pairs, Rows
from ._errors import GoneError, InputError, KindredError, pythonic
from ._plots import Picture
from ._sklearn import BaseEstimator, ClusterMixin, available_if, check_is_fitted
from ._worker import call, generation

if TYPE_CHECKING:
    from typing_extensions import Self

Labels = npt.NDArray[np.int32]

# What texts, series and pictures are compared by is not the Euclidean distance of columns.
_OTHER_OBJECTS = ("text", "series", "images")

# What flags of the command are here that no method declares.
_WORDS = {
    "clusters": "n_clusters", "threads": "n_jobs", "metric": "metric", "scale": "scale",
    "missing": "missing", "budget": "budget", "oracle": "oracle", "links": "same and different",
    "labelled-per-class": "labels", "labelled-share": "labels", "picture": "picture",
    "layout": "layout",
}  # fmt: skip


def _places(estimator: Any) -> bool:
    """Reports whether fits have a model that places new rows: one of Sammon stress has none."""
    return bool(getattr(estimator, "stress", "") != "sammon")


class Clusterer(ClusterMixin, BaseEstimator):
    """The base of all estimators."""

    _method: ClassVar[str]  # the method of the command
    _names: ClassVar[Mapping[str, str]]  # parameter of the command by its name here
    _dissimilarities: ClassVar[bool] = False
    _needs_answers: ClassVar[bool] = False

    metric: Any
    scale: Any
    missing: Any
    n_jobs: Any
    settings: Any

    labels_: Labels
    n_clusters_: int
    notes_: list[str]
    n_iter_: int
    objective_: float
    details_: dict[str, Any]
    stopped_: str
    n_features_in_: int
    feature_names_in_: npt.NDArray[np.object_]
    cluster_centers_: Array
    inertia_: float
    children_: npt.NDArray[np.int64]
    distances_: npt.NDArray[np.float64]
    probabilities_: npt.NDArray[np.float64]
    core_sample_indices_: npt.NDArray[np.int64]
    outlier_scores_: npt.NDArray[np.float64]
    condensed_tree_: Array
    _fitted_params: dict[str, str]
    _known: dict[str, Array]
    _labelled: bool  # pictures are of the labels alone: fitting again would find others
    _library: str
    _index: Any

    def fit(self, X: Data, y: object = None) -> Self:
        """Clusters the rows of X.

        Parameters
        ----------
        X : array or frame of shape (n_samples, n_features)
            Rows to cluster; with ``metric="precomputed"`` dissimilarities of shape
            (n_samples, n_samples). float32 and float64 arrays are taken as they are. Frames of
            pandas, polars and Arrow may have categories, dates, missing values and lists.
        y : ignored

        Returns
        -------
        self
        """
        return self._fit(X, {})

    def fit_predict(self, X: Data, y: object = None, **knowledge: Any) -> Labels:
        """Clusters the rows of X and returns `labels_`. Knowledge is as `fit` takes it."""
        self.fit(X, y, **knowledge)
        return self.labels_

    @available_if(_places)
    def predict(self, X: Data) -> Labels:
        """Returns the cluster of each row of X, -1 for rows in none.

        With ``metric="precomputed"`` X has the dissimilarities of each row to the rows of the
        fit, of shape (n_samples, n_fitted).
        """
        return self._place(X)["labels"] - np.int32(1)

    def plot(self, picture: str = "", *, X: Data | None = None, layout: str = "") -> Picture:
        """Returns a picture of the groups, which displays itself in a notebook.

        Parameters
        ----------
        picture : str
            One of the pictures of ``kindred plot``, as "silhouette"; "" draws the groups.
        X : array or frame, optional
            The rows that were fitted: needed where other fits have come since, or the estimator
            was loaded from a file.
        layout : {"", "pca", "mds", "neighbours"}
            How rows are brought into the plane; "": by what they are.
        """
        check_is_fitted(self, "labels_")
        rows = None if X is None else self._read(X, reset=False)
        if rows is not None and rows.n != len(self.labels_):
            raise ValueError(f"X has {rows.n} rows, and the fit had {len(self.labels_)}")

        def draw(form: str) -> bytes:
            fields = {"picture": picture, "layout": layout, "format": form}
            return bytes(self._draw(fields, rows)["picture"].tobytes())

        drawn = Picture(draw)
        drawn.svg()
        return drawn

    def to_frame(self) -> Any:
        """Returns the result as a frame of the library that X was of, with its index.

        The columns are cluster, certainty where it is known, of credal partitions outlier and the
        plausibility of each cluster, and where labels were given known_class, that of the cluster
        in `known_classes_`. Of an array it is a frame of pandas.
        """
        check_is_fitted(self, "labels_")
        columns: dict[str, Any] = {"cluster": self.labels_}
        for name in ("certainty", "probabilities", "outlier"):
            if hasattr(self, name + "_"):
                columns[name] = getattr(self, name + "_")
        plausibility: Array | None = getattr(self, "plausibility_", None)
        if plausibility is not None:
            columns |= {f"plausibility_{k}": of for k, of in enumerate(list(plausibility.T))}
        library = self._library or "pandas"
        of_library: Any = importlib.import_module(library)
        known: list[Any] | None = getattr(self, "known_classes_", None)
        if known is not None:
            classes = [known[of] if of >= 0 else None for of in self.labels_.tolist()]
            columns["known_class"] = of_library.array(classes) if library == "pandas" else classes
        if library == "pandas":
            return of_library.DataFrame(columns, index=self._index)
        return of_library.DataFrame(columns) if library == "polars" else of_library.table(columns)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._square()
        tags.input_tags.allow_nan = self.missing != "refuse"
        return tags

    def _square(self) -> bool:
        return self._dissimilarities and bool(self.metric == "precomputed")

    def _read(self, X: Data, *, reset: bool) -> Rows:
        return _data.read(self, _data.unmasked(X), reset=reset, square=self._square(),
                          allow_nan=self.missing != "refuse")  # fmt: skip

    def _params(self, rows: Rows) -> dict[str, str]:
        """Returns the parameters as the command has them."""
        params: dict[str, str] = {}
        if self.settings is not None:
            try:
                settings = dict(self.settings)
            except (TypeError, ValueError):
                raise ValueError(
                    f"settings={self.settings!r}: give a dict, as {{'drop': ['phone']}}") from None
            for name, value in settings.items():
                if value is not None:
                    params[str(name).replace("_", "-")] = _data.text(value, name)
        declaring: Any = next(c for c in type(self).__mro__ if "_names" in vars(c))
        defaults = inspect.signature(declaring.__init__).parameters
        for name, declared in self._names.items():
            given: Any = getattr(self, name)
            default: Any = defaults[name].default
            if name == "random_state":
                params[declared] = str(_data.seed(given))
            elif name in ("n_clusters", "eps") and not isinstance(given, str) and given == 0:
                raise ValueError(f"{name}={given!r}: give a number above 0")  # not the command's 0
            elif name == "n_clusters" and isinstance(given, (list, tuple, range)):
                many = [n for n in cast("list[object]", given) if isinstance(n, int)] or [2, 8]
                raise ValueError(
                    f"n_clusters={given!r}: give a number, or a range to choose from as a text, "
                    f"as in n_clusters='{min(many)}..{max(many)}'")
            elif type(given) is type(default) and given == default and name != "n_clusters":
                continue  # as the command has it: else a note says where it does nothing
            elif given is not None:
                params[declared] = _data.text(given, name)
        params["threads"] = str(_data.threads(self.n_jobs))
        if rows.square:
            params["dissimilarity"] = "true"
            return params
        metric = getattr(self, "metric", "euclidean")
        if rows.texts:
            params.setdefault("text", _data.TEXT)
        metric = _data.METRICS.get(metric, metric)
        objects = any(name in params for name in _OTHER_OBJECTS)
        if metric != "euclidean" or (self._dissimilarities and not objects):
            params["metric"] = _data.text(metric, "metric")
        if self.scale is not None:
            params["scale"] = _data.text(self.scale, "scale")
        elif rows.array is not None:
            params["scale"] = "none"
        if self.missing != "refuse":
            params["missing"] = _data.text(self.missing, "missing")
        return params

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        state.pop("_result", None)  # which a worker of this process has
        return state

    def _fit(self, X: Data, knowledge: Mapping[str, Array],
             answer: Callable[[dict[str, Any]], str] | None = None, budget: int | None = None) -> Self:  # fmt: skip
        rows = self._read(X, reset=True)
        more: dict[str, Any] = {"want": self._want()}
        if budget is not None:
            more["budget"] = budget
        self._fitted_params = self._params(rows)
        self._known = {} if answer is not None else dict(knowledge)
        self._labelled = answer is not None
        do = "fit" if answer is None else "ask"
        ok, arrays = self._request(do, rows, self._fitted_params, knowledge, more, answer)
        self._take(rows, ok, arrays)
        return self

    def _want(self) -> list[str]:
        return ["model", "means", "mass", "tree"]

    def _request(
        self,
        do: str,
        rows: Rows,
        params: Mapping[str, str],
        knowledge: Mapping[str, Array],
        more: Mapping[str, Any],
        answer: Callable[[dict[str, Any]], str] | None = None,
    ) -> tuple[dict[str, Any], dict[str, Array]]:
        """Asks the worker for something about rows."""
        with rows.request(params.get("images")) as (fields, arrays, reading):
            params = _data.merged(reading, params)
            request = {"method": self._method, "params": params, **fields, **more}
            try:
                ok, found = call(do, request, {**arrays, **knowledge}, answer=answer)
                notes: list[str] = ok.get("notes") or []
                ok["notes"] = [note.replace(str(fields.get("table", "X")), "X") for note in notes]
                return ok, found
            except KindredError as err:
                self._explain(err, fields)
                raise

    def _draw(self, fields: Mapping[str, Any], rows: Rows | None) -> dict[str, Array]:
        """Draws the result that the worker keeps, else fits the rows again."""
        kept: tuple[int, int] = getattr(self, "_result", (0, 0))
        if kept[1] and kept[0] == generation():
            try:
                return call("draw", {**fields, "result": kept[1]})[1]
            except GoneError:
                pass
            except KindredError as err:
                self._explain(err)
                raise
        if rows is None:
            raise ValueError("the rows are needed to draw this result: give plot(X=...)")
        known = self._known
        # who answered is not asked again, and a stream does not come again
        if self._labelled:
            known = {"labels": self.labels_ + np.int32(1)}
        return self._request("draw", rows, self._fitted_params, known, fields)[1]

    def _explain(self, err: KindredError, fields: Mapping[str, Any] | None = None) -> None:
        """Puts the names of parameters here into an error, and X for the file of a table."""
        if isinstance(err, InputError):
            err.name(self._parameters(), str((fields or {}).get("table", "X")))

    def _parameters(self) -> dict[str, str]:
        """Returns the parameters here by their names in the command."""
        return {declared: name for name, declared in self._names.items()} | _WORDS

    def _take(self, rows: Rows, ok: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
        """Sets what was found."""
        self.labels_ = arrays["labels"] - np.int32(1)
        self.n_clusters_ = int(ok["clusters"])
        notes: list[str] = ok.get("notes") or []
        self.notes_ = [_from_zero(pythonic(note, self._parameters())) for note in notes]
        self.stopped_ = str(ok.get("reason", ""))
        self._library, self._index = rows.library, rows.index
        self._set("certainty_", arrays.get("certainty"))
        centers = _centers(arrays, self.n_clusters_)
        self._set("cluster_centers_", centers)
        self._set("_model", arrays.get("model"))
        children = arrays.get("children")
        self._set("children_", None if children is None else children.astype(np.int64, copy=False))
        self._set("distances_", arrays.get("height"))
        core = arrays.get("core")
        self._set("core_sample_indices_", None if core is None else core.astype(np.int64))
        self._set("probabilities_", arrays.get("strength"))
        self._set("outlier_scores_", arrays.get("column:glosh"))
        self._set("condensed_tree_", _condensed(arrays))
        class_of = arrays.get("class_of")  # numbers, which fit replaces by labels
        self._set("known_classes_", None if class_of is None else class_of.tolist())
        asked = arrays.get("asked")
        # there: 0 unknown, 1 same, 2 different
        self._set("asked_", None if asked is None else np.column_stack(
            [asked[:, :2], np.array([-1, 1, 0])[asked[:, 2]]]))  # fmt: skip
        self._result = (generation(), int(ok.get("result") or 0))
        self._set("_mass", arrays.get("mass"))
        focal = arrays.get("focal")
        self._set("_focal", None if focal is None else focal.astype(np.bool_))
        iterations = int(ok.get("iterations") or 0)
        self._set("n_iter_", iterations if iterations > 0 else None)
        objective: float = ok.get("objective") or 0.0
        squares = not ok.get("measure") and centers is not None and not self._needs_answers
        self._set("inertia_", objective if squares else None)
        self._set("objective_", objective if not squares and (ok.get("measure") or objective)
                  else None)  # fmt: skip
        self._set("details_", ok.get("figures"))

    def _set(self, name: str, value: object) -> None:
        """Sets what was found, or removes what an earlier fit left."""
        if value is not None:
            setattr(self, name, value)
        elif name in self.__dict__:
            delattr(self, name)

    def _place(self, X: Data, want: Sequence[str] = ()) -> dict[str, Array]:
        """Returns where the model places the rows of X, as arrays of the worker."""
        check_is_fitted(self, "labels_")
        rows = self._read(X, reset=False)
        model: Array | None = getattr(self, "_model", None)
        if model is None and self.n_clusters_ == 0:
            return {"labels": np.zeros(rows.n, dtype=np.int32)}
        if model is None:
            raise ValueError(f"this {type(self).__name__} has no model that places new rows")
        with rows.request() as (fields, arrays, reading):
            params = {**reading, "threads": str(_data.threads(self.n_jobs))}
            if rows.square:
                params["dissimilarity"] = "true"
            try:
                request = {"params": params, "want": list(want), **fields}
                return call("predict", request, {"model": model, **arrays})[1]
            except KindredError as err:
                self._explain(err, fields)
                raise


class Learner(Clusterer):
    """The base of estimators that learn from links and known classes, and ask."""

    oracle: Any
    budget: Any
    certainty_: npt.NDArray[np.float32]
    asked_: npt.NDArray[np.int64]
    known_classes_: list[Any]

    def _want(self) -> list[str]:
        return [*super()._want(), "certainty"]

    def fit(
        self,
        X: Data,
        y: object = None,
        *,
        same: Pairs | None = None,
        different: Pairs | None = None,
        unknown: Pairs | None = None,
        labels: npt.ArrayLike | None = None,
    ) -> Self:
        """Clusters the rows of X under what is known of them.

        Parameters
        ----------
        X : array or frame of shape (n_samples, n_features)
            Rows to cluster; with ``metric="precomputed"`` dissimilarities of shape
            (n_samples, n_samples). float32 and float64 arrays are taken as they are. Frames of
            pandas, polars and Arrow may have categories, dates, missing values and lists.
        y : ignored
            With a warning where it has -1 or None, as known classes are `labels`.
        same, different, unknown : array-like of shape (n_links, 2), optional
            Pairs (i, j) of rows, from 0, that belong together, do not, or of which somebody
            could not tell.
        labels : array-like of shape (n_samples,), optional
            Known class of each row: a whole number from 0, or a text. -1, NaN and None: unknown.

        Returns
        -------
        self
        """
        _data.refuse_lazy(X)
        n = _length(X)
        knowledge: dict[str, Array] = {}
        for name, of in (("same", same), ("different", different), ("unknown", unknown)):
            found = _data.pairs(of, n, name)
            if found is not None:
                knowledge[name] = found
        known, names = _data.classes(labels, n)
        if known is not None:
            knowledge["known"] = known
        elif y is not None and _data.partly(y):
            warnings.warn("y is not used: give known classes as labels=", stacklevel=2)
        answer: Callable[[dict[str, Any]], str] | None = None
        budget: int | None = None
        if self.oracle is not None:
            answer = _data.answering(self.oracle, n)
            if self.budget is not None:
                budget = _data.count(self.budget, "budget")
        elif self.budget is not None:
            raise ValueError(f"budget={self.budget!r} bounds the answers of an oracle: give one")
        elif self._needs_answers and not knowledge:
            answer, budget = _no_answer, 1
            warnings.warn(
                "no links, classes or answers are given, so the groups are those before the first "
                "question: give same=, different= or labels=, or an oracle", stacklevel=2)
        self._fit(X, knowledge, answer, budget)
        if hasattr(self, "known_classes_"):
            self.known_classes_ = [None if of < 0 else names[of] for of in self.known_classes_]
        return self


def _from_zero(note: str) -> str:
    """Returns a note with its rows, and columns of dissimilarities, counted from 0."""

    def cell(m: re.Match[str]) -> str:
        column = m.group(2)
        return f"row {int(m.group(1)) - 1}" + (f", column {int(column) - 1}" if column else "")

    return re.sub(r"\brow (\d+)\b(?:, column (\d+)\b)?", cell, note)


def _no_answer(question: dict[str, Any]) -> str:
    del question
    return "stop"


def _centers(arrays: Mapping[str, Array], clusters: int) -> Array | None:
    """Returns the mean of each cluster in order; None where clusters have none, or several."""
    means, number = arrays.get("means"), arrays.get("mean_of")
    if means is None or number is None:
        return None
    means, number = means[number > 0], number[number > 0]  # others are of prototypes without rows
    return means if np.array_equal(number, np.arange(1, clusters + 1)) else None


def _condensed(arrays: Mapping[str, Array]) -> Array | None:
    """Returns the condensed tree as the hdbscan package has it; None: there is none."""
    if "part_parent" not in arrays:
        return None
    n, parts = len(arrays["fall_part"]), len(arrays["part_parent"])
    tree = np.empty(
        n + parts - 1,
        dtype=[("parent", np.int64), ("child", np.int64), ("lambda_val", np.float64),
               ("child_size", np.int64)],
    )  # fmt: skip
    tree["parent"] = n + np.concatenate([arrays["fall_part"], arrays["part_parent"][1:]])
    tree["child"] = np.concatenate([np.arange(n), n + np.arange(1, parts)])
    tree["lambda_val"] = np.concatenate([arrays["fall_lambda"], arrays["part_birth"][1:]])
    tree["child_size"] = np.concatenate([np.ones(n, np.int64), arrays["part_size"][1:]])
    return tree


def _length(X: Any) -> int:
    shape = getattr(X, "shape", None)
    if shape is not None and len(shape) > 0:
        return int(shape[0])
    return len(X) if hasattr(X, "__len__") else 0
