import assert from "node:assert/strict";
import { test } from "node:test";
import { mark, type Scrolls, sides } from "./cue";

const still: Scrolls = {
  scrollTop: 0,
  scrollLeft: 0,
  scrollWidth: 100,
  scrollHeight: 100,
  clientWidth: 100,
  clientHeight: 100,
  dataset: {},
};

test("the sides on which an element has more", () => {
  assert.equal(sides(still), "");
  assert.equal(sides({ ...still, scrollHeight: 102 }), "");
  assert.equal(sides({ ...still, scrollHeight: 300, scrollWidth: 150 }), "down right");
  assert.equal(sides({ ...still, scrollHeight: 300, scrollTop: 50 }), "up down");
  assert.equal(sides({ ...still, scrollWidth: 150, scrollLeft: 50 }), "left");
});

test("all elements are measured before one is marked, and marked alone where that changed", () => {
  const done: string[] = [];
  const element = (name: string, more: string): Scrolls => ({
    ...still,
    get scrollHeight() {
      done.push(`measure ${name}`);
      return 300;
    },
    dataset: new Proxy<Record<string, string | undefined>>(
      { more },
      {
        set(target, key, value) {
          done.push(`mark ${name}`);
          return Reflect.set(target, key, value);
        },
      },
    ),
  });
  const all = [element("a", ""), element("b", "down"), element("c", "up")];
  mark(all);
  assert.deepEqual(done, ["measure a", "measure b", "measure c", "mark a", "mark c"]);
  assert.deepEqual(
    all.map((e) => e.dataset["more"]),
    ["down", "down", "down"],
  );
});
