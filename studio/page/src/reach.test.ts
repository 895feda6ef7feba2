import { strictEqual, ok } from "node:assert/strict";
import { mock, test } from "node:test";
import { type Api, ApiError } from "./api";
import { Reach } from "./reach";

test("a project that opens is asked for ever more rarely, and at once when it is heard of", (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  let asked = 0;
  const problem = { type: "https://kindred.example/problems/opening", title: "", status: 409 };
  const still = new ApiError(409, { ...problem, detail: "" });
  strictEqual(still.kind, "opening");
  const reach = new Reach({} as Api, {
    project: () => "p",
    live: () => null,
    stateOf: () => undefined,
    refreshTurn: () => {
      asked++;
      reach.trouble(still);
    },
  });
  reach.trouble(still);
  for (let s = 0; s < 60; s++) mock.timers.tick(1000);
  ok(asked >= 4 && asked <= 14, `asked ${asked} times in a minute`);
  reach.heard();
  const before = asked;
  reach.trouble(still);
  mock.timers.tick(400);
  strictEqual(asked, before + 1);
});

test("a project that is known to be opening is not looked for when its events end", () => {
  let looked = 0;
  const api = {
    state: () => {
      looked++;
      return Promise.resolve({});
    },
  } as unknown as Api;
  let state: "opening" | "open" = "opening";
  const reach = new Reach(api, {
    project: () => "p",
    live: () => null,
    stateOf: () => state,
    refreshTurn: () => undefined,
  });
  reach.lost("p");
  strictEqual(looked, 0);
  state = "open";
  reach.lost("p");
  strictEqual(looked, 1);
});
