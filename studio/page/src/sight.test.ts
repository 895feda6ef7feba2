import assert from "node:assert/strict";
import { test } from "node:test";
import { type Asked, bounce, Sight } from "./sight";

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

/** A screen that shows one from 1000 and two from 2000. */
function swapped(): Sight {
  const sight = new Sight();
  sight.show(null, 0);
  sight.show(one, 1000);
  sight.show(two, 2000);
  return sight;
}

test("a press counts for the pair that was on the screen when it was pressed", () => {
  const sight = swapped();
  assert.equal(sight.at(1999, two), one);
  assert.equal(sight.at(2000, two), two);
  assert.equal(sight.at(2500, three), two, "what the page is about to show is not yet in sight");
});

test("a press without a pair says why there is none", () => {
  const sight = swapped();
  for (const why of ["covered", "away", "looking"] as const) {
    sight.show(null, 3000, why);
    assert.equal(sight.at(3001, null), why);
  }
  assert.equal(new Sight().at(5000, one), "looking");
  assert.equal(new Sight().at(5000, null), "none");
  assert.equal(swapped().at(999, one), "none");
});

test("sixty presses at ten a second count for sixty pairs", () => {
  const sight = new Sight();
  let now = ask(0, 1);
  sight.show(now, 0);
  for (let i = 1; i <= 60; i++) {
    assert.equal(sight.at(100 * i, now), now);
    sight.counted(100 * i);
    sight.leave(now);
    now = ask(2 * i, 2 * i + 1);
    sight.show(now, 100 * i + 30);
  }
});

test("a key that bounces counts once", () => {
  const sight = swapped();
  assert.equal(sight.at(2500, two), two);
  sight.counted(2500);
  sight.leave(two);
  sight.show(three, 2510);
  for (const t of [2510, 2500 + bounce - 1]) assert.equal(sight.at(t, three), "twice");
  assert.equal(sight.at(2500 + bounce, three), three);
  assert.equal(sight.at(2499, three), "left", "one of before is no second press");
});

test("a second press is not for the pair that the first one dealt with", () => {
  const sight = swapped();
  sight.leave(two);
  assert.equal(sight.at(2500, three), "left");
  sight.show(three, 2600);
  sight.show(two, 4000); // brought back
  assert.equal(sight.at(4500, two), two);
  sight.leave(two);
  sight.show(two, 5000); // brought back before another was drawn
  assert.equal(sight.at(5000, two), two);
});

test("another reference, chosen by the person, is answered about at once", () => {
  const sight = swapped();
  const other = { ...two, about: { row: 9, id: "9" } };
  sight.turn(other);
  assert.equal(sight.at(2001, other), other);
  sight.turn(three);
  assert.equal(sight.at(2500, other), other, "a question that is not in sight changes nothing");
});
