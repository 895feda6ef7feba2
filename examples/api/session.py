#!/usr/bin/env python3
"""A session with kindred by its HTTP API, with Python's standard library alone.

    kindred serve .                                        # in another terminal
    KINDRED_TOKEN=$(kindred token .) ./session.py [FILE]

It begins a project on the iris sample, follows the events until it is open, answers its questions,
meets a contradiction, takes one answer back and gives it again, shows the groups, and downloads the
partition to FILE (partition.csv). KINDRED_ADDRESS is where the server is, if not at
http://127.0.0.1:5463.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid


class Problem(Exception):
    """What the server says when a call fails (RFC 9457)."""

    def __init__(self, problem):
        super().__init__(
            problem["detail"] + ("; " + problem["mend"] if problem.get("mend") else "")
        )
        self.problem = problem


class Kindred:
    """A client of the API, with a token that kindred token prints."""

    def __init__(self, address, token):
        self.base = address + "/api/v1"
        self.token = token

    def open(self, method, path, body=None, headers=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, headers or {}, method=method)
        request.add_header("Authorization", "Bearer " + self.token)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        try:
            return urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as failed:
            with failed:
                raise Problem(json.load(failed)) from None

    def call(self, method, path, body=None, headers=None):
        with self.open(method, path, body, headers) as response:
            return json.load(response)

    def events(self, path):
        """Gives (name, value) of each server-sent event, until the caller has enough."""
        with self.open("GET", path) as response:
            name = None
            for line in response:
                line = line.decode().rstrip("\n")
                if line.startswith("event: "):
                    name = line[7:]
                elif line.startswith("data: "):
                    yield name, json.loads(line[6:])


def main():
    token = os.environ.get("KINDRED_TOKEN")
    if not token:
        sys.exit("give what kindred token prints, as KINDRED_TOKEN")
    address = os.environ.get("KINDRED_ADDRESS", "http://127.0.0.1:5463")
    out = sys.argv[1] if len(sys.argv) > 1 else "partition.csv"
    kindred = Kindred(address, token)
    project = kindred.call(
        "POST", "/projects", {"data": "iris", "settings": {"super-instances": "10"}}
    )["id"]
    p = "/projects/" + urllib.parse.quote(project, safe="")
    print("project", project)

    for name, value in kindred.events(p + "/events"):
        if name == "state":
            break
        if value["state"] == "failed":
            sys.exit("it could not be opened: " + value["error"])

    # Each step has an id of our making: were the connection lost, the same call again would change
    # nothing.
    def step(path, **body):
        return kindred.call("POST", p + path, {"id": uuid.uuid4().hex, **body})

    # The three species come 50 rows each, so the example knows the answers.
    def truth(a, b):
        return "same" if a // 50 == b // 50 else "different"

    # There may be no question just because the groups are still being worked out.
    def settled(turn):
        if turn.get("question"):
            return turn
        while kindred.call("GET", p)["fitting"]:
            time.sleep(0.1)
        return kindred.call("GET", p + "/turn")

    turn, asked = settled(kindred.call("GET", p + "/turn")), 0
    while turn.get("question"):
        q = turn["question"]
        a, b = q["a"]["row"], q["b"]["row"]
        turn = settled(step("/answers", a=a, b=b, answer=truth(a, b), question=q["number"])["turn"])
        asked += 1
    print("answered", asked, "questions:", turn["done"])

    # An answer that clashes with others is refused with the chain of those.
    history = kindred.call("GET", p + "/history?limit=1000")["events"]
    same = next(e for e in history if e["step"] == "same")
    try:
        step(
            "/links",
            pairs=[
                {"a": same["a"]["row"], "b": 149, "link": "same"},
                {"a": same["b"]["row"], "b": 149, "link": "different"},
            ],
        )
    except Problem as refused:
        if refused.problem["type"] != "/api/v1/problems/contradiction":
            raise
        print("refused:", refused.problem["clash"]["words"])

    step("/undo")
    state = step("/redo")["state"]
    print("revision", state["revision"], "with", state["answers"], "answers")

    # If-Match: only if nobody did anything since.
    last = next(e for e in history if e["inEffect"])
    try:
        kindred.call(
            "PATCH",
            f"{p}/history/{last['seq']}",
            {"id": uuid.uuid4().hex, "answer": "unknown"},
            {"If-Match": '"1"'},
        )
    except Problem as refused:
        if refused.problem["status"] != 412:
            raise
        print("refused:", refused)

    groups = kindred.call("GET", p + "/groups")["clusters"]
    print(len(groups), "groups")
    for group in groups:
        traits = ", ".join(
            f"{t['feature']} {t['inside']:.2f} (elsewhere {t['outside']:.2f})"
            for t in group["traits"]
        )
        print(f"  {group['cluster']}: {group['size']} objects; {traits}")

    with kindred.open("GET", p + "/exports/partition.csv") as response, open(out, "wb") as file:
        file.write(response.read())
    print("the partition is in", out)


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit(f"session.py: {problem}")
