import { useEffect, useState } from "preact/hooks";
import { CardView, folded } from "../parts/card";
import { GroupDot } from "../parts/dot";
import { useStore } from "../store";
import type { Card } from "../types";
import { loadCards, peekCard } from "./cards";
import { groupName, groups, where } from "./data";
import { AMBIGUOUS, BAD, OUTLIER } from "./places";
import { called, sureWords } from "./words";

export interface TipAt {
  row: number;
  x: number;
  y: number;
  width: number; // of the map
  height: number;
}

/** What lies under the pointer. */
export function Tip({ at }: { at: TipAt }) {
  const store = useStore();
  const [card, setCard] = useState<Card | undefined>(peekCard(store, at.row));
  useEffect(() => {
    const here = peekCard(store, at.row);
    setCard(here);
    if (here) return;
    let gone = false;
    // A pointer that passes by asks for nothing.
    const timer = setTimeout(() => {
      loadCards(store, [at.row]).then(
        ([found]) => {
          if (!gone) setCard(found);
        },
        () => undefined,
      );
    }, 90);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [at.row]);
  const right = at.x < at.width / 2;
  const below = at.y < at.height / 2;
  const style = {
    left: right ? `${at.x + 14}px` : "auto",
    right: right ? "auto" : `${at.width - at.x + 14}px`,
    top: below ? `${at.y + 14}px` : "auto",
    bottom: below ? "auto" : `${at.height - at.y + 14}px`,
  };
  return (
    <div class="map-tip" style={style} aria-hidden="true">
      {card?.row === at.row && <CardView card={card} size="small" />}
      {card?.row === at.row && folded(card, "small") && <p class="small quiet fold">more: click</p>}
      <PlaceLine row={at.row} id={card?.row === at.row ? card.id : undefined} />
    </div>
  );
}

/** Where an object is, in a line. */
export function PlaceLine({ row, id }: { row: number; id: string | undefined }) {
  const p = where.value;
  if (p === null || row >= p.cluster.length) return null;
  const cluster = p.cluster[row]!;
  return (
    <p class="map-place">
      <GroupDot cluster={cluster} /> {id !== undefined && <b>{called(id)}</b>}{" "}
      <span>{placeWords(row)}</span>
    </p>
  );
}

export function placeWords(row: number): string {
  const p = where.value;
  if (p === null || row >= p.cluster.length) return "";
  const cluster = p.cluster[row]!;
  const flags = p.flags[row]!;
  if (flags & BAD) return "bad data, left out";
  const set = p.sets[p.set[row]!] ?? [];
  const parts: string[] = [];
  if (flags & AMBIGUOUS && set.length > 1)
    parts.push(set.map((c) => groupName(c, groups.value)).join(" or "));
  else parts.push(groupName(cluster, groups.value));
  if (cluster > 0) parts.push(sureWords(p.certainty[row]! / 255));
  if (flags & OUTLIER) parts.push("perhaps an outlier");
  return parts.join(", ");
}
