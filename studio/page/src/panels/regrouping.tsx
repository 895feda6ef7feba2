import { useEffect, useRef, useState } from "preact/hooks";
import { loadCards } from "../map/cards";
import { groupName, groups } from "../map/data";
import { called, number, things } from "../map/words";
import { CardView, faced } from "../parts/card";
import { Modal } from "../parts/dialog";
import { GroupDot } from "../parts/dot";
import { Sign } from "../parts/event";
import { type Store, useStore } from "../store";
import type { Card, Cluster, Event, Pair, Plan, Regroup } from "../types";
import { report } from "./outcome";
import { Tells } from "./tells";
import {
  canRegroup,
  hasWords,
  left,
  linkWords,
  regroupOf,
  rowOf,
  stepOf,
  wish as open,
  type Wish,
} from "./regroup";
import { mostAsked, type Stand, useStand } from "./standing";
import "./regroup.css";

/** Links that are shown of a plan. */
const SHOWN = 6;
/** From so many groups on, those to choose from can be narrowed by words. */
const MANY = 12;
/** Members that are shown of a group that is split: the most typical, and the most doubtful. */
const MEMBERS = 12;

/** What a wish comes to, before it is done. It follows its rows while groups are found anew. */
export function RegroupDialog({ store, wish, close }: { store: Store; wish: Wish; close(): void }) {
  const [to, setTo] = useState<number | null>(wish.to ?? null);
  const [picked, setPicked] = useState<readonly number[]>(wish.do === "split" ? wish.rows : []);
  const [fewer, setFewer] = useState(true);
  const [back, setBack] = useState(false);
  const row = rowOf(wish);
  const rows = wish.do === "move" ? wish.rows.slice(0, mostAsked - 1) : [row!];
  const now = useStand(store, to === null ? rows : [...rows, to]);
  const [plan, fresh] = usePlan(store, regroupOf(wish, to, picked, back));
  const cluster = row === undefined ? undefined : now?.of(row);
  const anew = useAnew(now, cluster);
  useEffect(() => {
    if (cluster !== 0) return;
    close();
    store.say(
      "The groups were found anew, and this one is gone: its object is in no group now. Nothing was done.",
      "plain",
    );
  }, [cluster]);
  const known = now?.clusters ?? [];
  const own =
    wish.do !== "move"
      ? cluster
      : now === null || wish.rows.length >= mostAsked
        ? 0
        : left(wish.rows, now);
  const others = known.filter((g) => g.cluster !== own);
  const whole = typeof plan === "object" && plan !== null ? plan : null;
  const ready =
    whole !== null &&
    fresh &&
    whole.fitted === now?.revision &&
    whole.pairs.length > 0 &&
    whole.blocked !== true
      ? whole
      : null;
  const mayFewer = store.me.value?.admin !== false && whole?.clusters !== undefined;
  const go = () => {
    if (ready === null) return;
    close();
    const size = known
      .filter((g) => ready.groups.includes(g.cluster))
      .reduce((sum, g) => sum + g.size, 0);
    store.step(stepOf(ready, back, mayFewer && fewer ? ready.clusters : undefined), (reply) =>
      report(store, { plan: ready, back, size }, reply.state.revision),
    );
    if (wish.do === "split") {
      store.view.value = "question";
      void store.refreshTurn();
    }
  };
  return (
    <Modal title={title(wish, cluster, known)} close={close} wide={wish.do === "split"}>
      {anew && cluster !== undefined && (
        <p class="small quiet" role="status">
          The groups were found anew meanwhile: the group that you chose is{" "}
          {groupName(cluster, known)} now,{" "}
          {things(known.find((g) => g.cluster === cluster)?.size ?? 0, "object")}.
        </p>
      )}
      {wish.do !== "split" && wish.to === undefined && now !== null && (
        <Choose
          legend={wish.do === "merge" ? "With which group?" : "To which group?"}
          known={others}
          to={to === null ? undefined : now.of(to)}
          choose={setTo}
          go={go}
        />
      )}
      {wish.do === "split" && wish.rows.length < 2 && (
        <PickTwo store={store} row={row!} picked={picked} pick={setPicked} />
      )}
      <div class="plan" role="status">
        {plan === null ? null : plan === "…" ? (
          <p class="quiet">…</p>
        ) : typeof plan === "string" ? (
          <p class="trouble">{plan}</p>
        ) : (
          <Summary plan={plan} />
        )}
      </div>
      {whole !== null && whole.against.length > 0 && (
        <label class="fewer">
          <input
            type="checkbox"
            checked={back}
            onChange={(e) => setBack(e.currentTarget.checked)}
          />{" "}
          <span>
            Take back{" "}
            {whole.against.length === 1 ? "that answer" : `these ${whole.against.length} answers`}{" "}
            in the same step: <Answered events={whole.against} />
          </span>
        </label>
      )}
      {mayFewer && (
        <label class="fewer">
          <input
            type="checkbox"
            checked={fewer}
            onChange={(e) => setFewer(e.currentTarget.checked)}
          />{" "}
          Find {things(whole.clusters!, "group")} from now on. Undo brings the number back, too.
        </label>
      )}
      <div class="choices">
        <button type="button" class="primary" disabled={ready === null} onClick={go}>
          {whole !== null && whole.contradictions > 0
            ? `${verbs[wish.do]} all the same, keep ${whole.contradictions === 1 ? "it" : "them"}`
            : verbs[wish.do]}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
      {whole !== null && whole.pairs.length > 0 && <Links store={store} plan={whole} />}
    </Modal>
  );
}

