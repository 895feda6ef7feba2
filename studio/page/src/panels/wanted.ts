// What is looked for among the objects; it stays while other panels are open.

import { signal } from "@preact/signals";
import type { Store } from "../store";
import type { Card } from "../types";

export interface Wanted {
  q: string;
  by: "words" | "meaning";
  /** Objects like this one. */
  like: { row: number; id: string } | null;
  /** A number, "0" for none, "" for any. */
  group: string;
  doubtful: boolean;
  answered: string;
  person: string;
}

export const nothing: Wanted = {
  q: "",
  by: "words",
  like: null,
  group: "",
  doubtful: false,
  answered: "",
  person: "",
};

export const wanted = signal<Wanted>(nothing);
let owner = "";

/** wantedIn forgets what was looked for in another project. */
export function wantedIn(project: string): void {
  if (owner !== project) wanted.value = nothing;
  owner = project;
}

/** parameters are those of the call. Blanks around words look for nothing else. */
export function parameters(w: Wanted): Record<string, string> {
  const q = w.like === null ? w.q.trim() : "";
  return {
    q,
    by: q === "" || w.by === "words" ? "" : w.by,
    like: w.like === null ? "" : `${w.like.row}`,
    group: w.group,
    doubtful: w.doubtful ? "true" : "",
    answered: w.answered,
    person: w.person,
  };
}

/** isNothing tells whether every object is wanted. */
export function isNothing(w: Wanted): boolean {
  return Object.values(parameters(w)).every((v) => v === "");
}

/** The id of the field for words. */
export const fieldID = "search-words";

/** openSearch shows the search, ready to write in. */
export function openSearch(store: Store): void {
  store.openPanel("search");
  requestAnimationFrame(() => {
    const input = document.getElementById(fieldID);
    if (!(input instanceof HTMLInputElement)) return;
    input.focus();
    input.select();
  });
}

/** findSimilar looks for objects like one, and forgets what was looked for before. */
export function findSimilar(store: Store, card: Card): void {
  wantedIn(store.project.value);
  wanted.value = { ...nothing, like: { row: card.row, id: card.id } };
  store.openPanel("search");
}
