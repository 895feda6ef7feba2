import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { writeRoute } from "../route";
import { glance } from "../sight";
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
      if (init.method === "GET") return Response.json(this.turn);
      this.sent.push({ path: path.split("/").at(-1)!, ...JSON.parse(init.body as string) });
      this.revision++;
      return Response.json({ event: {}, state: this.state, turn: this.turn });
    });
  }

  get state(): State {
    return { id: "p", revision: this.revision, fitted: this.revision, fitting: false } as State;
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

  get shown(): string {
    const asked = this.store.asked.value;
    return asked === null ? "" : `${asked.question.a.row}-${asked.about.row}`;
  }

  /** What the server has of the steps, as "answers 1-2 same". */
  get took(): string[] {
    return this.sent.map(({ path, a, b, answer }) => `${path} ${a}-${b} ${answer ?? ""}`.trim());
  }

  get said(): string {
    return this.store.notice.value?.text ?? "";
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

const names = ["location", "navigator", "EventSource", "fetch"];
let before: (PropertyDescriptor | undefined)[] = [];
let b: Bench;
beforeEach(async () => {
  before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  b = new Bench();
  await b.ask(ask(1, 2));
  b.draw(1000);
});
afterEach(() => {
  names.forEach((name, i) => {
    const was = before[i];
    if (was === undefined) delete (globalThis as Record<string, unknown>)[name];
    else Object.defineProperty(globalThis, name, was);
  });
});

test("a key pressed while the pair changes of itself counts for the one in sight", async () => {
  await b.ask(ask(3, 4));
  act(b.store, "same", 2000); // the screen still has the first pair
  await settled();
  assert.deepEqual(b.took, ["answers 1-2 same"]);
  assert.match(b.said, /^Counted for the pair before: 1 and 2/);
  assert.equal(b.shown, "3-4", "the next pair stays, unanswered");
  b.draw(2010);
  act(b.store, "different", 2005); // came late to the page: it was pressed before
  await settled();
  assert.equal(b.sent.length, 1, "the first pair is answered once");
  assert.match(b.said, /^Not counted: the pair had just changed/);
  act(b.store, "different", 2010 + glance);
  await settled();
  assert.deepEqual(b.took, ["answers 1-2 same", "answers 3-4 different"]);
  assert.equal(b.said, "", "what was said of the refused key is over");
});

test("a key pressed before the new pair can have been seen is refused on the page", async () => {
  await b.ask(ask(3, 4));
  b.draw(2000);
  for (const action of ["same", "different", "unknown", "skip", "bad"] as const) {
    b.store.notice.value = null;
    act(b.store, action, 2000 + glance - 1);
    assert.match(b.said, /^Not counted/, action);
  }
  await settled();
  assert.deepEqual(b.took, []);
  assert.equal(b.store.dialog.value, null);
});

test("the second of two quick keys does not answer the pair that the first brought", async () => {
  await b.ask(ask(1, 2), ask(3, 4));
  act(b.store, "same", 1400);
  assert.equal(b.shown, "3-4");
  act(b.store, "same", 1410); // before the next pair is drawn
  assert.match(b.said, /^Not counted/);
  b.draw(1420);
  act(b.store, "same", 1500); // before it can have been seen
  await settled();
  assert.deepEqual(b.took, ["answers 1-2 same"]);
});

test("don't know, skip and bad data go to the pair that was in sight, too", async () => {
  await b.ask(ask(3, 4));
  act(b.store, "bad", 2000);
  const [one, two] = [
    { row: 1, id: "1" },
    { row: 2, id: "2" },
  ];
  assert.deepEqual(b.store.dialog.value, { kind: "bad", a: one, b: two });
  act(b.store, "skip", 2001);
  await settled();
  await b.ask(ask(5, 6));
  b.draw(3000);
  await b.ask(ask(7, 8));
  act(b.store, "unknown", 4000);
  await settled();
  assert.deepEqual(b.took, ["skips 1-2", "answers 5-6 unknown"]);
});

test("a key where nothing is asked says so", () => {
  b.store.question.value = null;
  b.draw(2000);
  act(b.store, "same", 2001);
  assert.match(b.said, /^Not counted: there was no pair in sight/);
});

test("a reference is chosen of the object in sight alone, and answered about at once", async () => {
  await b.ask(ask(1, 2, [2, 9]));
  b.store.refer(1, 1400);
  assert.equal(b.shown, "1-9");
  act(b.store, "same", 1401);
  await settled();
  assert.deepEqual(b.took, ["answers 1-9 same"]);

  await b.ask(ask(3, 4, [4, 8]));
  b.draw(2000);
  await b.ask(ask(5, 6, [6, 7]));
  b.store.refer(1, 3000); // of the object that is still on the screen
  assert.match(b.said, /^Not counted/);
  act(b.store, "same", 3001); // belongs to that choice
  await settled();
  assert.equal(b.sent.length, 1);
  assert.equal(b.shown, "5-6");
});
