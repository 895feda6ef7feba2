#!/usr/bin/env python3
"""How long k-means beyond one machine takes, by a model on paper, and where it stops scaling:
prints a table in Markdown.

A pass reads all rows once. With n rows in S = n / split splits on W workers of c processors, it
takes

    overhead + ceil(S / (W·c)) · split · (row + 8·d / read) + S · 8·K·(d+1) / wire

seconds: what an engine takes to send out a round; the splits that the busiest processor reads and
folds, one after the other; and the sums of all splits, which come to the worker that merges them,
64 centres a key. Nothing else grows with n. A run is a survey, a drawing of the start, the rounds,
and a pass that writes labels.

    bench/scale_model.py [--row 300e-9] [--overhead 2] [--check ROWS SECONDS PROCESSORS OVERHEAD ...]

--check compares the model with runs that were measured.
"""

import argparse
import math


def seconds(a, n, workers, processors, overhead):
    splits = math.ceil(n / a.split)
    one = overhead + math.ceil(splits / (workers * processors)) * min(a.split, n) * (
        a.row + 8 * a.columns / a.read
    )
    one += (
        splits
        * 8
        * min(64, a.clusters)
        * (a.columns + 1)
        / a.wire
        * math.ceil(math.ceil(a.clusters / 64) / workers)
    )
    return (a.rounds + 3) * one


def main():
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument(
        "--row", type=float, default=300e-9, help="processor seconds that a row takes in a pass"
    )
    p.add_argument(
        "--overhead", type=float, default=2, help="seconds that an engine takes for a round"
    )
    p.add_argument(
        "--read",
        type=float,
        default=math.inf,
        help="bytes a second that a processor reads from where the files lie; else their reading is in --row",
    )
    p.add_argument(
        "--wire",
        type=float,
        default=50e6,
        help="bytes a second at which parts reach the worker that merges them",
    )
    p.add_argument("--split", type=int, default=1 << 18)
    p.add_argument("--clusters", type=int, default=25)
    p.add_argument("--columns", type=int, default=16)
    p.add_argument("--rounds", type=int, default=20)
    p.add_argument("--processors", type=int, default=4, help="of a worker")
    p.add_argument("--price", type=float, default=0.05, help="of a processor for an hour")
    p.add_argument(
        "--check",
        type=float,
        nargs="*",
        default=[],
        help="rows, seconds, processors, overhead and rounds of runs",
    )
    a = p.parse_args()
    if a.check:
        print("| rows | rounds | measured, s | model, s |\n|---|---|---|---|")
        for i in range(0, len(a.check), 5):
            n, s, processors, overhead, a.rounds = a.check[i : i + 5]
            print(
                f"| {n:,.0f} | {a.rounds:.0f} | {s:.1f} | {seconds(a, n, 1, int(processors), overhead):.1f} |"
            )
        return
    print(
        "| rows | workers | time | of it sending rounds out | price | processors at work |\n|---|---|---|---|---|---|"
    )
    for n in (10**9, 10**10):
        for workers in (10, 100, 1000):
            t = seconds(a, n, workers, a.processors, a.overhead)
            idle = (a.rounds + 3) * a.overhead / t
            work = (
                (a.rounds + 3) * n * (a.row + 8 * a.columns / a.read) / (t * workers * a.processors)
            )
            print(
                f"| 10{'⁹' if n == 10**9 else '¹⁰'} | {workers} | {t / 60:.1f} min | {100 * idle:.0f} % | {t / 3600 * workers * a.processors * a.price:.2f} | {100 * work:.0f} % |"
            )


if __name__ == "__main__":
    main()
