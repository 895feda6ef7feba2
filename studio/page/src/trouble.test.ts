import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, AwayError } from "./api";
import { isTrouble, Troubled, troubleOf } from "./trouble";

const problem = (status: number, kind: string, detail: string, request = "r1") =>
  new ApiError(status, { type: `/api/v1/problems/${kind}`, title: "T", detail, request });

test("what is trouble with files, and what is said of it", () => {
  const full = problem(507, "disk-full", "a.kindred: the disk is full; free some space");
  assert.ok(isTrouble(full));
  assert.deepEqual(troubleOf(full), {
    title: "T",
    text: "a.kindred: the disk is full; free some space",
    request: "r1",
  });
  for (const other of [problem(409, "stale", "no"), problem(503, "opening", "no"), new AwayError()])
    assert.equal(troubleOf(other), null);
});

test("trouble that lasts is said once, other trouble anew, and none when the server is away", () => {
  const t = new Troubled();
  t.by(problem(500, "", "it failed under request r1"));
  const first = t.now.value;
  assert.match(first!.text, /r1/);
  t.by(problem(500, "", "it failed under request r2", "r2"));
  assert.equal(t.now.value, first);
  t.by(problem(507, "disk-full", "full"));
  assert.equal(t.now.value?.text, "full");
  t.by(new AwayError());
  assert.equal(t.now.value, null);
});
