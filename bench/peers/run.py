#!/usr/bin/env python3
"""Times k-means against scikit-learn and scikit-learn-intelex, and prints a table in Markdown.

All fit the same numbers from the same starting centres for the same number of iterations, in turns,
each in a process of its own; the table gives medians. Needs Linux (processes are bound to
processors), python3 with venv, go, and the network for the first run, which installs the peers from
PyPI into a virtual environment.

    bench/peers/run.py [--repeats 5] [--work FOLDER] [--only TEXT]
"""

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent
ITERATIONS = 20
# name, rows, columns, clusters, spread of the blobs' centres (noise has unit spread)
SETS = [
    ("100000×32, K = 100, overlapping", 100_000, 32, 100, 1.0),
    ("100000×32, K = 100, apart", 100_000, 32, 100, 3.0),
    ("1000000×16, K = 25, overlapping", 1_000_000, 16, 25, 1.0),
    ("1000000×16, K = 25, apart", 1_000_000, 16, 25, 3.0),
]
# name, package, algorithm, OPENBLAS_CORETYPE; the peers as installed and told the processor's
# family
PEERS = [
    (f"scikit-learn {algorithm}{', ' + core if core else ''}", "sklearn", algorithm, core)
    for algorithm in ("lloyd", "elkan")
    for core in ("", "ZEN", "SKYLAKEX")
    if algorithm == "lloyd" or not core
] + [("scikit-learn-intelex", "sklearnex", "lloyd", "")]

MAKE = """
import sys, numpy as np
n, d, k, spread, data, centers = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), *sys.argv[5:]
rng = np.random.default_rng(1)
x = rng.normal(0, spread, (k, d))[rng.integers(k, size=n)] + rng.normal(size=(n, d))
x.tofile(data)
x[rng.choice(n, k, replace=False)].tofile(centers)
"""


def machine():
    name = platform.processor() or platform.machine()
    for line in open("/proc/cpuinfo") if os.path.exists("/proc/cpuinfo") else []:
        if line.startswith("model name"):
            name = line.split(":", 1)[1].strip()
            break
    return f"{name}, {os.cpu_count()} processors"


def run(command, core=""):
    env = dict(os.environ)
    env.pop("OPENBLAS_CORETYPE", None)
    if core:
        env["OPENBLAS_CORETYPE"] = core
    return json.loads(
        subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument(
        "--work",
        default=str(pathlib.Path.home() / ".cache" / "kindred-peers"),
        help="folder for the virtual environment and the data",
    )
    parser.add_argument("--only", default="", help="run the sets whose name holds this")
    args = parser.parse_args()
    if not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2:
        sys.exit("needs Linux and at least two processors, or two threads would mean one")
    work = pathlib.Path(args.work)
    work.mkdir(parents=True, exist_ok=True)
    python = work / "venv" / "bin" / "python"
    if not python.exists():
        venv.create(work / "venv", with_pip=True)
        subprocess.run(
            [python, "-m", "pip", "install", "-q", "scikit-learn", "scikit-learn-intelex"],
            check=True,
            stdout=sys.stderr,
        )
    ours = work / "peers"
    subprocess.run(["go", "build", "-o", ours, "."], cwd=HERE, check=True)
    versions = subprocess.run(
        [
            python,
            "-c",
            "from importlib.metadata import version as v; import sys\n"
            "print('Python', sys.version.split()[0] + ', ' + ', '.join(p + ' ' + v(p) for p in "
            "('numpy', 'scikit-learn', 'scikit-learn-intelex')))",
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()

    print(
        f"{machine()}. {versions}. {ITERATIONS} iterations from given centres, float64, "
        f"median of {args.repeats} (least–most).\n"
    )
    notes = []
    print(
        "| data | threads | contender | seconds | ours is faster by | iterations | inertia against ours |"
    )
    print("|---|---|---|---|---|---|---|")
    for name, n, d, k, spread in SETS:
        if args.only not in name:
            continue
        data, centers = work / "data.f64", work / "centers.f64"
        subprocess.run(
            [python, "-c", MAKE, str(n), str(d), str(k), str(spread), data, centers], check=True
        )
        ours_by_threads = {}
        for threads in (1, 2):
            shape = [str(threads), str(ITERATIONS), str(data), str(centers), str(d)]
            runs = {"kindred": [], **{p[0]: [] for p in PEERS}}
            for _ in range(args.repeats):
                # Bound to as many processors as the peers are.
                allowed = ",".join(map(str, sorted(os.sched_getaffinity(0))[-threads:]))
                runs["kindred"].append(run(["taskset", "-c", allowed, ours, *shape]))
                for peer, package, algorithm, core in PEERS:
                    runs[peer].append(
                        run([python, HERE / "peer.py", package, algorithm, *shape], core)
                    )
            base = statistics.median(r["seconds"] for r in runs["kindred"])
            ours_by_threads[threads] = base
            inertia = runs["kindred"][0]["inertia"]
            for peer, results in runs.items():
                seconds = [r["seconds"] for r in results]
                mid = statistics.median(seconds)
                print(
                    f"| {name} | {threads} | {peer} | {mid:.3f} ({min(seconds):.3f}–{max(seconds):.3f}) "
                    f"| {mid / base:.2f}× | {results[0]['iterations']} "
                    f"| {results[0]['inertia'] / inertia - 1:+.1e} |",
                    flush=True,
                )
        notes.append(
            f"{name}: two threads are {ours_by_threads[1] / ours_by_threads[2]:.2f} times as fast as one; "
            f"kernels {runs['kindred'][0]['level']}."
        )
    print("\n" + "\n".join(notes))


if __name__ == "__main__":
    main()
