import { useState } from "preact/hooks";
import { CardView, faced, useFold } from "../parts/card";
import { clickable } from "../parts/press";
import { useStore } from "../store";
import type { Card, Pair } from "../types";
import { called, things } from "../map/words";
import { drag } from "./regroup";

/**
 * pairs are the answers that a confirmed group makes: each object with the most typical one that is
 * not a stranger.
 */
export function pairs(rows: readonly number[], strangers: ReadonlySet<number>): Pair[] {
  const anchor = rows.find((row) => !strangers.has(row));
  if (anchor === undefined) return [];
  return rows
    .filter((row) => row !== anchor)
    .map((row) => ({ a: anchor, b: row, link: strangers.has(row) ? "different" : "same" }));
}

/**
 * Objects that seem to be one group, the most typical first: untick the strangers, and say so in
 * one step.
 */
export function OneGroup({ cards, done }: { cards: readonly Card[]; done?: () => void }) {
  const store = useStore();
  const [strangers, setStrangers] = useState<ReadonlySet<number>>(new Set());
  const rows = cards.map((c) => c.row);
  const links = pairs(rows, strangers);
  const anchor = rows.find((row) => !strangers.has(row));
  const same = links.filter((l) => l.link === "same").length;
  const different = links.length - same;
  const tick = (row: number, on: boolean) => {
    const next = new Set(strangers);
    if (on) next.delete(row);
    else next.add(row);
    setStrangers(next);
  };
  const send = () => {
    store.step({ kind: "links", pairs: links });
    store.say(
      `${things(links.length, "link")} stated in one step; undo takes them back together.`,
      "plain",
    );
    setStrangers(new Set());
    done?.();
  };
  return (
    <div class="onegroup">
      <ul class="tiles">
        {cards.map((card) => (
          <Ticked
            key={card.row}
            card={card}
            on={!strangers.has(card.row)}
            typical={card.row === anchor}
            tick={(on) => tick(card.row, on)}
          />
        ))}
      </ul>
      <div class="confirm">
        <button type="button" class="primary" disabled={same === 0} {...clickable(send, true)}>
          {different === 0
            ? `These ${cards.length} are one group`
            : `Those ticked are one group, the ${different === 1 ? "other is a stranger" : `other ${different} are strangers`}`}
        </button>
        <span class="small quiet" role="status">
          {same === 0
            ? "Tick at least two."
            : `That makes ${things(same, "“same”", "“same”")}${different > 0 ? ` and ${things(different, "“different”", "“different”")}` : ""}: each with the most typical one.`}
        </span>
      </div>
    </div>
  );
}

/** One of the objects, ticked or not. */
function Ticked({
  card,
  on,
  typical,
  tick,
}: {
  card: Card;
  on: boolean;
  typical: boolean;
  tick(on: boolean): void;
}) {
  const store = useStore();
  const [whole, more] = useFold(card, "small");
  return (
    <li class={`tile${faced(card) ? "" : " plain"}${on ? "" : " stranger"}`} {...drag(card.row)}>
      <label>
        <input
          type="checkbox"
          checked={on}
          aria-label={`${called(card.id)} belongs to the group`}
          onChange={(e) => tick(e.currentTarget.checked)}
        />
        <CardView card={card} size="small" fields={!faced(card)} whole={whole} />
        <span class="tile-id">
          {called(card.id)}
          {typical && <span class="quiet"> · typical</span>}
        </span>
      </label>
      {more}{" "}
      <button type="button" class="link small" onClick={() => store.openObject(card.row)}>
        details<span class="hidden"> of {called(card.id)}</span>
      </button>
    </li>
  );
}
