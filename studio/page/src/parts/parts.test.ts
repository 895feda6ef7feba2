import assert from "node:assert/strict";
import { test } from "node:test";
import { ahead, perhaps } from "../question/progress";
import { walk } from "../question/clash";
import { fits } from "../panels/history";
import { readRoute, writeRoute } from "../route";
import type { Clash, Event } from "../types";
import { cut, excerpt, folded, pieces, room, shownFields, textOf } from "./card";
import { compare } from "./compare";
import { seriesRange } from "./series";
import { ago } from "./time";

test("how many more answers, in words", () => {
  assert.equal(ahead(false, 49), "likely 49 more");
  assert.equal(ahead(true, 3), "the groups have settled");
  assert.equal(ahead(false, 0), "few more, if any");
  assert.equal(ahead(false, 9, true), "stop when the groups are right");
  assert.equal(perhaps(false, 12, 30), "perhaps 12 to 30 more");
  assert.equal(perhaps(false, 3, 3), "perhaps 3 more");
  assert.equal(perhaps(false, 50, 0), "stop when the groups are right");
  assert.equal(perhaps(true, 12, 30), "the groups have settled");
  assert.equal(perhaps(false, 0, 0), "few more, if any");
});

test("fields of both objects are compared, those that one has alone too", () => {
  const a = {
    row: 1,
    id: "a",
    fields: [
      { name: "x", value: "1" },
      { name: "y", value: "2" },
    ],
  };
  const b = {
    row: 2,
    id: "b",
    fields: [
      { name: "x", value: "1" },
      { name: "z", value: "3" },
    ],
  };
  assert.deepEqual(compare(a, b), [
    { name: "x", a: "1", b: "1" },
    { name: "y", a: "2", b: "", mark: "≠" },
    { name: "z", a: "", b: "3", mark: "≠" },
  ]);
  assert.equal(compare(a, { row: 3, id: "c" }), undefined);
});

test("a long text is never cut within a character", () => {
  assert.equal(cut("ab😀cd", 3), "ab");
  assert.equal(cut("ab😀cd", 4), "ab😀");
});

test("the range of series leaves gaps aside", () => {
  assert.deepEqual(seriesRange([1, NaN, 3], [-2]), [-2, 3]);
  assert.deepEqual(seriesRange([]), [0, 1]);
  assert.equal(seriesRange(new Array(200_000).fill(1))[0], 1);
});

test("how long ago", () => {
  const now = Date.parse("2026-01-02T12:00:00Z");
  assert.equal(ago("2026-01-02T12:00:30Z", now), "just now", "clocks differ");
  assert.equal(ago("2026-01-02T11:58:00Z", now), "2 min ago");
  assert.equal(ago("2026-01-02T11:00:00Z", now), "1 hour ago");
  assert.equal(ago("2025-12-30T12:00:00Z", now), "3 days ago");
  assert.equal(ago("nonsense", now), "");
});

test("addresses of views", () => {
  assert.equal(writeRoute("my data/ü", "groups"), "#/my%20data%2F%C3%BC/groups");
  assert.deepEqual(readRoute("#/my%20data%2F%C3%BC/groups"), {
    project: "my data/ü",
    panel: "groups",
  });
  assert.deepEqual(readRoute(""), { project: "", panel: "" });
  assert.deepEqual(readRoute("#/p/evil"), { project: "p", panel: "" });
  assert.deepEqual(readRoute("#/%E0%A4%A"), { project: "%E0%A4%A", panel: "" });
});

const event = (a: string, b: string, more: Partial<Event> = {}): Event => ({
  seq: 1,
  at: "",
  step: "same",
  a: { row: 1, id: a },
  b: { row: 2, id: b },
  inEffect: true,
  ...more,
});

test("a chain is walked from one end of the answer to the other, whichever way round its links are", () => {
  const clash = {
    answer: event("x", "z", { step: "different" }),
    chain: [event("y", "x"), event("y", "z")],
    objects: [],
    words: "",
    weighed: false,
  } as Clash;
  assert.deepEqual(
    walk(clash).map((s) => `${s.from?.id}>${s.to?.id}`),
    ["x>y", "y>z"],
  );
  const other = { ...clash, answer: event("z", "x") };
  assert.deepEqual(
    walk(other).map((s) => `${s.from?.id}>${s.to?.id}`),
    ["x>y", "y>z"],
  );
});

test("what the filters of the history show", () => {
  const gone = event("cat", "dog", { inEffect: false, who: "ann" });
  assert.ok(fits(gone, "all", "ANN".toLowerCase()));
  assert.ok(fits(gone, "gone", ""));
  assert.ok(!fits(gone, "answers", ""));
  assert.ok(!fits(gone, "same", ""));
  assert.ok(!fits(gone, "all", "bird"));
  assert.ok(fits(event("1", "2", { doubt: true }), "doubt", ""));
  assert.ok(fits(event("1", "2", { step: "undo" }), "other", ""));
});

test("blanks around a text are no part of what is shown", () => {
  assert.equal(textOf({ text: "\n\n two\nlines \n" }), "two\nlines");
  assert.equal(textOf({}), "");
  assert.ok(!folded({ row: 0, id: "1", text: `\n${" ".repeat(200)}short` }, "small"));
});

test("a folded text shows its beginning, or the first of what was looked for", () => {
  const text = `${"one two three four five ".repeat(20)}the needle and more`;
  assert.equal(excerpt(text, 30, null), "one two three four five one …");
  assert.equal(excerpt(text, 30, /two/u), "one two three four five one …");
  assert.equal(excerpt("x".repeat(40), 30, null), `${"x".repeat(30)} …`, "one long word is cut");
  assert.equal(excerpt(text, 23, null), "one two three four five …", "what just fits is there");
  const found = excerpt(text, 60, /needle/u);
  assert.match(found, /^… .*the needle and more$/);
  assert.ok(found.length < 70, found);
  assert.deepEqual(pieces("a card, no car", /card?/u), ["a ", "card", ", no ", "car", ""]);
  assert.deepEqual(pieces("nothing", /x/u), ["nothing"]);
});

test("what a search found an object by is among its fields, before all else", () => {
  const all = [
    { name: "place", value: "harbour", aside: true },
    { name: "length", value: "3" },
    { name: "note", value: "a sail in the storm" },
    { name: "storm", value: "1" },
  ];
  const names = (few: number, others: boolean, marks: RegExp | null) =>
    shownFields(all, few, others, marks).map((f) => f.name);
  assert.deepEqual(names(3, true, null), ["length", "note", "storm"]);
  assert.deepEqual(names(3, true, /harbour/u), ["place", "length", "note"]);
  assert.deepEqual(names(3, false, /storm/u), ["note", "storm"], "by a value, and by a name");
  assert.deepEqual(names(3, false, null), []);
  assert.deepEqual(names(1, true, /storm/u), ["note"]);
});

test("a small card shows six fields, and of more those that tell its group apart", () => {
  const card = { row: 0, id: "a" };
  assert.deepEqual(
    [room(card, "small"), room({ ...card, text: "a letter" }, "small"), room(card, "thumb")],
    [6, 3, 0],
  );
  const fields = (n: number) =>
    Array.from({ length: n }, (_, i) => ({ name: `f${i}`, value: `${i}` }));
  const names = (n: number, telling: string[]) =>
    shownFields(fields(n), 6, true, null, telling).map((f) => f.name);
  assert.deepEqual(names(4, ["f3"]), ["f0", "f1", "f2", "f3"]);
  assert.deepEqual(names(9, ["f8", "f6", "gone"]), ["f8", "f6", "f0", "f1", "f2", "f3"]);
});