/** Whether the group that a dialog is about has another number or size than when it was opened. */
function useAnew(now: Stand | null, cluster: number | undefined): boolean {
  const first = useRef("");
  if (now === null || cluster === undefined) return false;
  const size = now.clusters.find((g) => g.cluster === cluster)?.size;
  const is = `${cluster}/${size}`;
  if (first.current === "") first.current = is;
  return first.current !== is;
}

/** Answers that stand against a plan, the first ones. */
function Answered({ events }: { events: readonly Event[] }) {
  const shown = events.slice(0, 4);
  const more = events.length - shown.length;
  return (
    <span dir="auto">
      {shown
        .map((e) => `${called(e.a!.id)} ${e.step === "same" ? "=" : "≠"} ${called(e.b!.id)}`)
        .join(", ")}
      {more > 0 && ` and ${number(more)} more`}
    </span>
  );
}

const verbs: Record<Regroup["do"], string> = { merge: "Merge", split: "Split", move: "Move" };

function title(wish: Wish, cluster: number | undefined, known: readonly Cluster[]): string {
  const name = cluster === undefined ? "" : groupName(cluster, known);
  switch (wish.do) {
    case "merge":
      return name === "" ? "Merge a group" : `Merge ${name}`;
    case "split":
      return name === "" ? "Split a group" : `Split ${name}`;
    case "move":
      return `Move ${things(wish.rows.length, "object")}`;
  }
}

/**
 * usePlan asks what a regrouping comes to; "…" while nobody knows, other words if it cannot be. While
 * it is asked anew the one before stands, and is not fresh.
 */
function usePlan(
  store: Store,
  asked: Regroup | null,
): [plan: Plan | string | null, fresh: boolean] {
  const [plan, setPlan] = useState<Plan | string | null>(null);
  const [of, setOf] = useState("");
  const project = store.project.value;
  const { fitted, revision } = store.state.value ?? {};
  const key = JSON.stringify([asked, fitted, revision]);
  useEffect(() => {
    if (asked === null) {
      setPlan(null);
      return;
    }
    let gone = false;
    setPlan((old) => (typeof old === "object" && old !== null ? old : "…"));
    const take = (p: Plan | string) => {
      if (gone) return;
      setPlan(p);
      setOf(key);
    };
    store.api
      .plan(project, asked)
      .then(take, (error: unknown) => take(error instanceof Error ? error.message : String(error)));
    return () => {
      gone = true;
    };
  }, [project, key]);
  return [plan, of === key];
}

