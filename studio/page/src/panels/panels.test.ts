import assert from "node:assert/strict";
import { test } from "node:test";
import type { Card, Cluster, Event, Member, Project } from "../types";
import { doing } from "../question/end";
import { compared } from "./begin";
import { candidates } from "./doubts";
import { exportsOf } from "./exports";
import { telling } from "./groups";
import { stepFacts, stepsOf, unread } from "./history";
import { certaintyWords } from "./member";
import { faced } from "../parts/card";
import { pairs } from "./onegroup";
import { about } from "./projects";

const card = (row: number): Card => ({ row, id: `${row}` });
const cluster = (cluster: number, medoid: number): Cluster =>
  ({
    cluster,
    names: [],
    size: 3,
    doubtful: 0,
    medoid: card(medoid),
    members: [],
    traits: [],
  }) as unknown as Cluster;

test("what is done while a project is opened has a share where one is known", () => {
  assert.equal(doing({ what: "reading", share: 0.42 }), "reading, 42 %");
  for (const share of [0, -1, -3e6]) assert.equal(doing({ what: "reading", share }), "reading …");
});

test("answers of a project are not counted before they are read", () => {
  const wine = { id: "wine", data: "wine.csv", method: "kin", answers: 0, stated: 0 } as Project;
  const read = { answers: 62, stated: 87 };
  assert.equal(
    about({ ...wine, ...read, state: "closed" }),
    "wine.csv · kin · 62 answers (87 links) · closed",
  );
  assert.equal(
    about({ ...wine, ...read, state: "open" }),
    "wine.csv · kin · 62 answers (87 links)",
  );
  assert.equal(about({ ...wine, state: "opening" }), "wine.csv · kin · opening");
  assert.equal(about({ ...wine, state: "failed" }), "wine.csv · kin · failed");
  assert.equal(about({ ...wine, state: "closed", error: "damaged" }), "wine.csv · kin · closed");
});

test("a confirmed group links each object with the most typical one that is no stranger", () => {
  assert.deepEqual(pairs([5, 7, 9, 2], new Set([5, 9])), [
    { a: 7, b: 5, link: "different" },
    { a: 7, b: 9, link: "different" },
    { a: 7, b: 2, link: "same" },
  ]);
  assert.deepEqual(pairs([5, 7], new Set([5, 7])), [], "all strangers say nothing");
  assert.deepEqual(pairs([5], new Set()), []);
});

test("a doubtful object is compared with its own group first, then with those it may belong to, never with itself", () => {
  const m = { card: card(40), cluster: 2, certainty: 0.4, others: [4], why: "" } as Member;
  const order = candidates(m, [cluster(1, 10), cluster(2, 20), cluster(3, 40), cluster(4, 30)]).map(
    (c) => c.cluster,
  );
  assert.deepEqual(order, [2, 4, 1]);
});

test("files and pictures are offered as the groups have what is in them", () => {
  const offers = [
    { name: "groups", title: "the groups in the plane" },
    { name: "focal", title: "the mass of one focal set", argument: "SET" },
    { name: "dendrogram", title: "the tree that rows are joined into", lacks: "there is none" },
  ];
  const files = (has: Parameters<typeof exportsOf>[0]) =>
    exportsOf(has, offers).flatMap((e) => e.rows.flatMap((r) => r.files.map((f) => f.file)));
  const plain = { masses: false, model: true, layout: "", answers: 2, stated: 1015 };
  const pictures = exportsOf(plain, offers).find((e) => e.title === "Pictures")!.rows;
  assert.deepEqual(
    pictures.map((r) => r.label),
    ["The groups in the plane"],
    "what can be drawn, without an argument",
  );
  assert.deepEqual(
    pictures[0]!.files.map((f) => f.file),
    ["picture.svg?kind=groups", "picture.png?kind=groups"],
  );
  assert.match(
    exportsOf(plain, offers).find((e) => e.title === "The answers")!.what,
    /after 2 answers \(1,015 links\)/,
  );
  const moved = exportsOf({ ...plain, layout: "neighbours" }, offers);
  assert.deepEqual(
    moved.find((e) => e.title === "Pictures")!.rows.map((r) => [r.label, r.files[0]!.file]),
    [
      ["The groups in the plane", "picture.svg?kind=groups"],
      [
        "The groups in the plane, by nearest neighbours",
        "picture.svg?kind=groups&layout=neighbours",
      ],
    ],
    "the map that the page has moved to",
  );
  const always = [
    "partition.csv",
    "partition.parquet",
    "partition.jsonl",
    "answers.csv",
    "answers.jsonl",
    "history.csv",
    "project.kindred",
  ];
  for (const has of [plain, { ...plain, masses: true, model: false }]) {
    for (const f of always) assert.ok(files(has).includes(f), f);
    assert.equal(files(has).includes("model.json"), has.model);
  }
});

