#!/usr/bin/env python3
"""Runs two kindred binaries through the same commands and compares what they leave.

Compared byte for byte: exit codes, data on stdout and every file written. Left out: times,
versions, random ids, and words for people (stderr, help, notes, why a question is asked); of tables
for people on stdout the numbers alone are compared. Project files are compared row by row.

    tools/compare/compare.py OLD NEW [--datasets FOLDER] [--only 'GLOB'] [--keep FOLDER]

Intended differences are in intended.txt beside this file, each with its reason. The exit code is 1
when there is any other difference, 0 when there is none. With OLD twice it shows that runs repeat.
"""

import argparse
import fnmatch
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import cases  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 120  # seconds for one command
SHOWN = 3  # differences shown of a case

TIME = rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z"
UUID = rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
STRINGS = rb'\[\s*(?:"(?:[^"\\]|\\.)*"[\s,]*)*\]'
# What is taken out of text before it is compared, and what is left in its place.
MASKS = [
    (re.compile(rb'"((?:fit_|work_)?seconds)":\s*[0-9.e+-]+'), rb'"\1":0'),
    (re.compile(rb'"version":\s*"[^"]*"'), rb'"version":""'),
    (re.compile(rb',?\s*"notes":\s*' + STRINGS), b""),
    (re.compile(rb"(kindred stream state \d+ sha256:)[0-9a-f]+"), rb"\1"),
    (re.compile(TIME), b"TIME"),
    (re.compile(UUID), b"UUID"),
]
NUMBER = re.compile(r"(?<![\w.])[-+−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def masked(data):
    for pattern, left in MASKS:
        data = pattern.sub(left, data)
    return data


def numbers(text):
    """The numbers in words for people, but for times taken."""
    text = re.sub(r"\b[0-9.e+-]+ (?:s|ms|min|rows/s)\b", "", text)
    return NUMBER.findall(text)


def project(path):
    """The rows of a project file, without times, and digests of them, and with the numbers alone of
    words for people."""
    with sqlite3.connect(path) as db:
        db.row_factory = sqlite3.Row
        found = {"format": db.execute("PRAGMA user_version").fetchone()[0]}
        settings = db.execute("SELECT name, value FROM settings ORDER BY name")
        found["settings"] = {r["name"]: parsed(masked(r["value"].encode())) for r in settings}
        found["events"] = [
            {k: numbers(r[k]) if k == "why" else r[k] for k in r.keys() if k not in ("at", "digest")}
            for r in db.execute("SELECT * FROM events ORDER BY seq")
        ]
    return found


def parsed(data):
    """The JSON value that data is, with numbers as they are written, or None."""
    try:
        return json.loads(data, parse_float=str, parse_int=str)
    except ValueError:
        return None


def paths(old, new, at=""):
    """Where two JSON values differ: path, old, new."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(k for k in new if k not in old)]:
            yield from paths(old.get(key), new.get(key), f"{at}.{key}".lstrip("."))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (a, b) in enumerate(zip(old, new)):
            yield from paths(a, b, f"{at}.{i}".lstrip("."))
    elif old != new:
        yield at, old, new


def first(old, new):
    """The first lines that differ."""
    a, b = old.splitlines(), new.splitlines()
    for i in range(max(len(a), len(b))):
        x, y = (s[i] if i < len(s) else "(no such line)" for s in (a, b))
        if x != y:
            return f"line {i + 1}", x, y
    return "line ends", "", ""


def compared(item, old, new):
    """Differences of two pieces of output: item, old, new."""
    if old == new:
        return []
    old, new = masked(old), masked(new)
    if old == new:
        return []
    a, b = parsed(old), parsed(new)
    if a is not None and b is not None:
        found = [(f"{item}:{at}", x, y) for at, x, y in paths(a, b)]
        return found or [(f"{item}:order or spaces", "", "")]
    try:
        where, x, y = first(old.decode(), new.decode())
    except UnicodeDecodeError:
        return [(item, f"{len(old)} bytes", f"{len(new)} bytes")]
    return [(item, f"{where}: {x}", f"{where}: {y}")]


class Side:
    """A binary and the folder of its runs."""

    def __init__(self, binary, folder, fixtures, environment):
        self.binary, self.folder, self.fixtures = binary, folder, fixtures
        self.environment = environment | {"HOME": str(folder)}

    def place(self, case):
        return self.folder / case.name.replace("/", "_")

    def start(self, case):
        at = self.place(case)
        at.mkdir(parents=True)
        (at / "in").symlink_to(self.fixtures)
        return at

    def run(self, at, step, binary=None):
        """Exit code, stdout and stderr of a step."""
        if step.before:
            step.before(at)
        try:
            p = subprocess.run(
                [binary or self.binary, *step.args],
                cwd=at,
                env=self.environment | step.env,
                input=step.stdin.encode(),
                capture_output=True,
                timeout=LIMIT,
            )
        except subprocess.TimeoutExpired:
            return "over the limit", b"", b""
        crashed = re.search(rb"^(panic:|goroutine \d+ \[|fatal error:)", p.stderr, re.M)
        return f"{p.returncode}{', a crash' if crashed else ''}", p.stdout, p.stderr


def written(at):
    """The files of a folder by name, without those given and those of SQLite's log."""
    found = {}
    for path in sorted(at.rglob("*")):
        name = str(path.relative_to(at))
        if path.is_file() and not name.startswith("in/") and not name.endswith(("-wal", "-shm")):
            found[name] = path
    return found


def differences(case, old, new):
    """Runs a case on both sides. Returns what differs, the number of commands and that of files."""
    a, b = old.start(case), new.place(case)
    found = []
    for step in case.prepare:
        code, _, err = old.run(a, step)
        if code != "0":
            found.append(("prepare", f"exit code {code}: {err.decode()[-200:]}", ""))
    shutil.copytree(a, b, symlinks=True)
    for i, step in enumerate(case.steps, 1):
        before, after = old.run(a, step), new.run(b, step)
        if before[0] != after[0]:
            found.append((f"{i} exit", before[0], f"{after[0]}: {after[2].decode()[-300:]}"))
        if step.stdout == "data":
            found += compared(f"{i} stdout", before[1], after[1])
        elif step.stdout == "numbers":
            x, y = (numbers(out.decode()) for out in (before[1], after[1]))
            if x != y:
                found.append((f"{i} stdout", " ".join(x), " ".join(y)))
    left, right = written(a), written(b)
    for name in sorted(left.keys() | right.keys()):
        item = f"file {name}"
        if name not in left or name not in right:
            found.append((item, "is there" if name in left else "is not there", "the other way"))
        elif left[name].read_bytes()[:15] == b"SQLite format 3":
            x, y = project(left[name]), project(right[name])
            found += [(f"{item}:{at}", p, q) for at, p, q in paths(x, y)]
        else:
            found += compared(item, left[name].read_bytes(), right[name].read_bytes())
    return found, len(case.prepare) + 2 * len(case.steps), len(left)


def intended():
    """The lines of intended.txt: case, item and reason."""
    rules = []
    for line in (HERE / "intended.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            case, item, reason = (field.strip() for field in line.split("|", 2))
            rules.append((case, item, reason))
    return rules


def short(value):
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 160 else text[:157] + "..."


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old", help="the binary that is right")
    parser.add_argument("new", help="the binary that is held to it")
    parser.add_argument(
        "--datasets", help="folder of published data sets, for cases that read them"
    )
    parser.add_argument("--only", default="*", help="cases to run, as 'ask/*'")
    parser.add_argument("--keep", help="folder for what the runs write, which then stays")
    args = parser.parse_args()

    began = time.monotonic()
    base = pathlib.Path(args.keep or tempfile.mkdtemp(prefix="compare-")).resolve()
    base.mkdir(parents=True, exist_ok=True)
    if any(base.iterdir()):
        parser.error(f"{base} is not empty")
    environment = {"PATH": os.environ["PATH"], "TZ": "UTC", "LANG": "C.UTF-8", "USER": "someone"}
    environment["KINDRED_PLAIN"] = "true"  # files are read as the first edition reads them
    binaries = [str(pathlib.Path(b).resolve()) for b in (args.old, args.new)]
    fixtures = base / "in"
    cases.write_fixtures(fixtures, binaries[0])
    old, new = (Side(b, base / n, fixtures, environment) for b, n in zip(binaries, ("old", "new")))

    rules, used = intended(), set()
    chosen = [
        c for c in cases.every(binaries[0], args.datasets) if fnmatch.fnmatch(c.name, args.only)
    ]
    commands = files = meant = 0
    wrong = []
    print(f"{'case':<44} {'commands':>8} {'files':>6}  result")
    for case in chosen:
        found, ran, wrote = differences(case, old, new)
        commands, files = commands + ran, files + wrote
        reasons, left = [], []
        for item, x, y in found:
            for i, (cases_of, items, reason) in enumerate(rules):
                if fnmatch.fnmatch(case.name, cases_of) and fnmatch.fnmatch(item, items):
                    used.add(i)
                    reasons.append(reason)
                    break
            else:
                left.append((item, x, y))
        result = "same"
        if reasons:
            meant += not left
            result = "intended: " + "; ".join(dict.fromkeys(reasons))
        if left:
            wrong.append(case.name)
            result = "DIFFERENT"
        print(f"{case.name:<44} {ran:>8} {wrote:>6}  {result}", flush=True)
        for item, x, y in left[:SHOWN]:
            print(f"    {item}\n      old  {short(x)}\n      new  {short(y)}")
        if len(left) > SHOWN:
            print(f"    and {len(left) - SHOWN} more")
    for i, (case, item, _) in enumerate(rules):
        if i not in used and args.only == "*" and (args.datasets or not case.startswith("sets/")):
            print(f"intended.txt: {case} | {item} is no difference now: leave the line out")
    print(
        f"\n{len(chosen)} cases, {commands} commands, {files} files in"
        f" {time.monotonic() - began:.0f} s: {len(chosen) - len(wrong) - meant} the same, {meant}"
        f" differ as intended, {len(wrong)} differ otherwise"
    )
    if wrong:
        print("different: " + ", ".join(wrong))
    if not args.keep:
        shutil.rmtree(base, ignore_errors=True)  # a server may still be closing
    return 1 if wrong or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
