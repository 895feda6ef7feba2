import assert from "node:assert/strict";
import { test } from "node:test";
import { isNothing, nothing, parameters, wanted, wantedIn } from "./wanted";

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
