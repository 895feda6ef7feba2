import assert from "node:assert/strict";
import { test } from "node:test";
import type { Cluster } from "../types";
import {
  excludesOnly,
  groupCalled,
  isNothing,
  marksOf,
  nothing,
  parameters,
  regrouped,
  wanted,
  wantedIn,
} from "./wanted";

test("a search asks for what is set alone", () => {
  assert.ok(isNothing(nothing));
  assert.ok(isNothing({ ...nothing, q: "  ", by: "meaning" }), "blanks are no words");
  assert.deepEqual(
    Object.entries(parameters({ ...nothing, q: " lost card ", by: "meaning", group: "0" })).filter(
      ([, v]) => v !== "",
    ),
    [
      ["q", "lost card"],
      ["by", "meaning"],
      ["group", "0"],
    ],
  );
});

test("what is like an object is not looked for by words, too", () => {
  const p = parameters({ ...nothing, q: "card", like: { row: 0, id: "a" }, doubtful: true });
  assert.deepEqual([p["q"], p["like"], p["doubtful"]], ["", "0", "true"]);
});

test("another project begins anew", () => {
  wantedIn("one");
  wanted.value = { ...nothing, q: "card" };
  wantedIn("one");
  assert.equal(wanted.value.q, "card");
  wantedIn("two");
  assert.equal(wanted.value.q, "");
});

test("the words that were looked for are marked, at the beginning of longer ones, too", () => {
  const marked = (q: string, text: string) => {
    const marks = marksOf({ ...nothing, q });
    return marks === null ? null : [...text.matchAll(new RegExp(marks, "giu"))].map((m) => m[0]);
  };
  assert.deepEqual(marked("card", "Cards, a card; discard"), ["Cards", "card"]);
  assert.deepEqual(marked('"new card" -lost', "lost new cards, a new  card"), ["new  card"]);
  assert.deepEqual(marked("(a.b)", "a.b and a b, axb"), ["a.b", "a b"]);
  assert.deepEqual(marked("猫", "黒い猫が"), ["猫"]);
  assert.deepEqual(marked("it", "it items"), ["it"]);
  assert.equal(marked("-lost …", "lost"), null);
  assert.equal(marksOf({ ...nothing, q: "card", by: "meaning" }), null);
});

test("a filter by group follows a row, and says so where the group is another or gone", () => {
  const w = { ...nothing, with: { row: 7, cluster: 12, name: "sevens" } };
  assert.deepEqual([parameters(w)["with"], parameters(w)["group"]], ["7", ""]);
  assert.ok(!isNothing(w));
  assert.equal(regrouped(w, undefined), "");
  assert.equal(regrouped(w, 12), "");
  assert.match(regrouped(w, 2)!, /what was sevens is group 2 now/);
  assert.equal(regrouped(w, 0), null);
  assert.equal(regrouped(nothing, 0), "");
});

test("words that are all excluded are said to be, and how to look for a number below zero", () => {
  const said = (q: string, by: "words" | "meaning" = "words") =>
    excludesOnly({ ...nothing, q, by });
  assert.equal(
    said("-5"),
    `${said("-rose")} A number below zero goes in quotes: "-5", which also finds 5.`,
  );
  assert.equal(said('-rose -"old tree"'), said("-rose", "meaning"));
  assert.match(said(" -2,5 -rose"), /"-2,5", which also finds 2,5\.$/);
  assert.match(said('-"5"'), /to be there\.$/);
  for (const q of ["", "-", "- 5", '"-5"', "rose -5", "a-b", "-…", '-""', '-rose"tree"'])
    assert.equal(said(q), "", q);
  assert.equal(excludesOnly({ ...nothing, q: "-5", like: { row: 1, id: "b" } }), "");
});

test("a group is found by its name, of people or from keywords, or by beginnings of its words", () => {
  const group = (cluster: number, names: string[], suggested?: string) =>
    ({ cluster, names, suggested }) as Cluster;
  const known = [
    group(1, ["versicolor"]),
    group(2, ["red wine", "Rotwein"], "grapes"),
    group(3, [], "Züge · bahn"),
  ];
  const called = (q: string, more = {}) =>
    groupCalled({ ...nothing, q, ...more }, known)?.cluster ?? 0;
  assert.deepEqual(
    ["Versi", '"red wine"', "wine red", "rotwein", "grapes", "zü", "re wi"].map((q) => called(q)),
    [1, 2, 2, 2, 2, 3, 2],
  );
  for (const q of ["", "color", "versicolor -x", "virginica", "…"]) assert.equal(called(q), 0, q);
  assert.equal(called("versicolor", { group: "0" }), 0, "another group is looked in");
});