/** The groups to choose from. */
function Choose({
  legend,
  known,
  to,
  choose,
  go,
}: {
  legend: string;
  known: readonly Cluster[];
  to: number | undefined; // number of the group that is chosen
  choose(row: number): void;
  go(): void;
}) {
  const list = useRef<HTMLFieldSetElement>(null);
  const [words, setWords] = useState("");
  // The groups come once the dialog is there, and has chosen what to focus.
  useEffect(() => list.current?.querySelector<HTMLElement>("input[type=radio]")?.focus(), []);
  if (known.length === 0) return <p class="quiet">There is no other group.</p>;
  const shown = known.filter(
    (g) => g.cluster === to || hasWords(g, groupName(g.cluster, known), words),
  );
  return (
    <fieldset ref={list} class="choose-group">
      <legend>{legend}</legend>
      {known.length >= MANY && (
        <input
          type="search"
          aria-label="Narrow the groups by words"
          placeholder="words of its name or typical member"
          autocomplete="off"
          spellcheck={false}
          value={words}
          onInput={(e) => setWords(e.currentTarget.value)}
        />
      )}
      {shown.length === 0 && <p class="quiet">No group has these words.</p>}
      {shown.map((g) => (
        <label key={g.cluster}>
          <input
            type="radio"
            name="group"
            checked={to === g.cluster}
            onChange={() => choose(g.medoid.row)}
            onKeyDown={(e) => {
              if (e.key === "Enter" && e.currentTarget.checked) go();
            }}
          />
          <GroupDot cluster={g.cluster} />
          {faced(g.medoid) && <CardView card={g.medoid} size="thumb" fields={false} />}
          <span class="name">{groupName(g.cluster, known)}</span>
          <span class="small quiet">{things(g.size, "object")}</span>
          <Tells group={g} />
        </label>
      ))}
    </fieldset>
  );
}

