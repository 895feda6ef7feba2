"""Writes src/pykindred/_estimators.py from `kindred methods --json`.

    python tools/generate.py            # write the file
    python tools/generate.py --check    # fail where the file is not what would be written

The executable is that of the environment variable KINDRED_BINARY, else bin/kindred of the
repository. Every method and parameter is declared once, in Go; here are only the names that Python
programmers expect.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import runpy
import subprocess
import sys
import textwrap
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = ROOT / "python" / "src" / "pykindred" / "_estimators.py"

CLASSES = {
    "agglomerative": "AgglomerativeClustering", "ccl": "CCL", "ccm": "CCM", "ccsr": "CCSR",
    "cdbscan": "CDBSCAN", "cecm": "CECM", "cevclus": "CEVCLUS", "cobra": "COBRA",
    "cobras": "COBRAS", "constrained-kmeans": "ConstrainedKMeans", "copkmeans": "COPKMeans",
    "cosc": "COSC", "crpcl": "CRPCL", "cvqe": "CVQE", "dbscan": "DBSCAN", "ecm": "ECM",
    "eknnclus": "EKNNclus", "evclus": "EVCLUS", "fcm": "FCM", "fscl": "FSCL",
    "gmm": "GaussianMixture",
    "hdbscan": "HDBSCAN", "kevclus": "KEVCLUS", "kin": "Kin", "kmeans": "KMeans",
    "lcvqe": "LCVQE", "mdbscan": "MDBSCAN", "mecm": "MECM", "mpckmeans": "MPCKMeans",
    "ncobras": "NCOBRAS", "olcvqe": "OLCVQE", "optics": "OPTICS", "pckmeans": "PCKMeans",
    "recm": "RECM", "rfcm": "RFCM", "rpcl": "RPCL", "seeded-kmeans": "SeededKMeans",
    "spectral": "SpectralClustering", "sscard": "SSCARD", "ssdbscan": "SSDBSCAN",
    "ssnb": "SSNB", "wta": "WTA",
}  # fmt: skip

# The terms of scikit-learn for parameters.
TERMS: dict[str, str] = runpy.run_path(str(TARGET.with_name("_errors.py")))["NAMES"]

# Numbers of clusters where scikit-learn's conventions ask for a default and the method has none.
TREES, OTHERS = 2, 8

# Where the class of scikit-learn of the same name does something else by default.
DIFFERENT = {
    "dbscan": "`eps` and `min_samples` follow from the rows unless they are given, unlike 0.5 and 5 "
    "in scikit-learn, whose labels these are for the same values, but for their numbers.",
    "hdbscan": "`min_samples` counts the row itself, as in scikit-learn: one more than in the "
    "package hdbscan.",
}

TEXT = {"integer": "int", "number": "float", "boolean": "bool", "file": "str", "text": "str"}

# What all estimators take. {python name: (annotation, default, description)}
METRIC = (
    "how rows are compared: ``\"euclidean\"``, ``\"sqeuclidean\"``, ``\"manhattan\"``, "
    "``\"cosine\"``, ``\"correlation\"``, ``\"tanimoto\"``, ``\"binary-correlation\"``, "
    "``\"hamming\"``, ``\"jaccard\"`` or ``\"gower\"``; ``\"precomputed\"``: X is a square matrix of dissimilarities. What\n"
    "texts, series and pictures are compared by follows from `settings`."
)
COSINE = "how rows are compared: ``\"euclidean\"`` or ``\"cosine\"``."
ORACLE = (
    "answers questions about pairs of rows, counted from 0: True or ``\"same\"``, False or\n"
    "``\"different\"``, None or ``\"unknown\"``; ``\"stop\"``, or StopIteration, where there are "
    "no\nmore answers. An array has the class of each row, and answers by it."
)
BUDGET = "most answers; None: until no question is left, or nothing would change."
COMMON = {
    "scale": (
        "Scale | None",
        "None",
        "how columns are scaled. None: not at all; where columns are compared that are no\n"
        "numbers, as categories, all to [0, 1].",
    ),
    "missing": (
        "Missing",
        '"refuse"',
        "what is done about missing values, NaN among them. drop leaves such rows out: their\n"
        "label is -1, and `children_`, `distances_` and `condensed_tree_` number the rows that\n"
        "are left.",
    ),
    "n_jobs": (
        "int | None",
        "None",
        "threads; None or -1: one per processor. They never change a result.",
    ),
    "settings": (
        "Mapping[str, object] | None",
        "None",
        "settings of reading and preparing a frame by the names of the command, as\n"
        "``{\"text\": \"note\"}`` or ``{\"drop\": [\"phone\"]}``.",
    ),
}
DRAWN = (
    "seed of all that is drawn at random. None draws a seed from NumPy's global generator."
)


def declarations() -> dict[str, Any]:
    binary = os.environ.get("KINDRED_BINARY", str(ROOT / "bin" / "kindred"))
    out = subprocess.run([binary, "methods", "--json"], check=True, capture_output=True)
    found: dict[str, Any] = json.loads(out.stdout)
    return found


def python_name(name: str) -> str:
    return TERMS.get(name, name.replace("-", "_"))


def in_python(text: str) -> str:
    """Returns help with the names of parameters in Python instead of flags."""
    text = re.sub(r"`", "``", text)
    return re.sub(
        r"--([a-z0-9][a-z0-9-]*)", lambda m: f"`{python_name(m[1])}`", text
    )


def annotation(p: dict[str, Any], method: dict[str, Any]) -> str:
    name = p["name"]
    if name == "seed":
        return "RandomState"
    if p["type"] == "choice":
        of = "Literal[" + ", ".join(json.dumps(c) for c in p["choices"]) + "]"
    elif p["type"] == "text" and "number" in p["range"]:
        of = "float | str"
    elif p["type"] == "integer" and "in 2..8" in p["range"].replace("as ", ""):
        of = "int | str"
    else:
        of = TEXT[p["type"]]
    return of + " | None" if optional(p, method) else of


def optional(p: dict[str, Any], method: dict[str, Any]) -> bool:
    """Reports whether None means something for a parameter."""
    if p.get("auto"):
        return not p["auto"].startswith("none: it must be given")
    return default(p, method) == "None"


def default(p: dict[str, Any], method: dict[str, Any]) -> str:
    name = p["name"]
    if name == "clusters" and (method["needs_clusters"] or method["name"] == "agglomerative"):
        return str(TREES if method["tree"] else OTHERS)
    text = p.get("default")
    if text is None:
        return "None"
    if p["type"] == "boolean":
        return text.capitalize()
    if p["type"] == "integer":
        return str(int(text))
    if p["type"] == "number":
        return repr(float(text))
    return json.dumps(text)


def wrapped(text: str, indent: int) -> str:
    pad = " " * indent
    return textwrap.fill(
        " ".join(text.split()), 96, initial_indent=pad, subsequent_indent=pad,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def sentence(text: str) -> str:
    text = text.strip()
    if text[0].isascii():  # σ is no word
        text = text[0].upper() + text[1:]
    return text if text.endswith(".") else text + "."


def describe(p: dict[str, Any], method: dict[str, Any]) -> str:
    if p["name"] == "seed":
        return sentence(DRAWN)
    text = sentence(in_python(p["help"]))
    if p["type"] == "file" and p.get("choices"):
        text += " " + ", ".join(f'``"{c}"``' for c in p["choices"]) + ", or the path of a file."
    elif p["type"] == "choice":
        text += " One of " + ", ".join(f'``"{c}"``' for c in p["choices"]) + "."
    elif p["type"] != "boolean":
        text += " " + sentence(p["range"])
    if p.get("unit"):
        unit = p["unit"].replace("that of the scaled features", "that of the features")
        unit = unit.replace("of the scaled features", "of the features")
        text += f" Unit: {unit}."
    if optional(p, method):
        hyphened = "|".join(q["name"] for q in method["params"] if "-" in q["name"]) or "-"
        auto = re.sub(rf"(?<![\w-])({hyphened})(?![\w-])", r"--\1", p["auto"])
        text += f" None: {in_python(auto.removeprefix('none: '))}."
    return text


def parameters(method: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """Returns (name, annotation, default, description) of each parameter, in order."""
    rows = []
    declared = sorted(method["params"], key=lambda p: (not p["basic"], p["name"] == "seed"))
    for p in declared:
        rows.append(
            (python_name(p["name"]), annotation(p, method), default(p, method),
             describe(p, method))
        )  # fmt: skip
    if method["dissimilarity"]:
        rows.append(("metric", "Metric", '"euclidean"', sentence(METRIC)))
    elif method["cosine"]:
        rows.append(("metric", "VectorMetric", '"euclidean"', sentence(COSINE)))
    if method["asks"]:
        rows.insert(0, ("oracle", "Oracle | None", "None", sentence(ORACLE)))
        rows.insert(1, ("budget", "int | None", "None", sentence(BUDGET)))
    first = next((i for i, row in enumerate(rows) if row[0] in ("n_clusters", "eps")), None)
    if first is not None:
        rows.insert(0, rows.pop(first))
    rows += [(name, *row[:2], sentence(row[2])) for name, row in COMMON.items()]
    return rows


def bases(method: dict[str, Any]) -> list[str]:
    found = []
    if method["degrees"]:
        found.append("FuzzyResult")
    elif method["masses"]:
        found.append("CredalResult")
    if online(method):
        found.append("OnlineMixin")
    found.append("Learner" if method["asks"] else "Clusterer")
    return found


def online(method: dict[str, Any]) -> bool:
    return any(p["name"] == "epochs" for p in method["params"])


def attributes(method: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Returns (name, shape, description) of what fit sets."""
    rows = [
        ("labels_", "ndarray of shape (n_samples,), int32",
         "Cluster of each row, from 0, the largest first; -1 for rows in none."),
        ("n_clusters_", "int", "Number of clusters."),
        ("notes_", "list of str", "What was chosen or noticed, in sentences."),
    ]  # fmt: skip
    if method["masses"] or method["asks"]:
        rows.insert(2, ("certainty_", "ndarray of shape (n_samples,), float32",
                        "How certain the cluster of each row is, in [0, 1]; not set where that is "
                        "not known."))  # fmt: skip
    if method["asks"]:
        rows.append(("known_classes_", "list",
                     "Of each cluster the class of most of its rows whose class `labels` has, "
                     "None where there are none; not set without `labels`."))  # fmt: skip
    if method["masses"]:
        rows += [
            ("focal_sets_", "tuple of frozenset", "The sets of clusters that have mass."),
            ("mass_", "ndarray of shape (n_samples, n_sets)", "Mass of each row on each set."),
            ("plausibility_, belief_", "ndarray of shape (n_samples, n_clusters)",
             "Plausibility and belief of each cluster."),
            ("lower_, upper_", "ndarray of shape (n_samples, n_clusters), bool",
             "Lower and upper approximations: what surely, and what possibly, belongs to each "
             "cluster."),
            ("outlier_", "ndarray of shape (n_samples,), bool",
             "Rows whose mass on the empty set exceeds every other."),
        ]  # fmt: skip
    if method["name"] == "dbscan":
        rows.append(("core_sample_indices_", "ndarray of int",
                     "Rows in dense neighbourhoods, ascending."))  # fmt: skip
    if method["name"] == "hdbscan":
        rows += [
            ("probabilities_", "ndarray of shape (n_samples,)",
             "How long each row stays in its cluster, in [0, 1]; 0 for noise."),
            ("outlier_scores_", "ndarray of shape (n_samples,)",
             "GLOSH: how far each row is below the density of its cluster, in [0, 1]."),
            ("condensed_tree_", "structured ndarray",
             "The condensed tree with fields parent, child, lambda_val and child_size."),
        ]  # fmt: skip
    elif method["tree"]:
        rows += [
            ("children_", "ndarray of shape (n_samples - 1, 2), int64",
             "The two nodes that each step joins; rows are the first n_samples nodes."),
            ("distances_", "ndarray of shape (n_samples - 1,)", "Height of each step."),
        ]  # fmt: skip
    if method["asks"]:
        rows.append(("asked_", "ndarray of shape (n_answers, 3), int64",
                     "Rows a and b of each question, and its answer: 1 same, 0 different, "
                     "-1 unknown; not set where nobody was asked."))  # fmt: skip
    return rows


