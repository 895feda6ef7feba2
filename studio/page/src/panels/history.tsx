import { useEffect, useState } from "preact/hooks";
import { isAnswer } from "../api";
import { brief } from "../parts/brief";
import { CardView, cut } from "../parts/card";
import { Empty } from "../parts/empty";
import { mine, Sign, whoWords } from "../parts/event";
import { ago } from "../parts/time";
import { number, things } from "../map/words";
import { useStore, type Store } from "../store";
import type { Card, Event, Field, LinkKind } from "../types";

const page = 50;
type Filter = "all" | "answers" | LinkKind | "doubt" | "gone" | "other";

/**
 * Every step with who, when and why; answers can be changed or dropped, those that no longer count
 * are struck through.
 */
export function HistoryPanel() {
  const store = useStore();
  const [filter, setFilter] = useState<Filter>("all");
  const [text, setText] = useState("");
  const [limit, setLimit] = useState(page);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const { events, total, cards } = useHistory(store, limit, opened);
  // A step of hundreds is one line: others are to be seen beside it.
  const missing = events === null ? 0 : unread(events, total, opened);
  useEffect(() => {
    if (missing > 0) setLimit((l) => Math.min(l + missing, total));
  }, [missing, total]);
  if (events === null)
    return (
      <p class="quiet" role="status">
        …
      </p>
    );
  const shown = events.filter((e) => fits(e, filter, text.trim().toLowerCase()));
  return (
    <div class="history">
      <div class="tools">
        <label>
          Show{" "}
          <select value={filter} onChange={(e) => setFilter(e.currentTarget.value as Filter)}>
            <option value="all">all steps</option>
            <option value="answers">answers in effect</option>
            <option value="same">same</option>
            <option value="different">different</option>
            <option value="unknown">don't know</option>
            <option value="doubt">kept as doubt</option>
            <option value="gone">taken back or replaced</option>
            <option value="other">other steps</option>
          </select>
        </label>
        <label>
          <span class="hidden">with this object, person or reason</span>
          <input
            type="search"
            placeholder="object, person or reason"
            value={text}
            onInput={(e) => setText(e.currentTarget.value)}
          />
        </label>
      </div>
      {shown.length === 0 &&
        (total === 0 ? (
          <Empty steps={[["question", "Answer the first question"]]}>
            <p class="quiet">No steps yet.</p>
          </Empty>
        ) : (
          <p class="quiet">
            No step fits.{" "}
            <button
              type="button"
              class="link"
              onClick={() => {
                setFilter("all");
                setText("");
              }}
            >
              Show all steps
            </button>
          </p>
        ))}
      <ul class="events">
        {stepsOf(shown).map((step) => {
          const [e] = step;
          return e.first === undefined || step.length === 1 ? (
            <Row key={e.seq} store={store} event={e} cards={cards} />
          ) : (
            <Step
              key={`of ${e.first}`}
              store={store}
              events={step}
              cards={cards}
              open={opened.has(e.first)}
              toggle={() => e.first !== undefined && setOpened((o) => toggled(o, e.first!))}
            />
          );
        })}
      </ul>
      {events.length < total && (
        <button type="button" onClick={() => setLimit(limit + page)}>
          Show earlier ones ({total - events.length} more)
        </button>
      )}
    </div>
  );
}

/** toggled is a set with a member that it had not, or without one that it had. */
function toggled(of: ReadonlySet<number>, member: number): ReadonlySet<number> {
  const next = new Set(of);
  if (!next.delete(member)) next.add(member);
  return next;
}

/** stepsOf puts what was done together into one, the latest first as they are. */
export function stepsOf(events: readonly Event[]): [Event, ...Event[]][] {
  const steps: [Event, ...Event[]][] = [];
  for (const e of events) {
    const last = steps.at(-1);
    if (last !== undefined && ofStep(e) && ofStep(last[0]) && last[0].first === e.first)
      last.push(e);
    else steps.push([e]);
  }
  return steps;
}

/** Whether an event is one of several of a step, and not what takes such a step back. */
function ofStep(e: Event): boolean {
  return e.first !== undefined && e.last !== undefined && e.seq >= e.first && e.seq <= e.last;
}

const few = 20;

/** How many more events to read: the rest of a step that is unfolded, and some steps at least. */
export function unread(
  events: readonly Event[],
  total: number,
  opened: ReadonlySet<number>,
): number {
  if (events.length >= total) return 0;
  const steps = stepsOf(events);
  const last = steps.at(-1)?.[0];
  if (last?.first === undefined || !ofStep(last)) return steps.length < few ? page : 0;
  const rest = events.at(-1)!.seq - last.first;
  if (steps.length < few) return rest + page;
  return opened.has(last.first) ? rest : 0;
}

