import assert from "node:assert/strict";
import { test } from "node:test";
import { Queue, type Shelf } from "./queue";
import type { Step } from "./types";

class Memory implements Shelf {
  private readonly m = new Map<string, string>();
  full = false;
  get length() {
    return this.m.size;
  }
  key(i: number) {
    return [...this.m.keys()][i] ?? null;
  }
  getItem(k: string) {
    return this.m.get(k) ?? null;
  }
  setItem(k: string, v: string) {
    if (this.full) throw new Error("quota");
    this.m.set(k, v);
  }
  removeItem(k: string) {
    this.m.delete(k);
  }
}

const answer = (a: number, b: number): Step => ({ kind: "answer", a, b, answer: "same" });
const ids = (q: Queue) => q.items.map((i) => i.id).join(" ");

test("a reload keeps the steps and their order, though the clock was set back", () => {
  const shelf = new Memory();
  let now = 1000;
  const q = new Queue(shelf, "digits", () => now);
  q.add("x", answer(1, 2));
  now = 5;
  q.add("y", answer(3, 4));
  q.mark("x");
  const again = new Queue(shelf, "digits", () => 1);
  assert.equal(ids(again), "x y");
  assert.deepEqual(
    again.items.map((i) => i.tried),
    [true, false],
  );
  assert.equal(new Queue(shelf, "iris").length, 0, "another project has its own");
});

test("two tabs go by the same storage", () => {
  const shelf = new Memory();
  const one = new Queue(shelf, "p", () => 1);
  const two = new Queue(shelf, "p", () => 1);
  one.add("x", answer(1, 2));
  two.reload();
  assert.equal(ids(two), "x");
  two.add("y", answer(3, 4));
  one.remove("x");
  one.reload();
  two.reload();
  assert.equal(ids(one), "y");
  assert.equal(ids(two), "y", "what one has sent, the other does not send");
});

test("full or broken storage leaves the steps in memory", () => {
  const shelf = new Memory();
  shelf.setItem("kindred/queue/p/000000000000001-z", "{not json");
  shelf.full = true;
  const q = new Queue(shelf, "p", () => 1);
  q.add("x", answer(1, 2));
  q.reload();
  assert.equal(ids(q), "x");
  assert.equal(ids(new Queue(null, "p")), "");
});

test("what never left the page is taken back at once, and brought back until something new is done", () => {
  const q = new Queue(new Memory(), "p", () => 1);
  q.add("x", answer(1, 2));
  q.add("y", answer(3, 4));
  assert.equal(q.takeBack()?.id, "y");
  assert.ok(q.canBringBack);
  assert.equal(q.bringBack()?.id, "y");
  q.takeBack();
  q.add("z", answer(5, 6));
  assert.equal(q.bringBack(), null);
  q.mark("z");
  assert.equal(q.takeBack(), null, "the server may have it");
});

test("undo and redo of what was sent and what was not keep their order", () => {
  const q = new Queue(new Memory(), "p", () => 1);
  q.add("x", answer(1, 2));
  q.mark("x");
  q.add("y", answer(3, 4));
  assert.equal(q.takeBack()?.id, "y");
  assert.equal(q.takeBack(), null);
  q.add("u", { kind: "undo" }); // of x
  assert.equal(q.bringBack(), null, "x is to be brought back by the server");
  q.add("r", { kind: "redo" });
  assert.equal(q.bringBack()?.id, "y");
  assert.equal(ids(q), "x u r y");
});

test("an undo meant for a refused step goes with it, one for a later step does not", () => {
  const q = new Queue(new Memory(), "p", () => 1);
  q.add("x", answer(1, 2));
  q.add("u", { kind: "undo" });
  q.add("y", answer(3, 4));
  assert.ok(q.refuse("x"));
  assert.equal(ids(q), "y");

  const r = new Queue(new Memory(), "p", () => 1);
  r.add("x", answer(1, 2));
  r.add("y", answer(3, 4));
  r.add("u", { kind: "undo" });
  assert.ok(!r.refuse("x"), "the undo is for y");
  assert.equal(ids(r), "x y u");
  r.add("v", { kind: "undo" });
  assert.ok(r.refuse("x"));
  assert.equal(ids(r), "y u");
});
