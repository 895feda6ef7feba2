import assert from "node:assert/strict";
import { test } from "node:test";
import { writeRoute } from "../route";
import { settled } from "../settled";
import { Store } from "../store";
import type { Cluster, Event, Plan } from "../types";
import { came } from "./outcome";
import { hasWords, left, linkWords, regroupOf, rowOf, stepOf } from "./regroup";
import { stand } from "./standing";

test("a plan is asked for once all is chosen", () => {
  const merge = { do: "merge", rows: [3] } as const;
  assert.equal(regroupOf(merge, null, []), null);
  assert.deepEqual(regroupOf(merge, 9, []), { do: "merge", rows: [3, 9] });
  const split = { do: "split", rows: [], row: 7 } as const;
  assert.equal(regroupOf(split, null, [4]), null);
  assert.deepEqual(regroupOf(split, null, [4, 5]), { do: "split", rows: [4, 5] });
  const move = { do: "move", rows: [1, 2] } as const;
  assert.equal(regroupOf(move, null, []), null);
  assert.deepEqual(regroupOf(move, 0, []), { do: "move", rows: [1, 2], to: 0 });
});

test("a group is found by words of its number, name or typical member", () => {
  const group = { cluster: 12, medoid: { id: "r7", text: "Why was I charged?" } } as Cluster;
  for (const words of ["", " ", "FEE", "cash fee", "12", "charged", "r7", "fee char"])
    assert.equal(hasWords(group, "fee, cash", words), true, words);
  for (const words of ["refund", "fee refund", "13"])
    assert.equal(hasWords(group, "fee, cash", words), false, words);
});

test("links are counted by what they say", () => {
  assert.equal(linkWords({ same: 10, apart: 0 }), "10 “same”");
  assert.equal(linkWords({ same: 2, apart: 2 }), "2 “same” and 2 “different”");
  assert.equal(linkWords({ same: 0, apart: 1 }), "1 “different”");
});

const answer = (seq: number, a: string, b: string) =>
  ({ seq, step: "different", a: { row: 1, id: a }, b: { row: 2, id: b } }) as Event;

const plan = (more: Partial<Plan>): Plan =>
  ({
    regroup: { do: "merge", rows: [1, 5] },
    pairs: [
      { a: 1, b: 5, link: "same" },
      { a: 2, b: 6, link: "same" },
    ],
    against: [],
    contradictions: 0,
    objects: 2,
    ...more,
  }) as unknown as Plan;

/** Groups of rows, the first at index 0. */
const groups = (...rows: number[][]) =>
  stand(
    {
      clusters: rows.map(
        (of, i) => ({ cluster: i + 1, size: of.length, medoid: { row: of[0] } }) as Cluster,
      ),
      of: rows.flatMap((of, i) => of.map(() => i + 1)),
      revision: 1,
    },
    rows.flat(),
  );

/** What a server is sent, and what follows once it has taken or refused that. */
async function sentWhere(status: number, p: Plan): Promise<{ sent: unknown[]; done: number }> {
  const stub = (name: string, value: unknown) =>
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  stub("location", { hash: writeRoute("p", "") });
  stub("navigator", {});
  stub(
    "EventSource",
    class {
      addEventListener(): void {}
      close(): void {}
    },
  );
  const sent: unknown[] = [];
  let done = 0;
  const state = { id: "p", revision: 1, fitted: 1 };
  stub("fetch", async (path: string, init: RequestInit) => {
    const name = path.split("/").at(-1)!.split("?")[0]!;
    if (init.method === "GET") return Response.json({ ahead: [] });
    const { id: _, ...body } = JSON.parse(init.body as string) as Record<string, unknown>;
    sent.push({ name, ...body });
    return status !== 200
      ? Response.json({ status, title: "no", detail: "no" }, { status })
      : Response.json({ event: {}, state, turn: { ahead: [] } });
  });
  const store = new Store();
  store.goTo("p");
  store.step(stepOf(p, true, 2), () => done++);
  await settled();
  location.hash = writeRoute("", "");
  store.goTo("");
  return { sent, done };
}

test("the number of groups, and what is taken back, go with the links in one request", async () => {
  const p = plan({ against: [answer(4, "x", "y")] });
  const body = { name: "links", pairs: p.pairs, back: [4], clusters: 2 };
  assert.deepEqual(await sentWhere(200, p), { sent: [body], done: 1 });
  assert.deepEqual(await sentWhere(422, p), { sent: [body], done: 0 });
});

test("a dialog is about a row, and leaves out the group that all rows are of", () => {
  assert.equal(rowOf({ do: "split", rows: [], row: 7 }), 7);
  assert.equal(rowOf({ do: "split", rows: [3, 4] }), 3);
  assert.equal(rowOf({ do: "merge", rows: [3] }), 3);
  assert.equal(rowOf({ do: "move", rows: [3] }), undefined);
  const now = groups([1, 2, 3], [4, 5]);
  assert.equal(left([1, 3], now), 1);
  assert.equal(left([1, 4], now), 0);
  assert.equal(left([5], now), 2);
});

test("what came of a merge is said by the groups that follow", () => {
  assert.match(
    came({ plan: plan({}), back: false, size: 4 }, groups([1, 2, 5, 6])),
    /^They are one group now, of 4/,
  );
  const apart = groups([1, 2], [5, 6]);
  assert.match(
    came({ plan: plan({}), back: false, size: 4 }, apart),
    /^The groups are not one: other links/,
  );
  const against = plan({ against: [answer(1, "three", "nine"), answer(2, "a", "b")] });
  assert.equal(
    came({ plan: against, back: false, size: 4 }, apart),
    "The groups are not one: you answered otherwise about three and nine and 1 other pair.",
  );
  assert.match(
    came({ plan: against, back: true, size: 4 }, apart),
    /^The groups are not one: other links/,
  );
});

test("a merge that only the linked objects follow is not said to be done", () => {
  const some = groups([1, 2, 5, 6, 7], [3, 4, 8, 9]);
  assert.match(
    came({ plan: plan({}), back: false, size: 9 }, some),
    /^Not all of the two came together: their group has 5 objects now, where the two had 9\./,
  );
  const against = plan({ against: [answer(1, "three", "nine")] });
  assert.match(
    came({ plan: against, back: false, size: 9 }, some),
    /where the two had 9: you answered otherwise about three and nine\.$/,
  );
});

test("what came of a split and of a move is said, too", () => {
  const split = plan({ regroup: { do: "split", rows: [1, 2] } });
  assert.match(
    came({ plan: split, back: false, size: 4 }, groups([1], [2])),
    /^The two are in different groups now: group 1 of 1 object and group 2 of 1 object\. There are 2 groups\./,
  );
  assert.match(
    came({ plan: split, back: false, size: 4 }, groups([1, 2])),
    /^The two are still in one group/,
  );
  const move = plan({ regroup: { do: "move", rows: [1, 2], to: 5 } });
  assert.match(
    came({ plan: move, back: false, size: 4 }, groups([5, 6, 1, 2])),
    /^All 2 are in group 1 now/,
  );
  assert.match(
    came({ plan: move, back: false, size: 4 }, groups([5, 6, 1], [2])),
    /^About 1 of 2 objects/,
  );
});
