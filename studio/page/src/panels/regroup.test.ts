import assert from "node:assert/strict";
import { test } from "node:test";
import { linkWords, regroupOf } from "./regroup";

test("a plan is asked for once all is chosen", () => {
  const merge = { do: "merge", rows: [3], cluster: 1 } as const;
  assert.equal(regroupOf(merge, null, []), null);
  assert.deepEqual(regroupOf(merge, 9, []), { do: "merge", rows: [3, 9] });
  const split = { do: "split", rows: [], cluster: 1 } as const;
  assert.equal(regroupOf(split, null, [4]), null);
  assert.deepEqual(regroupOf(split, null, [4, 5]), { do: "split", rows: [4, 5] });
  const move = { do: "move", rows: [1, 2] } as const;
  assert.equal(regroupOf(move, null, []), null);
  assert.deepEqual(regroupOf(move, 0, []), { do: "move", rows: [1, 2], to: 0 });
});

test("links are counted by what they say", () => {
  assert.equal(linkWords({ same: 10, apart: 0 }), "10 “same”");
  assert.equal(linkWords({ same: 2, apart: 2 }), "2 “same” and 2 “different”");
  assert.equal(linkWords({ same: 0, apart: 1 }), "1 “different”");
});
