// The one store of the page: what the server says, what waits to be sent, what is on the screen.

import { batch, computed, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { Api, ApiError, newID, wholeState } from "./api";
import { Live } from "./live";
import type { Wish } from "./panels/regroup";
import { compare } from "./parts/compare";
import { alone, shelf } from "./kept";
import { Queue, type Item } from "./queue";
import { Reach } from "./reach";
import { Sender } from "./sender";
import { type Asked, type Refusal, samePair, Sight } from "./sight";
import { Trail, type Where } from "./trail";
import { isTrouble, Troubled } from "./trouble";
import { pick } from "./turns";
import { readRoute, writeRoute } from "./route";
import { Theme } from "./theme";
import type {
  Card,
  Clash,
  LinkKind,
  Me,
  Panel,
  Progress,
  Project,
  Question,
  Reply,
  State,
  Step,
  Turn,
} from "./types";

/** A dialog that is open. */
export type Dialog =
  | { kind: "clash"; item: Item; clash: Clash }
  | { kind: "help" }
  | { kind: "welcome" }
  | { kind: "regroup"; wish: Wish }
  | { kind: "bad"; a: Card; b: Card };

/** A passing message. */
export interface Notice {
  text: string;
  tone: "good" | "plain" | "bad";
}

/** What is said of keys and clicks that were not counted. */
export interface Refused {
  text: string;
  /** How many of them in a row. */
  times: number;
}

export type Saved = "saved" | "saving" | "waiting";

export class Store {
  readonly api = new Api();
  readonly me = signal<Me | null>(null);
  readonly projects = signal<Project[] | null>(null);
  /** Id of the project on the screen, "" for none. */
  readonly project = signal("");
  readonly state = signal<State | null>(null);
  readonly turn = signal<Turn | null>(null);
  /**
   * The turn is of before what the state is of, so that it cannot say that nothing is left to ask.
   */
  readonly stale = signal(false);
  /** The question on the screen: of the turn, or one that the person chose. */
  readonly question = signal<Question | null>(null);
  /** The question is one that the person chose, by pose. */
  readonly posed = signal(false);
  /** Of an uncertain object, the reference that the person chose to answer about. */
  private readonly chosen = signal(-1);
  /** What is asked: the question, and the reference that is answered about. */
  readonly asked = computed<Asked | null>(() => {
    const question = this.question.value;
    if (question === null) return null;
    const references = question.group?.references ?? [];
    const own = references.find((r) => r.card.row === this.chosen.value);
    const about = (own ?? references[question.group?.ask ?? 0])?.card ?? question.b;
    return { question, about, posed: this.posed.value };
  });
  /** What the screen shows, and what it showed before. */
  readonly sight = new Sight();
  readonly progress = signal<Progress | null>(null);
  /** Rows that are selected on the map or in a list. */
  readonly selected = signal<number[]>([]);
  readonly panel = signal<Panel>("map");
  /** On narrow screens either the question or the panels are in sight. */
  readonly view = signal<"question" | "panel">("question");
  readonly dialog = signal<Dialog | null>(null);
  readonly notice = signal<Notice | null>(null);
  readonly refused = signal<Refused | null>(null);
  private readonly reach = new Reach(this.api, {
    project: () => this.project.value,
    live: () => this.live,
    stateOf: (project) => this.stateOf(project),
    refreshTurn: () => void this.refreshTurn(),
  });
  readonly connection = this.reach.connection;
  readonly obstacle = this.reach.obstacle;
  /** Why the project cannot be opened, where that may pass. */
  readonly unopened = this.reach.troubled.now;
  private readonly troubled = new Troubled();
  /** Why answers cannot be kept now; they wait. */
  readonly unkept = this.troubled.now;
  readonly waiting = signal<readonly Item[]>([]);
  readonly sendingAway = signal(false);
  readonly canBringBack = signal(false);
  /** What the last answer changed, in a sentence. */
  readonly changed = signal("");
  readonly theme = new Theme();
  readonly dark = this.theme.dark;
  readonly saved = computed<Saved>(() => {
    if (this.waiting.value.length === 0) return "saved";
    return this.sendingAway.value || this.connection.value === "away" ? "waiting" : "saving";
  });
  readonly canUndo = computed(
    () => (this.state.value?.canUndo ?? false) || this.waiting.value.length > 0,
  );
  readonly canRedo = computed(
    () =>
      (this.state.value?.canRedo ?? false) ||
      this.canBringBack.value ||
      this.waiting.value.some((i) => i.step.kind === "undo"),
  );

  private queue = new Queue(null, "");
  /** What follows a step, by its id, once the server has it. */
  private readonly follows = new Map<string, (reply: Reply) => void>();
  private sender: Sender | null = null;
  private live: Live | null = null;
  private list: Live | null = null;
  private turnOf = { revision: -1, fitted: -1 };
  private asking: Promise<void> | null = null;
  private askAgain = false;
  /** The person wants to see the list of projects. */
  private listed = false;
  private readonly trail = new Trail();
  /** The question that the person left for a pair of their choice. */
  private aside: Question | null = null;
  /** An undo or redo of what this page does not know: the reply says what it shows. */
  private blind = "";

  /** Begins: who am I, which projects, which of them is in the address. */
  async start(): Promise<void> {
    this.theme.watch();
    addEventListener("hashchange", () => this.follow());
    addEventListener("online", () => this.retry());
    addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.retry();
    });
    addEventListener("storage", (e) => {
      if (e.key === null || e.key.startsWith("kindred/queue/")) this.reloadQueue();
    });
    this.list = new Live(this.api.events(""), {
      projects: (data) => this.setProjects((data as { projects: Project[] | null }).projects ?? []),
      status: (status) => {
        if (this.project.value === "") this.connection.value = status;
      },
    });
    await Promise.all([this.refreshMe(), this.refreshProjects()]);
    this.follow();
  }

  private async refreshMe(): Promise<void> {
    try {
      this.me.value = await this.api.me();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) this.connection.value = "stranger";
    }
  }

  async refreshProjects(): Promise<void> {
    try {
      this.setProjects(await this.api.projects());
    } catch {
      // the stream of events brings them
    }
  }

  private setProjects(projects: Project[]): void {
    const waited = this.isOpening();
    this.projects.value = projects;
    if (waited && !this.isOpening()) void this.refreshTurn();
    for (const p of projects) if (p.state === "open") this.api.opened(p.id);
    if (this.project.value === "" && readRoute(location.hash).project === "") this.goToOnly();
  }

  private stateOf(project: string): Project["state"] | undefined {
    return this.projects.value?.find((p) => p.id === project)?.state;
  }

  /**
   * Whether the project is being opened, so that nothing can be had from it yet: the stream of
   * events says when that has changed.
   */
  private isOpening(): boolean {
    return this.stateOf(this.project.value) === "opening";
  }

  private follow(): void {
    const route = readRoute(location.hash);
    batch(() => {
      if (route.panel !== "") this.panel.value = route.panel;
      if (route.project !== this.project.value) this.show(route.project);
    });
    if (route.project === "") this.goToOnly();
  }

  /** Goes to the only project there is, unless the person asked for the list. */
  private goToOnly(): void {
    const [only, ...others] = this.projects.value ?? [];
    if (only !== undefined && others.length === 0 && !this.listed) this.goTo(only.id);
  }

  /** Shows a project, or with "" the list of projects. */
  goTo(project: string): void {
    this.listed = project === "";
    const hash = writeRoute(project, "");
    if (location.hash !== hash) location.hash = hash;
    else this.follow();
  }

  private show(project: string): void {
    this.live?.close();
    this.sender?.stop();
    this.live = null;
    this.sender = null;
    this.turnOf = { revision: -1, fitted: -1 };
    this.trail.clear();
    this.aside = null;
    this.blind = "";
    this.sight.clear();
    batch(() => {
      this.project.value = project;
      this.state.value = null;
      this.turn.value = null;
      this.stale.value = false;
      this.question.value = null;
      this.posed.value = false;
      this.progress.value = null;
      this.selected.value = [];
      this.dialog.value = null;
      this.refused.value = null;
      this.changed.value = "";
      this.sendingAway.value = false;
      this.obstacle.value = "";
      this.reach.over();
      this.troubled.over();
    });
    this.follows.clear();
    this.queue = new Queue(shelf(), project);
    this.queueChanged();
    if (project === "") return;
    this.connection.value = "connecting";
    this.sender = new Sender(
      this.queue,
      {
        post: (id, step) => this.api.step(project, id, step, this.shown),
        wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        alone: (f) => alone(`kindred/send/${project}`, f),
      },
      {
        sent: (item, reply) => {
          this.sent(reply);
          this.follows.get(item.id)?.(reply);
          this.follows.delete(item.id);
        },
        clashed: (item, error) => this.clashed(item, error),
        dropped: (item, error) => this.dropped(item, error),
        trouble: (error) => this.unsent(error),
        changed: (away) => {
          this.sendingAway.value = away;
          this.queueChanged();
        },
      },
    );
    this.live = new Live(this.api.events(project), {
      state: (data) => {
        this.reach.heard();
        this.setState(data as State);
        this.catchUp();
      },
      progress: (data) => (this.progress.value = data as Progress),
      status: (status) => {
        if (status !== "live") {
          this.reach.lost(project);
          return;
        }
        this.reach.live();
        this.sender?.go();
      },
    });
    this.sender.go();
    void this.refreshTurn();
  }

  private setState(data: State): void {
    const state = wholeState(data);
    const old = this.state.value;
    if (old !== null && old.id === state.id && state.revision < old.revision) return;
    // Under another method or other settings it asks other questions, and what the last answer
    // changed is history.
    const other =
      old !== null &&
      old.id === state.id &&
      JSON.stringify([old.method, old.settings]) !== JSON.stringify([state.method, state.settings]);
    // A fit that ends may bring questions, though it is of the same steps.
    const news =
      state.revision > this.turnOf.revision ||
      state.fitted > this.turnOf.fitted ||
      (old?.fitting === true && !state.fitting);
    batch(() => {
      this.state.value = state;
      if (news || other) this.stale.value = true;
      if (other) this.changed.value = "";
      if (state.changed !== undefined && state.changed !== "") this.changed.value = state.changed;
      if (!state.fitting) this.progress.value = null;
    });
  }

  /** Asks for the turn anew if it is of before the state, once no reply will bring one. */
  private catchUp(): void {
    if (this.stale.value && this.queue.length === 0) void this.refreshTurn();
  }

  /** Asks the server what is to be done next; calls that overlap become one more. */
  refreshTurn(): Promise<void> {
    if (this.asking !== null) {
      this.askAgain = true;
      return this.asking;
    }
    const project = this.project.value;
    if (project === "" || this.isOpening()) return Promise.resolve();
    const of = {
      revision: this.state.value?.revision ?? -1,
      fitted: this.state.value?.fitted ?? -1,
    };
    this.asking = (async () => {
      try {
        const turn = await this.api.turn(project, this.shown);
        if (project === this.project.value) this.reach.heard();
        if (project !== this.project.value || this.turnOf.revision > of.revision) return;
        this.turnOf = of;
        this.setTurn(turn);
        if (this.askAgain) this.stale.value = true;
      } catch (error) {
        if (project === this.project.value) this.reach.trouble(error);
      } finally {
        this.asking = null;
        if (this.askAgain) {
          this.askAgain = false;
          void this.refreshTurn();
        }
      }
    })();
    return this.asking;
  }

  /** The rows of the question on the screen for the server, which keeps to it. */
  private get shown(): string {
    const q = this.question.value;
    return q === null || this.posed.value ? "" : `${q.a.row}-${q.b.row}`;
  }

  private setTurn(turn: Turn): void {
    batch(() => {
      this.turn.value = turn;
      this.stale.value = false;
      this.refill();
    });
  }

  /** Keeps the question on the screen, or finds one if there is none. */
  private refill(): void {
    if (!this.posed.value) this.choose(this.question.value);
  }

  /** Puts a question on the screen: one that is kept, or the next one that is open. */
  private choose(keep: Question | null): void {
    const turn = this.turn.value;
    const unknown = keep === null && this.blind !== "" && this.queue.has(this.blind);
    batch(() => {
      if (keep === null) this.chosen.value = -1;
      this.posed.value = false;
      this.question.value = turn === null || unknown ? keep : pick(turn, this.queue.items, keep);
    });
  }

  /** Goes on to the next question: the one that was left for a pair of choice, or an open one. */
  private next(): void {
    const aside = this.posed.value ? this.aside : null;
    this.aside = null;
    this.chosen.value = -1;
    this.choose(aside);
  }

  /**
   * Runs what may change the question by the person's own hand. What is pressed before the screen
   * follows was not meant for the pair that they just went on from.
   */
  private goOn(change: () => void): void {
    const before = this.asked.value;
    change();
    if (before !== null && !samePair(before, this.asked.value)) this.sight.leave(before);
  }

  /** Returns what a press at a time was meant for, or shows why it counts for nothing. */
  meant(at: number): Asked | null {
    const asked = this.sight.at(at, this.asked.value);
    if (typeof asked === "string") {
      this.refuse(asked);
      return null;
    }
    this.sight.counted(at);
    return asked;
  }

  /** Shows that a key or a click was not counted, and why. */
  refuse(why: Refusal, words = refusals[why]): void {
    const text = `Not counted: ${words}`;
    const before = this.refused.value;
    if (why === "held" && before?.text === text) return; // it repeats many times a second
    this.refused.value = { text, times: before?.text === text ? before.times + 1 : 1 };
  }

  /** Chooses the reference of an uncertain object that is answered about. */
  refer(index: number, at: number): void {
    const now = this.asked.value;
    const asked = this.sight.at(at, now);
    if (typeof asked === "string") {
      if (now?.question.group !== undefined) this.refuse(asked);
      return;
    }
    const reference = asked.question.group?.references[index];
    if (reference === undefined) return;
    if (!samePair(asked, now)) {
      // The references are gone from the page, and with them what a key after this one would mean.
      this.sight.leave(asked);
      this.refuse("changed");
      return;
    }
    this.chosen.value = reference.card.row;
    this.sight.turn(this.asked.value!);
  }

  /**
   * Does a step: it is kept in the page, then sent. The question on the screen stays, if it can. Where
   * the server takes the step, then is called; not where it refuses it, or the step is taken back.
   */
  step(step: Step, then?: (reply: Reply) => void): void {
    if (this.project.value === "") return;
    const asked = this.asked.value;
    const over =
      step.kind === "bad" &&
      asked !== null &&
      [asked.question.a.row, asked.question.b.row, asked.about.row].includes(step.row);
    const id = this.add(step, over ? asked : null);
    if (then !== undefined) this.follows.set(id, then);
    if (over) this.goOn(() => this.next());
    else this.refill();
    this.sender?.go();
  }

  /** Puts a step in the queue, and returns its id; from is the question that it goes on from. */
  private add(step: Step, from: Asked | null): string {
    const id = newID();
    this.queue.add(id, this.queue.length > 0 ? anyRevision(step) : step);
    this.trail.did(id, from);
    this.queueChanged();
    return id;
  }

  /** Answers what was in sight; by now the page may have gone on from it. */
  answer(answer: LinkKind, asked: Asked): void {
    const { question: q, about, posed } = asked;
    if (q.moot?.closed === true) {
      this.refuse("closed", `${q.moot.words} Press k to go on.`);
      return;
    }
    const number = posed ? {} : { question: q.number };
    this.stepOf(asked, { kind: "answer", a: q.a.row, b: about.row, answer, ...number });
  }

  /** Puts off what was in sight, or goes on from it where its answer is not needed. */
  skip(asked: Asked): void {
    const { question: q, posed } = asked;
    if (!posed && q.moot === undefined)
      this.stepOf(asked, { kind: "skip", a: q.a.row, b: q.b.row });
    else if (samePair(asked, this.asked.value)) this.pass();
  }

  /** Goes on from the question without a step. */
  pass(): void {
    this.goOn(() => this.next());
    void this.refreshTurn();
  }

  /** Does a step about a pair. Where the page has gone on from it, the pair on the screen stays. */
  private stepOf(asked: Asked, step: Step): void {
    this.add(step, asked);
    if (samePair(asked, this.asked.value)) {
      this.goOn(() => this.next());
    } else {
      this.sight.leave(asked);
      this.refill();
      const { a } = asked.question;
      this.say(`Counted for the pair before: ${a.id} and ${asked.about.id}.`, "plain");
    }
    this.sender?.go();
  }

  /** Takes the last step back; what it was done about is on the screen again at once. */
  undo(): void {
    this.unsay();
    const item = this.queue.takeBack();
    const where = this.trail.undo(item?.id ?? "", this.asked.value);
    if (item !== null) this.say("Taken back before it was sent.", "plain");
    this.moveTo(where, item === null ? "undo" : null);
  }

  /** Brings back what was taken back last; the screen is as it was before that. */
  redo(): void {
    this.unsay();
    const where = this.trail.redo();
    this.moveTo(where, this.queue.bringBack() === null ? "redo" : null);
  }

  /** Shows what an undo or redo leads to, and asks the server for it where it has the step. */
  private moveTo(where: Where, ask: "undo" | "redo" | null): void {
    const id = newID();
    if (ask !== null) this.queue.add(id, { kind: ask });
    if (where === "unknown") this.blind = id;
    this.queueChanged();
    if (where === "stay") this.refill();
    else
      this.goOn(() => {
        if (typeof where === "string") {
          this.choose(null);
          return;
        }
        batch(() => {
          this.question.value = where.question;
          this.chosen.value = where.about.row;
          this.posed.value = where.posed;
        });
      });
    if (this.queue.length > 0) this.sender?.go();
    else void this.refreshTurn();
  }

  /** Shows two objects as a question that the person chose. */
  async pose(a: number, b: number): Promise<void> {
    if (a === b) return;
    try {
      const found = await this.api.objects(this.project.value, [a, b]);
      const [one, two] = [a, b].map((row) => found.find((m) => m.card.row === row)?.card);
      if (one === undefined || two === undefined) return;
      const question: Question = {
        number: 0,
        a: one,
        b: two,
        fields: compare(one, two),
        why: "you chose this pair",
        source: "method",
      };
      if (!this.posed.value) this.aside = this.question.value;
      this.goOn(() =>
        batch(() => {
          this.question.value = question;
          this.chosen.value = -1;
          this.posed.value = true;
          this.view.value = "question";
        }),
      );
    } catch (error) {
      this.fail(error);
    }
  }

  /** Goes back from a posed question to the project's own. */
  unpose(): void {
    this.pass();
  }

  /** A step could not be sent: the server is away, or cannot keep it. */
  private unsent(error: unknown): void {
    this.troubled.by(error);
    if (isTrouble(error)) void this.goBack();
    else this.reach.trouble(error);
  }

  /**
   * Goes back to what is on the server's disk: a step may have counted until it was not kept. If the
   * project is not open any more, it is opened.
   */
  private async goBack(): Promise<void> {
    const project = this.project.value;
    try {
      const state = await this.api.state(project);
      const old = this.state.value;
      if (project !== this.project.value || old === null || state.revision >= old.revision) return;
      this.turnOf = { revision: -1, fitted: -1 };
      batch(() => {
        this.state.value = null;
        this.setState(state);
      });
      void this.refreshTurn();
    } catch (error) {
      if (project === this.project.value) this.reach.trouble(error);
    }
  }

  private sent(reply: Reply): void {
    this.troubled.over();
    this.reach.heard();
    const old = this.state.value;
    const late = old !== null && old.id === reply.state.id && before(reply.state, old);
    batch(() => {
      this.queueChanged();
      this.turnOf = { revision: reply.state.revision, fitted: reply.state.fitted };
      if (!late) {
        this.changed.value = reply.state.changed ?? "";
        this.setState(reply.state);
      }
      this.setTurn(reply.turn);
      if (late) this.stale.value = true;
    });
    this.catchUp();
  }

  private clashed(item: Item, error: ApiError): void {
    this.troubled.over();
    batch(() => {
      this.queueChanged();
      this.dialog.value = { kind: "clash", item, clash: error.clash! };
    });
  }

  /**
   * Ends the dialog of a contradiction: the refused step goes, what is given instead is sent first,
   * then the rest.
   */
  settleClash(item: Item, instead: Step[]): void {
    const rest = this.queue.items.filter((i) => i.id !== item.id).map((i) => ({ ...i }));
    this.queue.remove(item.id);
    if (instead.length > 0) {
      for (const i of rest) this.queue.remove(i.id);
      instead.forEach((step, i) => this.queue.add(newID(), i > 0 ? anyRevision(step) : step));
      for (const i of rest) this.queue.add(i.id, anyRevision(i.step));
    }
    this.dialog.value = null;
    this.queueChanged();
    this.refill();
    this.sender?.go();
    if (this.queue.length === 0) void this.refreshTurn();
  }

  private dropped(item: Item, error: ApiError): void {
    this.troubled.over();
    this.queueChanged();
    if (error.stale) {
      const what =
        item.step.kind === "answer"
          ? "That pair was answered otherwise meanwhile, perhaps in another tab"
          : "This was changed meanwhile, perhaps in another tab";
      this.say(`${what}. Nothing was overwritten; this is how it stands now.`, "plain");
    } else {
      this.say(error.message, "bad");
    }
    if (this.queue.length === 0) void this.refreshTurn();
    else this.refill();
  }

  private reloadQueue(): void {
    this.queue.reload();
    batch(() => {
      this.queueChanged();
      const dialog = this.dialog.value;
      if (dialog?.kind === "clash" && !this.queue.has(dialog.item.id)) this.dialog.value = null;
      this.refill();
    });
    if (this.queue.length > 0) return;
    const state = this.state.value;
    if (this.stale.value || (state !== null && state.revision > this.turnOf.revision))
      void this.refreshTurn();
  }

  private queueChanged(): void {
    this.waiting.value = [...this.queue.items];
    this.canBringBack.value = this.queue.canBringBack;
  }

  /** Tries at once what waits: for the server, for a disk, for a project to be opened. */
  retry(): void {
    this.live?.retry();
    this.list?.retry();
    this.reach.retry();
    this.sender?.go();
  }

  select(rows: number[]): void {
    this.selected.value = rows;
  }

  openPanel(panel: Panel): void {
    this.panel.value = panel;
    this.view.value = "panel";
  }

  /** Selects one object and shows what is known of it. */
  openObject(row: number): void {
    this.select([row]);
    this.openPanel("object");
  }

  say(text: string, tone: Notice["tone"]): void {
    this.notice.value = { text, tone };
  }

  /** Takes away what was said of the step before; what went wrong stays. */
  private unsay(): void {
    if (this.notice.value?.tone !== "bad") this.notice.value = null;
  }

  fail(error: unknown): void {
    this.say(error instanceof Error ? error.message : String(error), "bad");
  }
}

