import assert from "node:assert/strict";
import { test } from "node:test";
import { AMBIGUOUS, BAD, OUTLIER, type Places } from "./places";
import {
  called,
  count,
  keeping,
  mixture,
  number,
  percent,
  summary,
  things,
  sureWords,
  unsettled,
} from "./words";

const p: Places = {
  cluster: Uint16Array.of(1, 1, 2, 2, 2, 0, 1),
  set: Uint16Array.of(0, 0, 0, 1, 0, 0, 0),
  certainty: Uint8Array.of(255, 255, 200, 50, 255, 0, 255),
  flags: Uint8Array.of(0, 0, 0, AMBIGUOUS, 0, OUTLIER, BAD),
  sets: [[], [1, 2]],
  revision: 3,
};

test("the map in words", () => {
  assert.equal(
    summary(count(p), (c) => (c === 1 ? "cats" : `group ${c}`)),
    "Map of 7 objects in 2 groups. group 2: 3, cats: 2. 1 in no group, 2 doubtful, 1 between groups, 1 outlier, 1 left out as bad data.",
  );
});

test("many groups are not all read out", () => {
  const many = {
    ...count(p),
    groups: Array.from({ length: 31 }, (_, i) => (i === 0 ? 0 : 5)),
    doubtful: 0,
    ambiguous: 0,
    outliers: 0,
    bad: 0,
  };
  assert.match(
    summary(many, (c) => `group ${c}`),
    /group 10: 5 and 20 more groups\.$/,
  );
});

test("which groups rows belong to", () => {
  assert.deepEqual(mixture(p, [0, 2, 3, 5]), [
    { cluster: 2, count: 2 },
    { cluster: 0, count: 1 },
    { cluster: 1, count: 1 },
  ]);
});

test("numbers a person reads", () => {
  assert.equal(called("17"), "object 17");
  assert.equal(called("iris 17"), "iris 17");
  assert.equal(number(1234567), "1,234,567");
  assert.equal(things(1, "answer"), "1 answer");
  assert.equal(things(2, "answer"), "2 answers");
  assert.deepEqual([0, 0.001, 0.5, 0.996, 1].map(percent), [
    "0 %",
    "<1 %",
    "50 %",
    ">99 %",
    "100 %",
  ]);
});

test("how a map is laid out, and how well it keeps neighbours", () => {
  const quality = { trustworthiness: 0.9885, continuity: 0.9, neighbours: 15, rows: 2500 };
  assert.equal(keeping("pca", null), "");
  assert.match(keeping("neighbours", null), /^Nearest neighbours lie together/);
  const kept = "Trustworthiness 0.989, continuity 0.900 (15 neighbours of 2,500 objects).";
  assert.equal(keeping("pca", quality), kept);
  assert.ok(keeping("neighbours", quality).endsWith(kept));
});

test("certainty has one scale, on which doubtful begins below a half", () => {
  assert.deepEqual([1, 0.9, 0.6, 0.5, 0.49, 0.1].map(sureWords), [
    "sure",
    "sure",
    "fairly sure",
    "fairly sure",
    "doubtful",
    "very doubtful",
  ]);
});

test("a map of which most is doubtful is calm", () => {
  const c = { objects: 10, groups: [], doubtful: 6, ambiguous: 0, outliers: 0, bad: 0 };
  assert.ok(unsettled(c));
  assert.ok(!unsettled({ ...c, doubtful: 5 }));
});
