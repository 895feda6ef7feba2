import assert from "node:assert/strict";
import { test } from "node:test";
import type { Column } from "../types";
import {
  entryOf,
  meaningful,
  readList,
  roleOf,
  rolesOf,
  withEntry,
  withKept,
  withRole,
  writeList,
} from "./roles";

const column = (name: string, role: string, more: Partial<Column> = {}): Column => ({
  name,
  role,
  type: "number",
  missing: 0,
  ...more,
});

test("lists are lines of CSV", () => {
  for (const names of [["a", "b"], ['say "hi", you', "b"], ["a,b"], [" a", ""], []])
    assert.deepEqual(readList(writeList(names)), names);
});

test("a column is taken out of all settings before it is put into another", () => {
  const a = column("a", "feature");
  assert.deepEqual(withRole({}, a, "drop", ["a", "b"]), { drop: "a" });
  assert.deepEqual(withRole({ drop: "a" }, column("a", "unused"), "label", ["b"]), { label: "a" });
  assert.deepEqual(withRole({ label: "a", scale: "none" }, column("a", "label"), "id", ["b"]), {
    id: "a",
    scale: "none",
  });
  assert.deepEqual(withRole({ text: "t" }, column("s", "unused"), "series", []), { series: "s" });
});

test("one more is compared beside those that are", () => {
  assert.deepEqual(withRole({}, column("zip", "unused"), "features", ["a", "b,c"]), {
    features: 'a,"b,c",zip',
  });
  assert.deepEqual(
    withRole({ features: "a,zip" }, column("zip", "feature"), "drop", ["a", "zip"]),
    { features: "a", drop: "zip" },
  );
  assert.deepEqual(withRole({ features: "a,zip" }, column("a", "feature"), "label", ["a", "zip"]), {
    features: "zip",
    label: "a",
  });
});

test("what a column can be for follows from what it holds", () => {
  assert.deepEqual(rolesOf(column("x", "feature"), {}), ["features", "id", "label", "drop"]);
  const text = column("t", "unused", { type: "text", examples: [{ value: "a.png" }] });
  assert.deepEqual(rolesOf(text, {}), ["features", "id", "label", "text", "images", "drop"]);
  const lists = column("v", "unused", { type: "text", why: "holds lists" });
  assert.deepEqual(rolesOf(lists, {}), ["vectors", "series", "drop"]);
  assert.equal(roleOf(lists, { series: "v" }), "series");
});

test("types and weights are said of one column", () => {
  const values = withEntry({ types: "a=text" }, "types", "zip", "category");
  assert.deepEqual(values, { types: "a=text,zip=category" });
  assert.equal(entryOf(values, "types", "zip"), "category");
  assert.deepEqual(withEntry(values, "types", "a", ""), { types: "zip=category" });
  assert.deepEqual(withEntry({ types: "a=text" }, "types", "a", ""), {});
});

test("nothing is said of features where none are compared", () => {
  const said = { features: "a,b", "column-weights": "a=2", drop: "c", scale: "zscore" };
  assert.deepEqual(meaningful(said), said);
  for (const by of ["text", "series", "images", "embedding"])
    assert.deepEqual(meaningful({ ...said, [by]: "t" }), { drop: "c", scale: "zscore", [by]: "t" });
  assert.deepEqual(meaningful({ ...said, dissimilarity: "true" }), {
    scale: "zscore",
    dissimilarity: "true",
  });
  const text = column("t", "text");
  const values = withRole({ "column-weights": "a=2" }, text, "text", []);
  assert.deepEqual(meaningful(values), { text: "t" });
  assert.deepEqual(withRole(values, column("a", "unused"), "features", []), {
    features: "a",
    "column-weights": "a=2",
  });
});

test("what was said of columns stays for those that are still there", () => {
  const kept = {
    id: "nr",
    label: "gone",
    drop: "y,gone",
    features: "gone",
    types: "zip=text,gone=text",
    "column-weights": 'x=2,"a,b=3"',
  };
  assert.deepEqual(withKept({ sheet: "two" }, kept, ["nr", "x", "y", "zip", "a,b"]), {
    sheet: "two",
    id: "nr",
    drop: "y",
    types: "zip=text",
    "column-weights": 'x=2,"a,b=3"',
  });
  // What was said since counts more.
  assert.deepEqual(withKept({ id: "y" }, { id: "nr", drop: "y" }, ["nr", "y"]), { id: "y" });
  assert.deepEqual(withKept({ text: "t" }, { series: "s" }, ["s", "t"]), { text: "t" });
});