def title(method: dict[str, Any]) -> str:
    return in_python(sentence(method["title"]))


def write_class(method: dict[str, Any]) -> str:
    name = CLASSES[method["name"]]
    rows = parameters(method)
    out = [f"class {name}({', '.join(bases(method))}):"]
    head = textwrap.wrap(title(method), 89, break_on_hyphens=False)
    if method["name"] in DIFFERENT:
        head += ["", *textwrap.wrap(DIFFERENT[method["name"]], 96, break_on_hyphens=False)]
    doc = ['    """' + head[0]] + ["    " + line if line else "" for line in head[1:]]
    doc += ["", f"    The method ``{method['name']}`` of the command.", "", "    Parameters",
            "    ----------"]  # fmt: skip
    for row in rows:
        doc.append(f"    {row[0]} : {readable(row[1])}, default={row[2]}")
        doc.append(wrapped(row[3], 8))
    doc += ["", "    Attributes", "    ----------"]
    for attribute in attributes(method):
        doc.append(f"    {attribute[0]} : {attribute[1]}")
        doc.append(wrapped(attribute[2], 8))
    if method["source"]:
        doc += ["", "    References", "    ----------", wrapped(sentence(method["source"]), 4)]
    doc.append('    """')
    out += doc
    names = {python_name(p["name"]): p["name"] for p in method["params"]}
    out += ["", f'    _method = "{method["name"]}"', "    _names = {"]
    out += [f'        "{py}": "{declared}",' for py, declared in names.items()]
    out += ["    }"]
    if method["dissimilarity"]:
        out.append("    _dissimilarities = True")
    if method["needs_answers"]:
        out.append("    _needs_answers = True")
    out += ["", "    def __init__(", "        self,"]
    free = rows[0][0] in ("n_clusters", "eps")
    for i, row in enumerate(rows):
        if i == (1 if free else 0):
            out.append("        *,")
        out += parameter(row)
    out.append("    ) -> None:")
    out += [f"        self.{row[0]} = {row[0]}" for row in rows]
    return "\n".join(out) + "\n"