/** Two members to be picked: of the most typical and the most doubtful. */
function PickTwo({
  store,
  row,
  picked,
  pick,
}: {
  store: Store;
  row: number; // of the group
  picked: readonly number[];
  pick(rows: readonly number[]): void;
}) {
  const [cards, setCards] = useState<Card[] | null>(null);
  useEffect(() => {
    let gone = false;
    const project = store.project.value;
    Promise.all(
      (["typical", "doubtful"] as const).map((order) =>
        store.api.members(project, row, order, 0, MEMBERS),
      ),
    ).then(
      ([typical, doubtful]) => {
        const all = new Map<number, Card>();
        for (const m of [...typical!.members, ...doubtful!.members]) all.set(m.card.row, m.card);
        if (!gone) setCards([...all.values()]);
      },
      (error: unknown) => !gone && store.fail(error),
    );
    return () => {
      gone = true;
    };
  }, [row, store.state.value?.fitted]);
  if (cards === null)
    return (
      <p class="quiet" role="status">
        …
      </p>
    );
  return (
    <fieldset class="pick-two">
      <legend>
        Tick two that belong apart: the most typical come first, the most doubtful last.
      </legend>
      <ul class="tiles">
        {cards.map((card, i) => (
          <li key={card.row} class={faced(card) ? "tile" : "tile plain"}>
            <label>
              <input
                type="checkbox"
                autofocus={i === 0}
                checked={picked.includes(card.row)}
                aria-label={called(card.id)}
                onChange={(e) =>
                  pick(
                    e.currentTarget.checked
                      ? [...picked.slice(-1), card.row] // the last two count
                      : picked.filter((row) => row !== card.row),
                  )
                }
              />
              <CardView card={card} size="small" fields={!faced(card)} />
              <span class="tile-id">{called(card.id)}</span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** What becomes of what, by which links, and what contradicts. */
function Summary({ plan }: { plan: Plan }) {
  return (
    <>
      <p dir="auto">{plan.words}</p>
      {plan.pairs.length > 0 && (
        <p class="small quiet">
          That states {linkWords(plan)} in one step, which one undo takes back.
        </p>
      )}
      {plan.notes.map((n) => (
        <p key={n} class="small quiet">
          {n}
        </p>
      ))}
      {plan.contradictions > 0 && (
        <p class="trouble">
          {plan.contradictions === 1
            ? "One of these contradicts"
            : `${number(plan.contradictions)} of these contradict`}{" "}
          earlier answers
          {plan.clash !== undefined && (
            <>
              :{" "}
              <b class="formula" dir="auto">
                {plan.clash.words}
              </b>
            </>
          )}
          .{" "}
          {plan.clash?.weighed === true
            ? "Kept all the same, they are weighed against each other."
            : "Kept all the same, they are doubts: nothing follows from them until the earlier answers are changed, under Contradictions."}
        </p>
      )}
    </>
  );
}

/** The links of a plan, the first ones with their objects. */
function Links({ store, plan }: { store: Store; plan: Plan }) {
  const [shown, setShown] = useState<{ pair: Pair; a: Card; b: Card }[]>([]);
  const key = JSON.stringify(plan.pairs.slice(0, SHOWN));
  useEffect(() => {
    let gone = false;
    const first = plan.pairs.slice(0, SHOWN);
    loadCards(store, [...new Set(first.flatMap((p) => [p.a, p.b]))]).then(
      (cards) => {
        const of = new Map(cards.map((c) => [c.row, c]));
        const full = first.flatMap((pair) => {
          const [a, b] = [of.get(pair.a), of.get(pair.b)];
          return a && b ? [{ pair, a, b }] : [];
        });
        if (!gone) setShown(full);
      },
      () => undefined, // the numbers of the plan stand without
    );
    return () => {
      gone = true;
    };
  }, [key]);
  return (
    <details class="plan-links">
      <summary>The links</summary>
      <ul>
        {shown.map(({ pair, a, b }) => (
          <li key={`${a.row}-${b.row}`}>
            <Side card={a} /> <Sign link={pair.link} /> <Side card={b} />
          </li>
        ))}
      </ul>
      {plan.pairs.length > shown.length && (
        <p class="small quiet">and {things(plan.pairs.length - shown.length, "link")} more</p>
      )}
    </details>
  );
}

function Side({ card }: { card: Card }) {
  return (
    <span class="plan-side">
      {faced(card) && <CardView card={card} size="thumb" fields={false} />}
      <span dir="auto">{called(card.id)}</span>
    </span>
  );
}

/** Merge and split, of a group. */
export function RegroupButtons({ group, others }: { group: Cluster; others: boolean }) {
  const store = useStore();
  if (!canRegroup(store)) return null;
  const name = <span class="hidden"> {groupName(group.cluster, groups.value)}</span>;
  return (
    <>
      {others && (
        <button
          type="button"
          onClick={() => open(store, { do: "merge", rows: [group.medoid.row] })}
        >
          Merge{name} …
        </button>
      )}
      {group.size > 1 && (
        <button
          type="button"
          onClick={() => open(store, { do: "split", rows: [], row: group.medoid.row })}
        >
          Split{name} …
        </button>
      )}
    </>
  );
}

/** Moves objects to a group; rows are read when it is pressed. */
export function MoveButton({
  rows,
  children,
}: {
  rows: () => readonly number[] | Promise<readonly number[]>;
  children: preact.ComponentChildren;
}) {
  const store = useStore();
  const [busy, setBusy] = useState(false);
  if (!canRegroup(store)) return null;
  const press = async () => {
    setBusy(true);
    try {
      open(store, { do: "move", rows: await rows() });
    } catch (error) {
      store.fail(error);
    }
    setBusy(false);
  };
  return (
    <button type="button" disabled={busy} onClick={() => void press()}>
      {children}
    </button>
  );
}

/** Parts the group of two objects that are selected. */
export function SplitButton({ a, b }: { a: number; b: number }) {
  const store = useStore();
  if (!canRegroup(store)) return null;
  return (
    <button type="button" onClick={() => open(store, { do: "split", rows: [a, b] })}>
      Split their group …
    </button>
  );
}
