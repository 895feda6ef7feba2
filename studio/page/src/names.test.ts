import assert from "node:assert/strict";
import { test } from "node:test";
import { labelOf, plain, plainly } from "./names";

test("settings are called as the fields of the page are", () => {
  assert.equal(labelOf("drop"), "Left out");
  assert.equal(labelOf("clusters"), "Number of groups");
  assert.equal(labelOf("min-points"), "Min points");
});

test("a sentence of the command names settings and no flags", () => {
  for (const [said, want] of [
    [
      "drop such rows (--missing drop), or leave the column out (--drop b)",
      "drop such rows (“Missing values” drop), or leave the column out (“Left out” b)",
    ],
    ["--min-points and --eps: give one", "“Min points” and “Eps”: give one"],
    [
      "compare lists of numbers with kindred cluster --series s",
      "compare lists of numbers with “Series to compare” s",
    ],
    ["a--b.csv -- as it is", "a--b.csv -- as it is"],
  ] as const)
    assert.equal(plain(said), want);
});

test("only sentences change in an answer, and never what is in the data", () => {
  const answer = {
    id: "--label",
    notes: ["--label uses it"],
    values: [{ name: "--drop", value: "x --drop y" }],
    problem: { detail: "give --scale none", status: 422, errors: null },
  };
  assert.deepEqual(plainly(answer), {
    id: "--label",
    notes: ["“True classes” uses it"],
    values: [{ name: "--drop", value: "x --drop y" }],
    problem: { detail: "give “Scaling” none", status: 422, errors: null },
  });
});
