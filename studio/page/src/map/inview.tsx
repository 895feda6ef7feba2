import { useEffect, useState } from "preact/hooks";
import { useStore } from "../store";
import type { Card } from "../types";
import { loadCards } from "./cards";
import { where } from "./data";
import type { Scene } from "./scene";
import { placeWords } from "./tip";
import { called } from "./words";

const MOST = 40;

/** The objects in view as a list: the map for those who do not point at it. */
export function InView({
  scene,
  moves,
  pick,
}: {
  scene: () => Scene | null;
  moves: number;
  pick: (row: number) => void;
}) {
  const store = useStore();
  const [open, setOpen] = useState(false);
  const [list, setList] = useState<{ cards: Card[]; more: boolean }>({ cards: [], more: false });
  const places = where.value;
  useEffect(() => {
    const s = scene();
    if (!open || s === null) return;
    let gone = false;
    const { rows, more } = s.inView(MOST);
    loadCards(store, rows).then(
      (cards) => {
        if (!gone) setList({ cards, more });
      },
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [open, moves, places]);
  return (
    <details class="map-inview" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>Objects in view</summary>
      {list.cards.length === 0 ? (
        <p class="small quiet">None.</p>
      ) : (
        <ul>
          {list.cards.map((card) => (
            <li key={card.row}>
              <button type="button" class="link" onClick={() => pick(card.row)}>
                {called(card.id)}
              </button>{" "}
              <span class="small">{placeWords(card.row)}</span>
            </li>
          ))}
        </ul>
      )}
      {list.more && (
        <p class="small quiet">The {MOST} nearest to the middle; zoom in for others.</p>
      )}
    </details>
  );
}
