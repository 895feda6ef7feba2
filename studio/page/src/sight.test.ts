import assert from "node:assert/strict";
import { test } from "node:test";
import { type Asked, glance, Sight } from "./sight";

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
  assert.equal(sight.at(2000 + glance, two), two);
  sight.show(null, 3000);
  assert.equal(sight.at(3001, null), "none");
});

test("a pair that was hardly in sight is answered by nothing", () => {
  const sight = swapped();
  for (const t of [2000, 2100, 2000 + glance - 1]) assert.equal(sight.at(t, two), "changed");
  assert.equal(sight.at(1100, two), "changed", "nor the one before, if that had just come");
  assert.equal(sight.at(999, one), "none");
  assert.equal(new Sight().at(5000, one), "none");
});

test("what the page is about to show is not yet in sight", () => {
  assert.equal(swapped().at(2500, three), two);
});

test("a second press is not for the pair that the first one dealt with", () => {
  const sight = swapped();
  sight.leave(two);
  assert.equal(sight.at(2500, three), "changed");
  sight.show(three, 2600);
  sight.show(two, 4000); // brought back
  assert.equal(sight.at(4500, two), two);
});

test("a pair that stays keeps its time, one that comes from behind a dialog does not", () => {
  const sight = swapped();
  sight.show({ ...two }, 2400);
  assert.equal(sight.at(2450, two), two);
  sight.show(null, 3000);
  sight.show(two, 3500);
  assert.equal(sight.at(3600, two), "changed");
});

test("another reference, chosen by the person, is answered about at once", () => {
  const sight = swapped();
  const other = { ...two, about: { row: 9, id: "9" } };
  sight.turn(other);
  assert.equal(sight.at(2000 + glance, other), other);
  sight.turn(three);
  assert.equal(sight.at(2500, other), other, "a question that is not in sight changes nothing");
});
