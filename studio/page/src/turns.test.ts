import assert from "node:assert/strict";
import { test } from "node:test";
import type { Item } from "./queue";
import { pick } from "./turns";
import type { Question, Step, Turn } from "./types";

const ask = (a: number, b: number, references: number[] = []): Question => ({
  number: 1,
  a: { row: a, id: `${a}` },
  b: { row: b, id: `${b}` },
  why: "",
  source: "method",
  ...(references.length > 0
    ? {
        group: {
          may: [1],
          outlier: false,
          ask: 0,
          references: references.map((row) => ({
            card: { row, id: `${row}` },
            cluster: 1,
            dissimilarity: 1,
          })),
        },
      }
    : {}),
});
const waits = (step: Step): Item => ({ id: "x", step, tried: false });
const shown = (q: Question | null) => q && `${q.a.row}-${q.b.row}`;
const turn: Turn = { question: ask(1, 2), ahead: [ask(3, 4), ask(5, 6)] };

test("the first question that nothing waiting has dealt with", () => {
  assert.equal(shown(pick(turn, [], null)), "1-2");
  assert.equal(
    shown(pick(turn, [waits({ kind: "answer", a: 2, b: 1, answer: "same" })], null)),
    "3-4",
  );
  assert.equal(
    shown(pick(turn, [waits({ kind: "skip", a: 1, b: 2 }), waits({ kind: "bad", row: 4 })], null)),
    "5-6",
  );
  assert.equal(pick({ ahead: [] }, [], null), null);
});

test("the question on the screen stays, whatever the server has in mind", () => {
  assert.equal(shown(pick(turn, [], ask(5, 6))), "5-6");
  assert.equal(shown(pick(turn, [], ask(7, 8))), "7-8");
  assert.equal(shown(pick({ ahead: [] }, [], ask(7, 8))), "7-8");
  assert.equal(
    shown(pick(turn, [waits({ kind: "answer", a: 5, b: 6, answer: "same" })], ask(5, 6))),
    "5-6",
    "also when another tab has answered it",
  );
  const now = { ...ask(1, 2, [9, 2]), why: "other" };
  assert.deepEqual(pick({ question: now, ahead: [] }, [], ask(1, 2, [2, 9])), {
    ...ask(1, 2, [2, 9]),
    moot: undefined,
  });
});

test("what the answer on its way settles, too, is not asked", () => {
  const t: Turn = {
    question: ask(1, 2),
    ahead: [{ ...ask(3, 4), settledBy: ["same"] }, ask(5, 6)],
  };
  const after = (answer: "same" | "different") =>
    shown(pick(t, [waits({ kind: "answer", a: 2, b: 1, answer })], null));
  assert.equal(after("same"), "5-6");
  assert.equal(after("different"), "3-4");
});

test("a question whose answer is not needed says so while it stays, and comes at no other time", () => {
  const moot = { words: "bob answered this pair meanwhile: same." };
  const t: Turn = { question: { ...ask(1, 2), moot }, ahead: [ask(3, 4)] };
  assert.deepEqual(pick(t, [], ask(1, 2))?.moot, moot);
  assert.equal(shown(pick(t, [], null)), "3-4");
  assert.equal(pick(turn, [], { ...ask(1, 2), moot })?.moot, undefined, "it is needed again");
});

test("the question that stays has the number of the next answer", () => {
  const numbered: Turn = {
    question: { ...ask(1, 2), number: 4 },
    ahead: [
      { ...ask(3, 4), number: 5 },
      { ...ask(5, 6), number: 6 },
    ],
  };
  assert.equal(pick(numbered, [], ask(5, 6))?.number, 4);
  assert.equal(
    pick(numbered, [waits({ kind: "answer", a: 1, b: 2, answer: "same" })], ask(5, 6))?.number,
    5,
  );
});

test("an answer about any reference deals with a question among references", () => {
  const t: Turn = { question: ask(1, 2, [2, 9]), ahead: [ask(3, 4)] };
  assert.equal(
    shown(pick(t, [waits({ kind: "answer", a: 1, b: 9, answer: "different" })], null)),
    "3-4",
  );
  assert.equal(
    shown(pick(t, [waits({ kind: "answer", a: 1, b: 8, answer: "different" })], null)),
    "1-2",
  );
});
