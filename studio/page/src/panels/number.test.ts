import assert from "node:assert/strict";
import { test } from "node:test";
import { far, MANY } from "./number";

test("how many groups there are is asked where they are far more than a person can name", () => {
  const of = (clusters: number, named = "", more: object = {}) =>
    far({ numbered: true, clusters, settings: { clusters: named }, ...more });
  assert.equal(of(MANY), "");
  assert.equal(of(300), "300 groups are many to look at.");
  assert.equal(of(300, "", { numbered: false }), "", "the method takes no number");
  assert.equal(of(77, "77"), "", "as many as was named");
  assert.equal(of(80, "77"), "", "answers led to some more");
  assert.equal(of(140, "77"), "77 groups were named, and there are 140.");
  assert.equal(of(3, "77"), "77 groups were named, and there are 3.");
  assert.equal(of(8, "2..8"), "");
  assert.equal(of(9, "2..8"), "2 to 8 groups were named, and there are 9.");
});
