#!/usr/bin/env python3
"""Times k-means beyond one machine against the single machine, and prints a table in Markdown.

Both commands read the same folder of Parquet files (rows of 16 numbers about 25 centres), make five
rounds with 25 clusters, and write labels and a model; they run in turns, each in a process of its
own, on Prism within one process and all processors. The table gives medians, the ratio, and the
most memory that a process held. Needs Linux, python3, go, and disk: 128 bytes a row.

    bench/scale.py [--rows 1000000 10000000] [--alone 30000000] [--repeats 3] [--work FOLDER]

--alone names sizes that kindred-scale runs by itself, where the single machine would need the table
in memory.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMON = [
    "--method",
    "kmeans",
    "-k",
    "25",
    "--max-iterations",
    "5",
    "--features",
    ",".join(f"x{i + 1}" for i in range(16)),
    "--json",
]


def timed(command):
    """Runs a command, and gives seconds, the most memory in MB and what it printed."""
    began = time.perf_counter()
    out = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    text, said = out.stdout.read(), out.stderr.read()
    _, status, usage = os.wait4(out.pid, 0)
    out.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - began
    if out.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{said.decode()}")
    return seconds, usage.ru_maxrss / 1024, text.decode(), usage.ru_utime + usage.ru_stime


def main():
    a = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    a.add_argument("--rows", type=int, nargs="*", default=[1_000_000, 10_000_000])
    a.add_argument("--alone", type=int, nargs="*", default=[30_000_000])
    a.add_argument("--repeats", type=int, default=3)
    a.add_argument("--work", type=pathlib.Path, default=pathlib.Path("/tmp/kindred-bench-scale"))
    given = a.parse_args()
    work = given.work
    work.mkdir(parents=True, exist_ok=True)
    single, scale = work / "kindred", work / "kindred-scale"
    subprocess.run(
        ["go", "build", "-trimpath", "-ldflags", "-s -w", "-o", single, "./cmd/kindred"],
        cwd=ROOT,
        check=True,
    )
    subprocess.run(
        ["go", "build", "-trimpath", "-ldflags", "-s -w", "-o", scale, "./cmd/kindred-scale"],
        cwd=ROOT / "scale",
        check=True,
    )

    lines = [
        "| rows | kindred cluster, s | kindred-scale, s | ratio | CPU, s | memory, MB: kindred | kindred-scale |",
        "|---|---|---|---|---|---|---|",
    ]
    for rows in given.rows + given.alone:
        data = work / f"rows-{rows}"
        if not (data / "done").exists():
            shutil.rmtree(data, ignore_errors=True)
            subprocess.run(
                [
                    scale,
                    "generate",
                    data,
                    "--rows",
                    str(rows),
                    "--dimensions",
                    "16",
                    "-k",
                    "25",
                    "--files",
                    "8",
                    "--noise",
                    "6",
                    "--seed",
                    "1",
                    "--class=false",
                ],
                check=True,
            )
            (data / "done").touch()
        one, many = [], []
        for _ in range(given.repeats):
            if rows not in given.alone:
                one.append(
                    timed(
                        [
                            single,
                            "cluster",
                            data,
                            *COMMON,
                            "--starts",
                            "1",
                            "--out",
                            work / "one.parquet",
                            "--model",
                            work / "one.model",
                        ]
                    )
                )
            shutil.rmtree(work / "many", ignore_errors=True)
            many.append(
                timed(
                    [
                        scale,
                        "cluster",
                        data,
                        *COMMON,
                        "--parts",
                        "parquet",
                        "--out",
                        work / "many",
                        "--model",
                        work / "many.model",
                    ]
                )
            )

        def mid(runs, i):
            return statistics.median(r[i] for r in runs)

        ratio = statistics.median(m[0] / o[0] for o, m in zip(one, many)) if one else None
        lines.append(
            f"| {rows:,} | {f'{mid(one, 0):.1f}' if one else '–'} | {mid(many, 0):.1f} | {f'{ratio:.2f}' if ratio else '–'} | "
            f"{mid(many, 3):.1f} | {f'{max(r[1] for r in one):.0f}' if one else '–'} | {max(r[1] for r in many):.0f} |"
        )
        said = json.loads(many[-1][2])
        print(
            f"{rows} rows: {said.get('iterations')} rounds, objective {said.get('objective')}"
            + (f" (alone {json.loads(one[-1][2]).get('objective')})" if one else ""),
            file=sys.stderr,
        )
        print("\n".join(lines[-1:]), file=sys.stderr, flush=True)
    print("\n".join(lines))


if __name__ == "__main__":
    main()
