import assert from "node:assert/strict";
import { test } from "node:test";
import type { Asked } from "./sight";
import { Trail } from "./trail";

const ask = (a: number, b: number): Asked => ({
  question: {
    number: 1,
    a: { row: a, id: `${a}` },
    b: { row: b, id: `${b}` },
    why: "",
    source: "method",
  },
  about: { row: b, id: `${b}` },
  posed: false,
});
const [one, two, three] = [ask(1, 2), ask(3, 4), ask(5, 6)] as const;

test("undo shows what each step was done about, redo what was there before the undo", () => {
  const t = new Trail();
  t.did("x", one);
  t.did("name", null);
  t.did("y", two);
  assert.equal(t.undo("y", three), two);
  assert.equal(t.undo("", two), "stay");
  assert.equal(t.undo("", two), one);
  assert.equal(t.redo(), two);
  assert.equal(t.redo(), "stay");
  assert.equal(t.redo(), three);
});

test("what another page did is not known, and something new ends the redoing", () => {
  const t = new Trail();
  assert.equal(t.undo("", one), "unknown");
  assert.equal(t.redo(), one);
  assert.equal(t.redo(), "unknown");
  t.did("x", one);
  assert.equal(t.undo("other", two), "stay", "another tab's step, not sent yet");
  t.did("y", two);
  assert.equal(t.redo(), "unknown");
  assert.equal(t.undo("", null), two);
  assert.equal(t.redo(), "next", "nothing was on the screen");
});
