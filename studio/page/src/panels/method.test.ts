import assert from "node:assert/strict";
import { test } from "node:test";
import type { Method, Strategy } from "../types";
import { fieldsOf, grouped, howOf, nothing, settingsOf, strategiesFor } from "./method";

const method = (name: string, has: Partial<Method> = {}): Method => ({
  name, title: name, source: "", default: "", needsClusters: false, clusters: false, dissimilarity: false, masses: false, strategic: false, superInstances: false,
  takes: [], ...has,
});
const cobra = method("cobra", { superInstances: true });
const ncobras = method("ncobras", { takes: ["error-rate"] });
const mpck = method("mpckmeans", { needsClusters: true, clusters: true, strategic: true });

test("a method is asked about what means something to it, and nothing else", () => {
  assert.deepEqual(fieldsOf(undefined), ["clusters", "super-instances"], "the data choose");
  assert.deepEqual(fieldsOf(cobra), ["super-instances"]);
  assert.deepEqual(fieldsOf(ncobras), ["error-rate"]);
  assert.deepEqual(fieldsOf(mpck), ["strategy", "clusters"]);
});

test("what was said of another method is not sent along", () => {
  const how = { ...nothing, method: "mpckmeans", clusters: " 3 ", strategy: "npu", "super-instances": "40" };
  assert.deepEqual(settingsOf(how, mpck), { method: "mpckmeans", clusters: "3", strategy: "npu" });
  assert.deepEqual(settingsOf({ ...how, method: "cobra" }, cobra), { method: "cobra", "super-instances": "40" });
  assert.deepEqual(settingsOf(nothing, undefined), {});
});

test("what is cleared becomes the usual value again", () => {
  const before = howOf("mpckmeans", { strategy: "npu", clusters: "3", "super-instances": "0", "error-rate": "0" });
  assert.deepEqual(before, { ...nothing, method: "mpckmeans", strategy: "npu", clusters: "3" });
  assert.deepEqual(settingsOf({ ...before, strategy: "" }, mpck, before), { method: "mpckmeans", strategy: "", clusters: "3" });
  const set = howOf("ncobras", { "error-rate": "0.2" });
  assert.deepEqual(settingsOf({ ...set, "error-rate": "" }, ncobras, set), { method: "ncobras", "error-rate": "0" });
});

test("recommended methods come first, all others by title", () => {
  const all = [cobra, method("cvqe", { title: "CVQE" }), method("evclus"), method("cop", { title: "COP" }), method("cobras"), method("nb", { title: "bayes" })];
  const [first, others] = grouped(all);
  assert.deepEqual(first.map((m) => m.name), ["cobras", "cobra", "evclus"]);
  assert.deepEqual(others.map((m) => m.name), ["nb", "cop", "cvqe"]);
});

test("a strategy that goes by masses is offered where the method gives some", () => {
  const strategy = (name: string, needsMasses = false): Strategy => ({ name, title: "", needsClusters: false, needsMasses, refits: false });
  const all = [strategy("npu"), strategy("nonspecificity", true)];
  assert.deepEqual(strategiesFor(mpck, all).map((s) => s.name), ["npu"]);
  assert.deepEqual(strategiesFor(method("cecm", { masses: true }), all).map((s) => s.name), ["npu", "nonspecificity"]);
});