def readable(of: str) -> str:
    """Returns an annotation as docstrings have it."""
    match = re.fullmatch(r"Literal\[(.*)\]( \| None)?", of)
    if match:
        return "str or None" if match[2] else "str"
    words = {"RandomState": "int, RandomState or None", "Metric": "str", "VectorMetric": "str",
             "Oracle | None": "callable, array of shape (n_samples,) or None",
             "Scale | None": '"none", "minmax", "zscore" or None', "Missing":
             '"refuse", "keep", "drop", "median" or "mean"',
             "Mapping[str, object] | None": "mapping or None"}  # fmt: skip
    return words.get(of, of.replace(" | ", " or "))


def parameter(row: tuple[str, str, str, str]) -> list[str]:
    line = f"        {row[0]}: {row[1]} = {row[2]},"
    if len(line) <= 100:
        return [line]
    match = re.fullmatch(r"Literal\[(.*)\]( \| None)?", row[1])
    assert match, line
    return [
        f"        {row[0]}: Literal[",
        textwrap.fill(match[1] + ",", 96, initial_indent=" " * 12, subsequent_indent=" " * 12,
                      break_on_hyphens=False),
        f"        ]{match[2] or ''} = {row[2]},",
    ]  # fmt: skip


HEAD = '''# Code generated by tools/generate.py; DO NOT EDIT.
"""The estimators, one for each method."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ._base import Clusterer, Learner
from ._credal import CredalResult, FuzzyResult
from ._data import Metric, Missing, Oracle, RandomState, Scale, VectorMetric
from ._streams import OnlineMixin

__all__ = [
'''


def generate(methods: list[dict[str, Any]]) -> str:
    names = sorted(CLASSES[m["name"]] for m in methods)
    out = HEAD + "".join(f'    "{name}",\n' for name in names) + "]\n"
    for method in sorted(methods, key=lambda m: CLASSES[m["name"]]):
        out += "\n\n" + write_class(method)
    return out


def main() -> int:
    text = generate(declarations()["methods"])
    if "--check" not in sys.argv[1:]:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    if TARGET.exists() and TARGET.read_text(encoding="utf-8") == text:
        return 0
    print(f"{TARGET} is out of date: run python/tools/generate.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