/** Why a key or a click counts for nothing, in words. */
const refusals: Record<Refusal, string> = {
  left: "you had answered that pair, and the next one was not on the screen yet.",
  twice: "it came with the key before, too fast for two answers.",
  double: "it was the second of a double click.",
  held: "a key that is held down counts once.",
  changed: "that object is no longer on the screen. Look at this one, then choose.",
  covered: "a dialog covers the pair. Close it first.",
  away: "there was no pair in sight.",
  looking: "the next question was not here yet.",
  none: "there was no question.",
  aside: "the keys are with the panels. Esc goes back to the question.",
  closed: "an answer to this pair cannot count.",
};

/**
 * Whether a reply is of before a state that came by the events: a fit that has ended since is known
 * already.
 */
function before(reply: State, known: State): boolean {
  if (reply.revision !== known.revision) return reply.revision < known.revision;
  return reply.fitted < known.fitted || (reply.fitting && !known.fitting);
}

/** A step that own steps go before: the revision it was made at is not the one that it meets. */
function anyRevision(step: Step): Step {
  return step.kind === "edit" || step.kind === "drop" ? { ...step, revision: undefined } : step;
}

const context = createContext<Store | null>(null);
export const StoreProvider = context.Provider;

/** The store, for components below StoreProvider. */
export function useStore(): Store {
  const store = useContext(context);
  if (store === null) throw new Error("there is no store above this component");
  return store;
}
