import assert from "node:assert/strict";
import { test } from "node:test";
import { labelOf } from "../names";
import type { Method, Param, Strategy } from "../types";
import { grouped, howOf, nothing, numbersOf, paramsOf, settingsOf, strategiesFor } from "./method";

const param = (name: string, has: Partial<Param> = {}): Param => ({
  name,
  type: "integer",
  help: "",
  range: "",
  basic: false,
  ...has,
});
const method = (name: string, has: Partial<Method> = {}): Method => ({
  name,
  title: name,
  source: "",
  default: "",
  needsClusters: false,
  clusters: false,
  dissimilarity: false,
  masses: false,
  strategic: false,
  superInstances: false,
  takes: [],
  params: [],
  ...has,
});
const cobra = method("cobra", {
  params: [
    param("starts"),
    param("super-instances", { default: "50", basic: true }),
    param("seed", { default: "0" }),
  ],
});
const mpck = method("mpckmeans", {
  needsClusters: true,
  strategic: true,
  params: [
    param("clusters", { basic: true }),
    param("link-weight", { type: "number", basic: true }),
    param("starts"),
    param("strategy", { type: "choice" }),
  ],
});

test("a method is asked about its parameters, those first that people set first", () => {
  const names = (m?: Method) => paramsOf(m).map((some) => some.map((p) => p.name));
  assert.deepEqual(names(), [["clusters", "super-instances"], []], "the data choose");
  assert.deepEqual(names(cobra), [["super-instances"], ["starts", "seed"]]);
  assert.deepEqual(names(mpck), [["strategy", "clusters", "link-weight"], ["starts"]]);
});

test("what was said of another method is not sent along", () => {
  const how = {
    method: "mpckmeans",
    values: { clusters: " 3 ", strategy: "npu", "super-instances": "40" },
  };
  assert.deepEqual(settingsOf(how, mpck), { method: "mpckmeans", clusters: "3", strategy: "npu" });
  assert.deepEqual(settingsOf({ ...how, method: "cobra" }, cobra), {
    method: "cobra",
    "super-instances": "40",
  });
  assert.deepEqual(settingsOf(nothing, undefined), {});
});

test("defaults are not said, and what is cleared becomes the default again", () => {
  const before = howOf(
    "cobra",
    { "super-instances": "50", seed: "7", starts: "", scale: "zscore" },
    cobra,
  );
  assert.deepEqual(before, { method: "cobra", values: { seed: "7" } });
  assert.deepEqual(settingsOf({ ...before, values: { seed: "" } }, cobra, before), {
    method: "cobra",
    seed: "",
  });
  assert.deepEqual(
    howOf("cobra", { seed: "7" }, undefined),
    { method: "cobra", values: {} },
    "until the server has told",
  );
});

test("bounds and labels follow from the declaration", () => {
  assert.deepEqual(numbersOf(param("share", { type: "number", exclusiveMinimum: 0, maximum: 1 })), {
    step: "any",
    min: 0,
    max: 1,
  });
  assert.deepEqual(numbersOf(param("starts", { minimum: 1 })), { step: 1, min: 1 });
  assert.deepEqual(["clusters", "super-instances", "link-weight"].map(labelOf), [
    "Number of groups",
    "Super-instances",
    "Link weight",
  ]);
});

test("recommended methods come first, all others by title", () => {
  const all = [
    cobra,
    method("cvqe", { title: "CVQE" }),
    method("evclus"),
    method("cop", { title: "COP" }),
    method("cobras"),
    method("nb", { title: "bayes" }),
  ];
  const [first, others] = grouped(all);
  assert.deepEqual(
    first.map((m) => m.name),
    ["cobras", "cobra", "evclus"],
  );
  assert.deepEqual(
    others.map((m) => m.name),
    ["nb", "cop", "cvqe"],
  );
});

test("a strategy that goes by masses is offered where the method gives some", () => {
  const strategy = (name: string, needsMasses = false): Strategy => ({
    name,
    title: "",
    needsClusters: false,
    needsMasses,
    refits: false,
  });
  const all = [strategy("npu"), strategy("nonspecificity", true)];
  assert.deepEqual(
    strategiesFor(mpck, all).map((s) => s.name),
    ["npu"],
  );
  assert.deepEqual(
    strategiesFor(method("cecm", { masses: true }), all).map((s) => s.name),
    ["npu", "nonspecificity"],
  );
});
