import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { writeRoute } from "../route";
import { settled } from "../settled";
import { bounce } from "../sight";
import { Store } from "../store";
import type { Question, State, Turn } from "../types";
import { act } from "./use";

const ask = (a: number, b: number, references: number[] = []): Question => ({
  number: 1,
  a: { row: a, id: `${a}` },
  b: { row: b, id: `${b}` },
  why: "",
  source: "method",
  ...(references.length === 0
    ? {}
    : {
        group: {
          may: [1],
          outlier: false,
          ask: 0,
          references: references.map((row) => {
            return { card: { row, id: `${row}` }, cluster: 1, dissimilarity: 1 };
          }),
        },
      }),
});

const stub = (name: string, value: unknown) =>
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

/** A server that keeps what it is sent, and a store on it whose screen a test draws. */
class Bench {
  turn: Turn = { ahead: [] };
  /** The pair that the page has on the screen, as the server heard of it last. */
  showing = "";
  readonly sent: { path: string; a: number; b: number; answer?: string }[] = [];
  readonly store = new Store();
  private revision = 1;
  private readonly sources: Map<string, (e: { data: string }) => void>[] = [];

  constructor() {
    const { sources } = this;
    stub("location", { hash: "" });
    stub("navigator", {});
    stub(
      "EventSource",
      class {
        static readonly OPEN = 1;
        readonly readyState = 1;
        readonly heard = new Map<string, (e: { data: string }) => void>();
        constructor() {
          sources.push(this.heard);
        }
        addEventListener(name: string, hear: (e: { data: string }) => void): void {
          this.heard.set(name, hear);
        }
        close(): void {}
      },
    );
    stub("fetch", async (path: string, init: RequestInit) => {
      const [name, query] = path.split("/").at(-1)!.split("?") as [string, string?];
      this.showing = new URLSearchParams(query).get("shown") ?? "";
      if (init.method === "GET") return Response.json(this.turn);
      this.sent.push({ path: name, ...JSON.parse(init.body as string) });
      this.revision++;
      return Response.json({ event: {}, state: this.state, turn: this.turn });
    });
  }

  get state(): State {
    const { revision } = this;
    const can = { canUndo: true, canRedo: true };
    return { id: "p", revision, fitted: revision, fitting: false, ...can } as State;
  }

  /** Asks a question, of itself, as when somebody else has answered the one before. */
  async ask(...questions: Question[]): Promise<void> {
    const [question, ...ahead] = questions;
    this.turn = { question, ahead };
    this.revision++;
    if (this.sources.length === 0) {
      location.hash = writeRoute("p", "");
      this.store.goTo("p");
    } else this.sources.at(-1)!.get("state")!({ data: JSON.stringify(this.state) });
    await settled();
  }

  /** Draws what the store asks. */
  draw(at: number): void {
    this.store.sight.show(this.store.asked.value, at);
  }

  /** Leaves the project, so that nothing is sent any more once the server is gone. */
  async close(): Promise<void> {
    location.hash = writeRoute("", "");
    this.store.goTo("");
    await settled();
  }

  get shown(): string {
    const asked = this.store.asked.value;
    return asked === null ? "" : `${asked.question.a.row}-${asked.about.row}`;
  }

  /** What the server has of the steps, as "answers 1-2 same". */
  get took(): string[] {
    return this.sent.map(({ path, a, b, answer }) =>
      `${path} ${a === undefined ? "" : `${a}-${b}`} ${answer ?? ""}`.trim(),
    );
  }

  get said(): string {
    return this.store.notice.value?.text ?? "";
  }

  /** What is said of keys that were not counted. */
  get refused(): string {
    return this.store.refused.value?.text ?? "";
  }
}

const names = ["location", "navigator", "EventSource", "fetch"];
let before: (PropertyDescriptor | undefined)[] = [];
let b: Bench;
beforeEach(async () => {
  before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  b = new Bench();
  await b.ask(ask(1, 2));
  b.draw(1000);
});
afterEach(async () => {
  await b.close();
  names.forEach((name, i) => {
    const was = before[i];
    if (was === undefined) delete (globalThis as Record<string, unknown>)[name];
    else Object.defineProperty(globalThis, name, was);
  });
});

