import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, AwayError } from "./api";
import { Queue } from "./queue";
import { final, Sender } from "./sender";
import { settled } from "./settled";
import type { Clash, Reply, Step } from "./types";

const step = (a: number): Step => ({ kind: "answer", a, b: a + 1, answer: "same" });

/** A server that answers as told, one entry a request; then it takes all. */
function bench(told: (Error | "ok")[]) {
  const log: string[] = [];
  const queue = new Queue(null, "p");
  const sender = new Sender(
    queue,
    {
      post: (id) => {
        const now = told.shift() ?? "ok";
        log.push(`post ${id}`);
        return now === "ok" ? Promise.resolve({} as Reply) : Promise.reject(now);
      },
      wait: () => Promise.resolve(),
      alone: (f) => f(),
    },
    {
      sent: (item) => log.push(`sent ${item.id}`),
      clashed: (item) => log.push(`clashed ${item.id}`),
      dropped: (item) => log.push(`dropped ${item.id}`),
      trouble: () => log.push("trouble"),
      changed: () => {},
    },
  );
  return { queue, sender, log };
}

const problem = (status: number, kind: string, clash?: Clash) =>
  new ApiError(status, { type: `/api/v1/problems/${kind}`, clash });
const clash = { words: "1 = 2, but 1 ≠ 2", chain: [], objects: [] } as unknown as Clash;

test("steps go in order, each until it is taken, under the same id", async () => {
  const b = bench([new AwayError(), problem(409, "opening"), "ok", problem(429, "busy"), "ok"]);
  b.queue.add("x", step(1));
  b.queue.add("y", step(2));
  b.sender.go();
  b.sender.go(); // twice is once
  await settled();
  assert.deepEqual(
    b.log.filter((l) => l !== "trouble"),
    ["post x", "post x", "post x", "sent x", "post y", "post y", "sent y"],
  );
  assert.equal(b.queue.length, 0);
});

test("a step waits for as long as the disk is full, and is sent once there is room", async () => {
  const b = bench([problem(507, "disk-full"), problem(507, "disk-full"), problem(409, "moved")]);
  b.queue.add("x", step(1));
  b.sender.go();
  await settled();
  assert.deepEqual(b.log, [
    ...["post x", "trouble", "post x", "trouble", "post x", "trouble"],
    ...["post x", "sent x"],
  ]);
});

test("a reply that comes after the end is for nobody", async () => {
  for (const [told, left] of [
    ["ok", 0],
    [problem(409, "stale"), 1],
    [new AwayError(), 1],
  ] as const) {
    const b = bench([told]);
    b.queue.add("x", step(1));
    b.sender.go();
    b.sender.stop();
    await settled();
    assert.deepEqual(b.log, ["post x"]);
    assert.equal(b.queue.length, left, "what was refused or not sent waits");
  }
});

test("a contradiction holds the rest until it is settled", async () => {
  const b = bench([problem(409, "contradiction", clash)]);
  b.queue.add("x", step(1));
  b.queue.add("y", step(2));
  b.sender.go();
  await settled();
  assert.deepEqual(b.log, ["post x", "clashed x"]);
  assert.equal(b.queue.length, 2, "a reload meanwhile loses nothing");
  b.queue.remove("x");
  b.sender.go();
  await settled();
  assert.deepEqual(b.log.slice(2), ["post y", "sent y"]);
});

test("a refused step that was undone meanwhile asks nobody", async () => {
  const b = bench([problem(409, "contradiction", clash)]);
  b.queue.add("x", step(1));
  b.queue.add("u", { kind: "undo" });
  b.sender.go();
  await settled();
  assert.deepEqual(b.log, ["post x"]);
  assert.equal(b.queue.length, 0);
});

test("what was overtaken is dropped, and the rest goes on", async () => {
  const b = bench([problem(409, "stale")]);
  b.queue.add("x", step(1));
  b.queue.add("y", step(2));
  b.sender.go();
  await settled();
  assert.deepEqual(b.log, ["post x", "dropped x", "post y", "sent y"]);
});

test("which refusals stand", () => {
  const drop: Step = { kind: "drop", seq: 1 };
  assert.ok(final(step(1), problem(422, "input")));
  assert.ok(final(drop, problem(403, "forbidden")), "someone else's answer");
  assert.ok(final(drop, problem(412, "stale")));
  assert.ok(!final(step(1), problem(401, "token")), "answers wait for a fresh token");
  assert.ok(!final(step(1), problem(404, "not-found")), "answers wait for the project");
  assert.ok(!final(step(1), problem(409, "closed")));
  assert.ok(!final(step(1), problem(500, "")));
  for (const [status, kind] of [
    [507, "disk-full"],
    [409, "unwritable"],
    [409, "moved"],
    [500, "disk-failed"],
    [423, "in-use"],
    [500, "damaged"],
  ] as const)
    assert.ok(!final(drop, problem(status, kind)), `answers wait for the end of ${kind}`);
});

test("a sender that was stopped leaves the rest in the queue", async () => {
  const b = bench([new AwayError()]);
  b.queue.add("x", step(1));
  b.sender.go();
  b.sender.stop();
  await settled();
  assert.equal(b.queue.length, 1);
});

test("a failure of the page itself is said, and tried again after a pause", async (t) => {
  const said = t.mock.method(console, "error", () => {});
  const queue = new Queue(null, "p");
  const log: string[] = [];
  const waits: (() => void)[] = [];
  const sender: Sender = new Sender(
    queue,
    {
      post: () => Promise.resolve({} as Reply),
      wait: () => new Promise((resolve) => waits.push(resolve)),
      alone: (f) => {
        log.push("lock");
        if (log.length < 3) return Promise.reject(new Error("no lock"));
        if (log.length > 9) sender.stop(); // it would go on for ever
        return f();
      },
    },
    {
      sent: (item) => log.push(`sent ${item.id}`),
      clashed: () => {},
      dropped: () => {},
      trouble: () => {},
      changed: () => {},
    },
  );
  queue.add("x", step(1));
  sender.go();
  await settled();
  assert.deepEqual(log, ["lock"]);
  waits.shift()!();
  await settled();
  assert.deepEqual(log, ["lock", "lock"]);
  sender.go(); // at once, as when the person answers again
  await settled();
  assert.deepEqual(log, ["lock", "lock", "lock", "sent x"]);
  assert.equal(said.mock.callCount(), 2);
});
