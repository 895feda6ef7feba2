// Cards of objects by row, kept for a while: what an object looks like does not change with the
// groups.

import type { Store } from "../store";
import type { Card } from "../types";

const KEPT = 600;
const kept = new Map<string, Card>();

/** peekCard gives a card that is here already. */
export function peekCard(store: Store, row: number): Card | undefined {
  return kept.get(key(store.project.value, row));
}

/** loadCards gives the cards of rows, asking for those that are not here; at most 200 rows. */
export async function loadCards(store: Store, rows: readonly number[]): Promise<Card[]> {
  const project = store.project.value;
  const missing = rows.filter((row) => !kept.has(key(project, row)));
  const found = new Map<number, Card>();
  for (const row of rows) {
    const card = kept.get(key(project, row));
    if (card) found.set(row, card);
  }
  if (missing.length > 0) {
    for (const m of await store.api.objects(project, missing)) {
      found.set(m.card.row, m.card);
      keep(project, m.card);
    }
  }
  return rows.flatMap((row) => found.get(row) ?? []);
}

function keep(project: string, card: Card): void {
  kept.set(key(project, card.row), card);
  for (const old of kept.keys()) {
    if (kept.size <= KEPT) break;
    kept.delete(old); // the oldest first
  }
}

function key(project: string, row: number): string {
  return `${row}/${project}`;
}