test("a pair on the screen stays when the server asks another one, and the key counts", async () => {
  await b.ask(ask(3, 4));
  assert.equal(b.shown, "1-2");
  assert.equal(b.showing, "1-2", "the server knows what is on the screen");
  act(b.store, "same", 2000);
  await settled();
  assert.deepEqual(b.took, ["answers 1-2 same"]);
  assert.equal(b.shown, "3-4", "the person went on");
  assert.equal(b.showing, "3-4");
  b.draw(2010);
  act(b.store, "different", 2005); // came late to the page: it was pressed before
  await settled();
  assert.equal(b.sent.length, 1, "the first pair is answered once");
  assert.match(b.refused, /^Not counted: it came with the key before/);
  act(b.store, "different", 2000 + bounce);
  await settled();
  assert.deepEqual(b.took, ["answers 1-2 same", "answers 3-4 different"]);
  assert.match(b.refused, /^Not counted/, "what was said can still be read");
});

test("ten answers a second find a pair each, and each is sent", async () => {
  const all = Array.from({ length: 61 }, (_, i) => ask(2 * i + 1, 2 * i + 2));
  for (let i = 0; i < 60; i++) {
    if (i % 6 === 0) await b.ask(...all.slice(i, i + 13)); // the server follows now and then
    b.draw(2000 + 100 * i - 70);
    act(b.store, i % 2 === 0 ? "same" : "different", 2000 + 100 * i);
  }
  await settled();
  assert.equal(b.refused, "");
  const want = all.slice(0, 60).map((q, i) => {
    return `answers ${q.a.row}-${q.b.row} ${i % 2 === 0 ? "same" : "different"}`;
  });
  assert.deepEqual(b.took, want);
});

test("the second of two quick keys does not answer the pair that the first brought", async () => {
  await b.ask(ask(1, 2), ask(3, 4));
  act(b.store, "same", 1400);
  assert.equal(b.shown, "3-4");
  act(b.store, "same", 1410); // before the next pair is drawn
  assert.match(b.refused, /^Not counted: it came with the key before/);
  act(b.store, "same", 1400 + bounce); // nor now
  assert.match(b.refused, /^Not counted: you had answered that pair/);
  act(b.store, "skip", 1400 + bounce);
  assert.equal(b.store.refused.value?.times, 2);
  await settled();
  assert.deepEqual(b.took, ["answers 1-2 same"]);
});

test("where the next question is yet to come, a key is refused", async () => {
  act(b.store, "same", 2000);
  assert.equal(b.shown, "");
  b.store.sight.show(null, 2010, "looking");
  act(b.store, "same", 2100);
  assert.match(b.refused, /^Not counted: the next question was not here yet/);
  await settled();
  assert.deepEqual(b.took, ["answers 1-2 same"]);
});

test("don't know, skip and bad data go to the pair that was in sight, too", async () => {
  b.store.question.value = ask(3, 4); // about to be drawn
  act(b.store, "bad", 2000);
  const [one, two] = [
    { row: 1, id: "1" },
    { row: 2, id: "2" },
  ];
  assert.deepEqual(b.store.dialog.value, { kind: "bad", a: one, b: two });
  act(b.store, "skip", 2100);
  assert.match(b.said, /^Counted for the pair before: 1 and 2/);
  assert.equal(b.shown, "3-4", "the next pair stays");
  await settled();
  b.draw(3000);
  b.store.question.value = ask(7, 8);
  act(b.store, "unknown", 4000);
  await settled();
  assert.deepEqual(b.took, ["skips 1-2", "answers 3-4 unknown"]);
});

test("a key where nothing is asked says so", () => {
  b.store.question.value = null;
  b.draw(2000);
  act(b.store, "same", 2001);
  assert.match(b.refused, /^Not counted: there was no question/);
});