/** stepFacts says what a step of several events did, in words. */
export function stepFacts(events: readonly Event[], whole: number): string {
  const counts = (["same", "different", "unknown"] as const)
    .map((kind) => [events.filter((e) => e.step === kind).length, kind] as const)
    .filter(([n]) => n > 0)
    .map(([n, kind]) => `${number(n)} ${kind === "unknown" ? "don't know" : kind}`);
  const known = events.length === whole && counts.length > 0 ? `: ${counts.join(", ")}` : "";
  return `${things(whole, events.every((e) => isAnswer(e.step)) ? "link" : "change")} in one step${known}`;
}

/** Several events that were done together: one line, which unfolds. */
function Step({
  store,
  events,
  cards,
  open,
  toggle,
}: {
  store: Store;
  events: [Event, ...Event[]];
  cards: Map<number, Card>;
  open: boolean;
  toggle(): void;
}) {
  const [e] = events;
  const [first, last] = [e.first ?? e.seq, e.last ?? e.seq];
  const gone = events.every((x) => !x.inEffect);
  const facts = [
    whoWords(e, store.me.value?.name ?? ""),
    ago(e.at, Date.now()),
    gone ? "no longer counts" : "",
  ];
  return (
    <li class={gone ? "event gone" : "event"} data-step={first}>
      <span class="seq quiet">
        {first}–{last}
      </span>
      <div class="what">
        <button type="button" class="link step-open" aria-expanded={open} onClick={toggle}>
          <span class="link-line">{stepFacts(events, last - first + 1)}</span>
        </button>
        <div class="facts">
          <p class="small quiet">{facts.filter((f) => f !== "").join(" · ")}</p>
        </div>
        {open && (
          <ul class="events">
            {events.map((x) => (
              <Row key={x.seq} store={store} event={x} cards={cards} within />
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

/** The latest events, afresh when the project moves on, with faces for their objects. */
function useHistory(store: Store, limit: number, opened: ReadonlySet<number>) {
  const project = store.project.value;
  const revision = store.state.value?.revision;
  const [loaded, setLoaded] = useState<{ project: string; events: Event[]; total: number } | null>(
    null,
  );
  const [cards, setCards] = useState(new Map<number, Card>());
  useEffect(() => {
    let current = true;
    store.api.history(project, 0, limit).then(
      (h) => current && setLoaded({ project, ...h }),
      (error: unknown) => current && store.fail(error),
    );
    return () => {
      current = false;
    };
  }, [store, project, revision, limit]);
  useEffect(() => {
    const known = loaded?.project === project ? cards : new Map<number, Card>();
    const rows = new Set(
      (loaded?.events ?? [])
        .filter((e) => !ofStep(e) || opened.has(e.first ?? 0))
        .flatMap((e) => [e.a?.row ?? -1, e.b?.row ?? -1])
        .filter((r) => r >= 0 && !known.has(r)),
    );
    if (rows.size === 0) return;
    let current = true;
    store.api.objects(project, [...rows].slice(0, 200)).then(
      (members) =>
        current &&
        setCards(new Map([...known, ...members.map((m) => [m.card.row, m.card] as const)])),
      () => {}, // without faces the ids are there
    );
    return () => {
      current = false;
    };
  }, [store, project, loaded, opened]);
  const fresh = loaded?.project === project ? loaded : null;
  return { events: fresh?.events ?? null, total: fresh?.total ?? 0, cards };
}

function Row({
  store,
  event: e,
  cards,
  within = false,
}: {
  store: Store;
  event: Event;
  cards: Map<number, Card>;
  /** It stands below the line of its step. */
  within?: boolean;
}) {
  const me = store.me.value?.name ?? "";
  const answer = isAnswer(e.step) ? e.step : null;
  const gone = answer !== null && !e.inEffect;
  const facts = [
    within ? "" : whoWords(e, me),
    within ? "" : ago(e.at, Date.now()),
    e.why ?? "",
    e.doubt ? "kept as doubt" : "",
    e.repeat ? "asked a second time" : "",
    e.batch && !within ? "one of several of a step" : "",
    e.clusters !== undefined ? `${things(e.clusters, "group")} to find from then on` : "",
    gone ? "no longer counts" : "",
  ];
  return (
    <li class={gone ? "event gone" : "event"} data-seq={e.seq}>
      <span class="seq quiet">{e.seq}</span>
      <div class="what">
        {answer !== null && e.a !== undefined && e.b !== undefined ? (
          <span class="link-line">
            <Face object={e.a} cards={cards} store={store} /> <Sign link={answer} />{" "}
            <Face object={e.b} cards={cards} store={store} />
          </span>
        ) : (
          <span class="link-line">
            {stepWords(e)}
            {e.step === "bad" && e.a !== undefined && (
              <Face object={e.a} cards={cards} store={store} />
            )}
          </span>
        )}
        <div class="facts">
          <p class="small quiet">{facts.filter((f) => f !== "").join(" · ")}</p>
          {answer !== null && e.inEffect && mine(e, me) && (
            <Change store={store} event={e} answer={answer} />
          )}
        </div>
      </div>
    </li>
  );
}

function Change({ store, event, answer }: { store: Store; event: Event; answer: LinkKind }) {
  const revision = store.state.value?.revision;
  const about = `${event.a?.id} and ${event.b?.id}`;
  return (
    <div class="change">
      <select
        aria-label={`answer about ${about}`}
        value={answer}
        onChange={(e) => {
          const to = e.currentTarget.value as LinkKind;
          e.currentTarget.value = answer; // until the server says so
          if (to !== answer) store.step({ kind: "edit", seq: event.seq, answer: to, revision });
        }}
      >
        <option value="same">same</option>
        <option value="different">different</option>
        <option value="unknown">don't know</option>
      </select>
      <button
        type="button"
        class="small"
        onClick={() => store.step({ kind: "drop", seq: event.seq, revision })}
      >
        Drop<span class="hidden"> the answer about {about}</span>
      </button>
    </div>
  );
}

function Face({
  object,
  cards,
  store,
}: {
  object: NonNullable<Event["a"]>;
  cards: Map<number, Card>;
  store: Store;
}) {
  const card = cards.get(object.row);
  if (object.row < 0)
    return (
      <span class="face quiet" dir="auto">
        {object.id}
      </span>
    );
  return (
    <button
      type="button"
      class="face"
      onClick={() => store.openObject(object.row)}
      title={`details of ${object.id}`}
    >
      {card?.image && <CardView card={card} size="thumb" />}
      <span dir="auto">{object.id}</span>
      {card !== undefined && <FaceWords card={card} />}
    </button>
  );
}

/** What an object is called by beside its id: the beginning of its text, or its first fields. */
function FaceWords({ card }: { card: Card }) {
  const words =
    card.text !== undefined
      ? cut(card.text, 60)
      : card.image || !/^\d+$/.test(card.id)
        ? ""
        : nameOf(card.fields ?? []);
  if (words === "") return null;
  return (
    <span class="quiet small face-words" dir="auto">
      {words}
    </span>
  );
}

/** nameOf is a field that reads as a name: the first in letters; or else the first two numbers. */
export function nameOf(fields: readonly Field[]): string {
  const name = fields.find((f) => /\p{L}{2}/u.test(f.value));
  if (name !== undefined) return cut(name.value, 60);
  return fields
    .slice(0, 2)
    .map((f) => `${f.name} ${brief(f.value)}`)
    .join(", ");
}

/** The step that another is about: of several events the first and the last. */
function target(e: Event): string {
  return e.first !== undefined && e.last !== undefined
    ? `${e.first}–${e.last}, which are one step`
    : `step ${e.target ?? ""}`;
}

/** What a step that is no answer did. */
function stepWords(e: Event): string {
  switch (e.step) {
    case "undo":
      return `took back ${target(e)}`;
    case "redo":
      return `brought back ${target(e)}`;
    case "drop":
      return `dropped answer ${e.target ?? ""}`;
    case "groups":
      return "said how many groups there are";
    case "skip":
      return `skipped ${e.a?.id ?? ""} and ${e.b?.id ?? ""}`;
    case "bad":
      return "left out as bad data: ";
    case "name":
      return e.text
        ? `named the group of ${e.a?.id ?? ""} “${e.text}”`
        : `took the name off the group of ${e.a?.id ?? ""}`;
    default:
      return e.step;
  }
}

/** Whether a step passes the filter, and the text is in its ids, person or reason. */
export function fits(e: Event, filter: Filter, text: string): boolean {
  const answer = isAnswer(e.step);
  const passes =
    filter === "all" ||
    (filter === "answers" && answer && e.inEffect) ||
    (filter === e.step && e.inEffect) ||
    (filter === "doubt" && e.doubt === true && e.inEffect) ||
    (filter === "gone" && answer && !e.inEffect) ||
    (filter === "other" && !answer);
  if (!passes || text === "") return passes;
  return [e.a?.id, e.b?.id, e.who, e.why, e.text].some((s) => s?.toLowerCase().includes(text));
}
