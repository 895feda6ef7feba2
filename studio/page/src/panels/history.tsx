import { useEffect, useState } from "preact/hooks";
import { isAnswer } from "../api";
import { brief } from "../parts/brief";
import { CardView, cut } from "../parts/card";
import { Empty } from "../parts/empty";
import { mine, Sign, whoWords } from "../parts/event";
import { ago } from "../parts/time";
import { things } from "../map/words";
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
  const { events, total, cards } = useHistory(store, limit);
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
        {shown.map((e) => (
          <Row key={e.seq} store={store} event={e} cards={cards} />
        ))}
      </ul>
      {events.length < total && (
        <button type="button" onClick={() => setLimit(limit + page)}>
          Show earlier ones ({total - events.length} more)
        </button>
      )}
    </div>
  );
}

/** The latest events, afresh when the project moves on, with faces for their objects. */
function useHistory(store: Store, limit: number) {
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
  }, [store, project, loaded]);
  const fresh = loaded?.project === project ? loaded : null;
  return { events: fresh?.events ?? null, total: fresh?.total ?? 0, cards };
}

function Row({ store, event: e, cards }: { store: Store; event: Event; cards: Map<number, Card> }) {
  const me = store.me.value?.name ?? "";
  const answer = isAnswer(e.step) ? e.step : null;
  const gone = answer !== null && !e.inEffect;
  const facts = [
    whoWords(e, me),
    ago(e.at, Date.now()),
    e.why ?? "",
    e.doubt ? "kept as doubt" : "",
    e.repeat ? "asked a second time" : "",
    e.batch ? "one of several given together" : "",
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

/** What a step that is no answer did. */
function stepWords(e: Event): string {
  switch (e.step) {
    case "undo":
      return `took back step ${e.target ?? ""}`;
    case "redo":
      return `brought back step ${e.target ?? ""}`;
    case "drop":
      return `dropped answer ${e.target ?? ""}`;
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
