import { useEffect, useState } from "preact/hooks";
import { loadCards } from "../map/cards";
import { groupName, groups, watchGroups } from "../map/data";
import { called, number, things } from "../map/words";
import { CardView } from "../parts/card";
import { Modal } from "../parts/dialog";
import { GroupDot } from "../parts/dot";
import { Sign } from "../parts/event";
import { type Store, useStore } from "../store";
import type { Card, Cluster, Pair, Plan, Regroup } from "../types";
import { faced } from "./onegroup";
import { Tells } from "./tells";
import {
  canRegroup,
  clusterOf,
  has,
  linkWords,
  regroupOf,
  take,
  wish as open,
  type Wish,
} from "./regroup";
import "./regroup.css";

/** Links that are shown of a plan. */
const SHOWN = 6;
/** Members that are shown of a group that is split: the most typical, and the most doubtful. */
const MEMBERS = 12;

/** What a wish comes to, before it is done. */
export function RegroupDialog({ store, wish, close }: { store: Store; wish: Wish; close(): void }) {
  const [to, setTo] = useState<number | null>(wish.to ?? null);
  const [picked, setPicked] = useState<readonly number[]>(wish.do === "split" ? wish.rows : []);
  const [fewer, setFewer] = useState(true);
  useEffect(() => watchGroups(store), [store]);
  const plan = usePlan(store, regroupOf(wish, to, picked));
  const known = groups.value ?? [];
  const cluster = clusterOf(wish, known);
  const others = known.filter((g) => g.cluster !== cluster);
  const ready = typeof plan === "object" && plan !== null && plan.pairs.length > 0 ? plan : null;
  const mayFewer = store.me.value?.admin !== false && ready?.clusters !== undefined;
  const go = () => {
    if (ready === null) return;
    close();
    take(store, ready, mayFewer && fewer ? ready.clusters : undefined);
    if (wish.do === "split") {
      store.view.value = "question";
      void store.refreshTurn();
    }
  };
  return (
    <Modal title={title(wish, cluster, known)} close={close} wide={wish.do === "split"}>
      {wish.do !== "split" && wish.to === undefined && (
        <Choose
          legend={wish.do === "merge" ? "With which group?" : "To which group?"}
          known={others}
          to={to}
          choose={setTo}
        />
      )}
      {wish.do === "split" && wish.rows.length < 2 && (
        <PickTwo store={store} cluster={cluster ?? 1} picked={picked} pick={setPicked} />
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
      {mayFewer && (
        <label class="fewer">
          <input
            type="checkbox"
            checked={fewer}
            onChange={(e) => setFewer(e.currentTarget.checked)}
          />{" "}
          Find {things(ready!.clusters!, "group")} from now on. That is a setting: undo does not
          change it back.
        </label>
      )}
      <div class="choices">
        <button type="button" class="primary" disabled={ready === null} onClick={go}>
          {ready !== null && ready.contradictions > 0
            ? `${verbs[wish.do]} all the same, keep ${ready.contradictions === 1 ? "it" : "them"}`
            : verbs[wish.do]}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
      {ready !== null && <Links store={store} plan={ready} />}
    </Modal>
  );
}

const verbs: Record<Regroup["do"], string> = { merge: "Merge", split: "Split", move: "Move" };

function title(wish: Wish, cluster: number | undefined, known: readonly Cluster[]): string {
  const name = cluster === undefined ? "" : groupName(cluster, known);
  switch (wish.do) {
    case "merge":
      return `Merge ${name}`;
    case "split":
      return name === "" ? "Split a group" : `Split ${name}`;
    case "move":
      return `Move ${things(wish.rows.length, "object")}`;
  }
}

/** usePlan asks what a regrouping comes to; "…" while nobody knows, other words if it cannot be. */
function usePlan(store: Store, asked: Regroup | null): Plan | string | null {
  const [plan, setPlan] = useState<Plan | string | null>(null);
  const project = store.project.value;
  useEffect(() => {
    if (asked === null) {
      setPlan(null);
      return;
    }
    let gone = false;
    setPlan("…");
    store.api.plan(project, asked).then(
      (p) => !gone && setPlan(p),
      (error: unknown) => !gone && setPlan(error instanceof Error ? error.message : String(error)),
    );
    return () => {
      gone = true;
    };
  }, [project, JSON.stringify(asked), store.state.value?.fitted, store.state.value?.revision]);
  return plan;
}

/** The groups to choose from. */
function Choose({
  legend,
  known,
  to,
  choose,
}: {
  legend: string;
  known: readonly Cluster[];
  to: number | null;
  choose(row: number): void;
}) {
  if (known.length === 0) return <p class="quiet">There is no other group.</p>;
  return (
    <fieldset class="choose-group">
      <legend>{legend}</legend>
      {known.map((g, i) => (
        <label key={g.cluster}>
          <input
            type="radio"
            name="group"
            checked={to !== null && has(g, to)}
            autofocus={i === 0}
            onChange={() => choose(g.medoid.row)}
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
  cluster,
  picked,
  pick,
}: {
  store: Store;
  cluster: number;
  picked: readonly number[];
  pick(rows: readonly number[]): void;
}) {
  const [cards, setCards] = useState<Card[] | null>(null);
  useEffect(() => {
    let gone = false;
    const project = store.project.value;
    Promise.all(
      (["typical", "doubtful"] as const).map((order) =>
        store.api.members(project, cluster, order, 0, MEMBERS),
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
  }, [cluster]);
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
          onClick={() =>
            open(store, { do: "merge", rows: [group.medoid.row], cluster: group.cluster })
          }
        >
          Merge{name} …
        </button>
      )}
      {group.size > 1 && (
        <button
          type="button"
          onClick={() => open(store, { do: "split", rows: [], cluster: group.cluster })}
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
