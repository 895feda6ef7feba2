import assert from "node:assert/strict";
import { test } from "node:test";
import { answers, help, keyAction, type Press } from "./keys";

const press = (key: string, more: Partial<Press> = {}) =>
  keyAction({
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    repeat: false,
    defaultPrevented: false,
    on: "page",
    ...more,
  });

test("p leads to the panels, but not from a field", () => {
  const press = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false };
  const p = { ...press, key: "p", defaultPrevented: false };
  assert.deepEqual(keyAction({ ...p, on: "page" }), { do: "panels" });
  assert.equal(keyAction({ ...p, on: "field" }), null);
});

test("each key does what its button says", () => {
  const all = {
    s: "same",
    ArrowRight: "same",
    d: "different",
    ArrowLeft: "different",
    " ": "unknown",
    "?": "unknown",
    k: "skip",
    b: "bad",
    u: "undo",
    r: "redo",
    g: "guess",
    h: "help",
    "/": "search",
    S: "same",
  };
  for (const [key, action] of Object.entries(all))
    assert.deepEqual(press(key), { do: action }, key);
  assert.deepEqual(press("3"), { do: "reference", index: 2 });
  assert.equal(press("0"), null);
  assert.equal(press("x"), null);
  assert.equal(press("constructor"), null);
});

test("undo and redo by the system's own keys; no other shortcut of the browser is taken", () => {
  assert.deepEqual(press("z", { ctrlKey: true }), { do: "undo" });
  assert.deepEqual(press("Z", { metaKey: true, shiftKey: true }), { do: "redo" });
  assert.deepEqual(press("y", { ctrlKey: true }), { do: "redo" });
  for (const key of ["s", "d", "k", "b", "u", "r", "1", " ", "ArrowLeft"])
    assert.equal(press(key, { ctrlKey: true }), null, key);
  assert.equal(press("ArrowLeft", { altKey: true }), null, "back in the browser's history");
});

test("nothing fires in a field, from a key held down, or when someone else has dealt with it", () => {
  assert.equal(press("s", { on: "field" }), null);
  assert.equal(press("z", { on: "field", ctrlKey: true }), null);
  assert.equal(press("s", { repeat: true }), null);
  assert.equal(press("s", { defaultPrevented: true }), null);
  assert.equal(press(" ", { on: "control" }), null, "Space presses the button that has the focus");
  assert.deepEqual(press("s", { on: "control" }), { do: "same" });
});

test("the help names every key once", () => {
  const keys = help.flatMap((h) => h.keys);
  assert.equal(new Set(keys).size, keys.length);
});

test("Escape leads from the panels to the question, where a key led to them", () => {
  assert.deepEqual(press("Escape", { aside: true }), { do: "question" });
  assert.deepEqual(press("Escape", { aside: true, on: "field" }), { do: "question" });
  assert.equal(press("Escape", { aside: true, defaultPrevented: true }), null);
  assert.equal(press("Escape"), null);
});

test("what is about the pair in sight is told from what is not", () => {
  const about = ["s", "d", "?", " ", "k", "b", "3"].map((key) => press(key)!.do);
  assert.ok(about.every(answers), about.join());
  const others = ["u", "r", "g", "h", "p", "/"].map((key) => press(key)!.do);
  assert.ok(!others.some(answers), others.join());
});
