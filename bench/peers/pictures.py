#!/usr/bin/env python3
"""Compares groups of pictures by the built-in features, by scikit-image's HOG and by bare pixels, and
prints a table in Markdown.

The figures are the adjusted Rand index of k-means with the true number of groups, 10 starts: by
`kindred cluster` on pictures in files, and by scikit-learn on the others. HOG is of 64 × 64 pixels, 9
orientations, 8 × 8 pixels per cell and 2 × 2 cells per block. Needs a python3 with scikit-learn,
scikit-image and Pillow, go, and KINDRED_DATASETS, the folder of the published sets.

    bench/peers/pictures.py [--only TEXT]
"""

import argparse
import csv
import gzip
import os
import pathlib
import re
import subprocess
import tempfile

import numpy as np
from PIL import Image
from skimage.feature import hog
from skimage.transform import resize
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_rand_score

ROOT = pathlib.Path(__file__).resolve().parents[2]


def sets():
    """Yields names, pictures as arrays of lightness in [0, 1], and classes."""
    folder = pathlib.Path(os.environ["KINDRED_DATASETS"])
    digits = load_digits()
    yield "1797 digits", 1 - digits.images / 16, digits.target
    with gzip.open(folder / "mnist_t10k.csv.gz", "rt") as file:
        rows = np.loadtxt(file, delimiter=",", skiprows=1)[::4]
    yield "2500 of MNIST", 1 - rows[:, :-1].reshape(-1, 28, 28) / 255, rows[:, -1]
    with gzip.open(folder / "cmu_faces_32x30.csv.gz", "rt") as file:
        width = 1 + max(int(c[1:]) for c in re.findall(r"c\d+", file.readline()))
        faces = np.loadtxt(file, delimiter=",", usecols=range(30 * width))
    with open(folder / "cmu_faces_labels.csv", encoding="utf-8") as file:
        labels = list(csv.DictReader(file))
    lightness = faces.reshape(len(faces), -1, width) / 255
    yield "20 people", lightness, np.array([row["identity"] for row in labels])
    yield "4 poses", lightness, np.array([row["pose"] for row in labels])


def by_kindred(pictures, classes, features):
    """Returns the index of kindred cluster on the pictures in files."""
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        with open(place / "list.csv", "w", encoding="utf-8") as file:
            file.write("file,class\n")
            for i, (picture, of) in enumerate(zip(pictures, classes)):
                Image.fromarray((picture * 255).round().astype("uint8")).save(place / f"{i}.png")
                file.write(f"{i}.png,{of}\n")
        done = subprocess.run(
            [ROOT / "bin" / "kindred", "cluster", "list.csv", "--images", "file", "--label", "class",
             "-k", str(len(set(classes))), "--starts", "10", "--image-features", features,
             "--out", "groups.csv"],
            cwd=place, check=True, capture_output=True, text=True,
        )  # fmt: skip
        return float(re.search(r"adjusted Rand index (-?[0-9.]+)", done.stderr)[1])


def by_scikit(rows, classes):
    """Returns the index of k-means on rows."""
    labels = KMeans(len(set(classes)), n_init=10, random_state=0).fit_predict(rows)
    return adjusted_rand_score(classes, labels)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="sets whose names contain this")
    args = parser.parse_args()
    subprocess.run(["make", "-s", "build"], cwd=ROOT, check=True)
    print("| set | shapes | pixels | scikit-image's HOG | bare pixels |\n|---|--:|--:|--:|--:|")
    for name, pictures, classes in sets():
        if args.only not in name:
            continue
        large = [resize(p, (64, 64), order=1) for p in pictures]
        gradients = np.array([hog(p, pixels_per_cell=(8, 8), cells_per_block=(2, 2)) for p in large])
        found = [by_kindred(pictures, classes, of) for of in ("shapes", "pixels")]
        found += [by_scikit(rows, classes) for rows in (gradients, pictures.reshape(len(pictures), -1))]
        print(f"| {name} | " + " | ".join(f"{v:.2f}" for v in found) + " |", flush=True)


if __name__ == "__main__":
    main()