test("a picture, a line or a text is a face; fields are not", () => {
  assert.equal(faced({ row: 0, id: "a", text: "", fields: [{ name: "n", value: "1" }] }), false);
  assert.equal(faced({ row: 0, id: "a", series: [1, 2] }), true);
  assert.equal(faced({ row: 0, id: "a", image: true }), true);
});

test("the most telling fields come first in a table of members, each once", () => {
  const g = cluster(1, 0);
  g.medoid.fields = ["a", "b", "c"].map((name) => ({ name, value: "1" }));
  g.traits = [{ feature: "c" }, { feature: "gone" }, { feature: "a" }] as Cluster["traits"];
  assert.deepEqual(telling(g, 5), ["c", "a", "b"]);
  assert.deepEqual(telling(g, 2), ["c", "a"]);
});

test("how sure a group is, is not said while there may be more or fewer of them", () => {
  const m = { cluster: 2, certainty: 1, outlier: true, bad: false } as unknown as Member;
  assert.equal(certaintyWords(m), "sure, perhaps an outlier");
  assert.equal(certaintyWords(m, false), "perhaps an outlier");
});

test("what was done together is one step of the history, with its count", () => {
  const event = (seq: number, step: string, more: object = {}): Event =>
    ({ seq, step, at: "", inEffect: true, ...more }) as Event;
  const step = { first: 2, last: 4 };
  const events = [
    event(6, "same"),
    event(5, "undo", step),
    event(4, "different", step),
    event(3, "same", step),
    event(2, "same", step),
    event(1, "same"),
  ];
  assert.deepEqual(
    stepsOf(events).map((s) => s.map((e) => e.seq)),
    [[6], [5], [4, 3, 2], [1]],
  );
  assert.equal(stepFacts(events.slice(2, 5), 3), "3 links in one step: 2 same, 1 different");
  assert.equal(stepFacts(events.slice(2, 4), 3), "3 links in one step", "not all are known");
});

test("more of the history is read until some steps are in sight, or an unfolded one is whole", () => {
  const step = { first: 2, last: 344 };
  const of = (seq: number): Event => ({ seq, step: "same", ...step }) as Event;
  const events = Array.from({ length: 50 }, (_, i) => of(344 - i));
  assert.equal(unread(events, 344, new Set()), 293 + 50);
  assert.equal(unread(events, 50, new Set()), 0, "there are no more");
  const single = Array.from({ length: 50 }, (_, i) => ({ seq: 400 - i, step: "same" }) as Event);
  assert.equal(unread(single, 400, new Set()), 0);
  assert.equal(unread([...single, ...events], 400, new Set([2])), 293);
});

test("which columns are compared, in a sentence", () => {
  assert.equal(
    compared({ width: 3, compared: 1, by: ["text"] }),
    "1 of 3 columns is compared: text.",
  );
  assert.equal(
    compared({ width: 4, compared: 2, by: ["a", "b"] }),
    "2 of 4 columns are compared: a, b.",
  );
  assert.equal(
    compared({ width: 14, compared: 13, by: ["a", "b", "c"] }),
    "13 of 14 columns are compared.",
  );
  assert.equal(compared({ width: 0, compared: 0, by: [] }), "");
});
