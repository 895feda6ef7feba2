"""Encodes texts by sentence-transformers or model2vec for encoders.py, and prints what it took as JSON.

usage: encoders_peer.py FOLDER TEXTS THREADS RESULT
"""

import json
import pathlib
import sys
import time

import numpy as np


def main():
    folder, path, threads, to = sys.argv[1:]
    texts = pathlib.Path(path).read_text(encoding="utf-8").removesuffix("\n").split("\n")
    import torch

    torch.set_num_threads(int(threads))
    config = json.loads((pathlib.Path(folder) / "config.json").read_text())
    if config.get("model_type") == "bert":
        from sentence_transformers import SentenceTransformer

        encode = SentenceTransformer(folder, device="cpu").encode
    else:
        from model2vec import StaticModel

        encode = StaticModel.from_pretrained(folder).encode
    encode(texts[:64])  # warm up
    began, before = time.perf_counter(), time.process_time()
    x = encode(texts)
    took, used = time.perf_counter() - began, time.process_time() - before
    x = np.asarray(x, dtype="<f4")
    x.tofile(to)
    print(json.dumps({"seconds": took, "processor": used, "rows": len(x), "columns": x.shape[1]}))


main()
