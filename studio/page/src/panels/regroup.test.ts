import assert from "node:assert/strict";
import { test } from "node:test";
import { writeRoute } from "../route";
import { Store } from "../store";
import type { Cluster, Plan } from "../types";
import { clusterOf, linkWords, regroupOf, take } from "./regroup";

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

/** What is sent when a merge is done, with a number of groups to find from now on. */
async function sentWhere(status: number): Promise<string[]> {
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
  const sent: string[] = [];
  const state = { id: "p", revision: 1, fitted: 1 };
  stub("fetch", async (path: string, init: RequestInit) => {
    const name = path.split("/").at(-1)!.split("?")[0]!;
    if (init.method === "GET") return Response.json({ ahead: [] });
    sent.push(name);
    return name === "links" && status !== 200
      ? Response.json({ status, title: "no", detail: "no" }, { status })
      : Response.json({ event: {}, state, turn: { ahead: [] } });
  });
  const store = new Store();
  store.goTo("p");
  const pairs = [{ a: 1, b: 2, link: "same" }];
  take(store, { pairs, same: 1, apart: 0, contradictions: 0 } as unknown as Plan, 2);
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setTimeout(resolve));
  location.hash = writeRoute("", "");
  store.goTo("");
  return sent;
}

test("the number of groups is set once a merge is taken, and not where it is refused", async () => {
  assert.deepEqual(await sentWhere(200), ["links", "settings"]);
  assert.deepEqual(await sentWhere(422), ["links"]);
});

test("a group is known by its row when the numbers of groups have changed", () => {
  const group = (cluster: number, ...rows: number[]) =>
    ({ cluster, medoid: { row: rows[0] }, members: rows.map((row) => ({ row })) }) as Cluster;
  const merge = { do: "merge", rows: [3], cluster: 1 } as const;
  assert.equal(clusterOf(merge, []), 1);
  assert.equal(clusterOf(merge, [group(1, 3, 4), group(2, 7)]), 1);
  assert.equal(clusterOf(merge, [group(1, 7, 8), group(2, 4, 3)]), 2);
  assert.equal(clusterOf({ do: "split", rows: [], cluster: 2 }, [group(1, 3)]), 2);
  assert.equal(clusterOf({ do: "move", rows: [3] }, [group(1, 3)]), undefined);
});