test("a pair whose answer is not needed stays until the person goes on, and may be answered", async () => {
  const moot = { words: "bob answered this pair meanwhile: same." };
  await b.ask({ ...ask(1, 2), moot }, ask(3, 4), ask(5, 6));
  assert.equal(b.shown, "1-2");
  assert.deepEqual(b.store.question.value?.moot, moot);
  act(b.store, "skip", 2000);
  assert.equal(b.shown, "3-4");
  await settled();
  assert.deepEqual(b.took, [], "that is no step");
  assert.equal(b.showing, "3-4");
  b.draw(2010);
  await b.ask({ ...ask(3, 4), moot }, ask(5, 6));
  act(b.store, "same", 3000);
  await settled();
  assert.deepEqual(b.took, ["answers 3-4 same"]);
  b.draw(3010);
  await b.ask({ ...ask(5, 6), moot: { words: "5 was left out.", closed: true } }, ask(7, 8));
  act(b.store, "same", 4000);
  assert.equal(b.refused, "Not counted: 5 was left out. Press k to go on.");
  assert.equal(b.shown, "5-6");
  act(b.store, "skip", 5000);
  assert.equal(b.shown, "7-8");
  await settled();
  assert.equal(b.sent.length, 1);
});

test("undo and redo come back to the same pair at once, whatever was sent", async () => {
  await b.ask(ask(1, 2), ask(3, 4), ask(5, 6), ask(7, 8));
  act(b.store, "same", 2000); // on its way to the server
  b.draw(2010);
  act(b.store, "different", 2100); // waits
  assert.equal(b.shown, "5-6");
  for (const pair of ["3-4", "1-2"]) {
    act(b.store, "undo", 2200);
    assert.equal(b.shown, pair);
  }
  for (const pair of ["3-4", "5-6"]) {
    act(b.store, "redo", 2300);
    assert.equal(b.shown, pair);
  }
  await settled();
  assert.deepEqual(b.took, ["answers 1-2 same", "undo", "redo", "answers 3-4 different"]);
  act(b.store, "undo", 3000); // both are with the server now
  assert.equal(b.shown, "3-4");
  await b.ask(ask(9, 8)); // another fit asks something else
  assert.equal(b.shown, "3-4");
  act(b.store, "redo", 4000);
  assert.equal(b.shown, "5-6");
  await settled();
  assert.deepEqual(b.took.slice(4), ["undo", "redo"]);
  assert.equal(b.shown, "5-6");
});

test("what the page cannot know of an undo comes with the reply", async () => {
  b.turn = { question: ask(7, 8), ahead: [] };
  b.store.undo();
  assert.equal(b.shown, "");
  await settled();
  assert.equal(b.shown, "7-8");
});

test("what was said of a step goes with it, and what went wrong stays", async () => {
  for (const act of ["undo", "redo"] as const)
    for (const tone of ["plain", "bad"] as const) {
      b.store.say("They are one group now.", tone);
      b.store[act]();
      assert.equal(b.said, tone === "bad" ? "They are one group now." : "");
    }
  await settled();
});

test("a pair of choice gives way to the question that was there before", async () => {
  await b.ask(ask(1, 2), ask(3, 4));
  const card = (row: number) => ({ row, id: `${row}` });
  b.store.api.objects = async (_, rows) => rows.map((row) => ({ card: card(row) }) as never);
  await b.store.pose(7, 9);
  assert.equal(b.shown, "7-9");
  b.draw(2000);
  act(b.store, "same", 2100);
  assert.equal(b.shown, "1-2");
  act(b.store, "undo", 2200);
  assert.equal(b.shown, "7-9");
  assert.ok(b.store.posed.value);
  act(b.store, "redo", 2300);
  assert.equal(b.shown, "1-2");
  assert.ok(!b.store.posed.value);
});

test("a reference is chosen of the object in sight alone, and answered about at once", async () => {
  await b.ask(ask(1, 2, [2, 9]));
  act(b.store, "skip", 1000);
  b.draw(1001);
  await b.ask(ask(1, 2, [2, 9]));
  b.draw(1002);
  b.store.refer(1, 1400);
  assert.equal(b.shown, "1-9");
  await b.ask(ask(1, 2, [9, 2]));
  assert.equal(b.shown, "1-9", "a fit does not move what is chosen");
  act(b.store, "same", 1401);
  await settled();
  assert.deepEqual(b.took, ["skips 1-2", "answers 1-9 same"]);

  await b.ask(ask(3, 4, [4, 8]));
  b.draw(2000);
  b.store.question.value = ask(5, 6, [6, 7]);
  b.store.refer(1, 3000); // of the object that is still on the screen
  assert.match(b.refused, /^Not counted: that object is no longer/);
  act(b.store, "same", 3001); // belongs to that choice
  await settled();
  assert.equal(b.sent.length, 2);
  assert.equal(b.shown, "5-6");
});
