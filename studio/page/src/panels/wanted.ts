// What is looked for among the objects; it stays while other panels are open.

import { signal } from "@preact/signals";
import type { Store } from "../store";
import type { Card, Cluster } from "../types";

export interface Wanted {
  q: string;
  by: "words" | "meaning";
  /** Objects like this one. */
  like: { row: number; id: string } | null;
  /** "0": of no group. */
  group: "" | "0";
  /** Of the group that a row is in, which had a number and a name when it was chosen. */
  with: { row: number; cluster: number; name: string } | null;
  doubtful: boolean;
  answered: string;
  person: string;
}

export const nothing: Wanted = {
  q: "",
  by: "words",
  like: null,
  group: "",
  with: null,
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
    with: w.with === null ? "" : `${w.with.row}`,
    doubtful: w.doubtful ? "true" : "",
    answered: w.answered,
    person: w.person,
  };
}

/**
 * regrouped is what to make of a filter by group, once a search found which group that is now: null
 * where it is gone, else a sentence where it is not as it was chosen.
 */
export function regrouped(w: Wanted, cluster: number | undefined): string | null {
  if (w.with === null || cluster === undefined || cluster === w.with.cluster) return "";
  if (cluster === 0) return null;
  return `The groups were found anew: what was ${w.with.name} is group ${cluster} now.`;
}

/** isNothing tells whether every object is wanted. */
export function isNothing(w: Wanted): boolean {
  return Object.values(parameters(w)).every((v) => v === "");
}

interface Term {
  text: string;
  phrase: boolean; // it was in quotation marks
  not: boolean; // it is not to be there
}

/** terms cuts a query as the server does; what has neither letters nor digits looks for nothing. */
function terms(q: string): Term[] {
  return [...q.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+)|(?=\s|$))/g)]
    .map(([, not, phrase, word]) => ({
      text: (phrase ?? word ?? "").trim(),
      phrase: phrase !== undefined,
      not: not === "-",
    }))
    .filter((t) => /[\p{L}\p{N}]/u.test(t.text));
}

/**
 * excludesOnly says what to write instead of words that are all excluded, as nothing can be looked
 * for by them; "" where that is not so.
 */
export function excludesOnly(w: Wanted): string {
  const all = terms(parameters(w)["q"]!);
  if (all.length === 0 || !all.every((t) => t.not)) return "";
  const number = all.find((t) => !t.phrase && /^[\d.,]+$/.test(t.text));
  const quoted =
    number === undefined
      ? ""
      : ` A number below zero goes in quotes: "-${number.text}", which also finds ${number.text}.`;
  return `The search only excludes words: add one that is to be there.${quoted}`;
}

/** groupCalled finds the first group that is called by the words of a search, or by beginnings. */
export function groupCalled(w: Wanted, known: readonly Cluster[]): Cluster | undefined {
  const { q, ...others } = parameters(w);
  const all = terms(q!);
  if (all.length === 0 || all.some((t) => t.not)) return undefined;
  if (others["group"] !== "" || others["with"] !== "") return undefined;
  const wordsOf = (text: string) => text.toLocaleLowerCase().split(/[^\p{L}\p{N}\p{M}]+/u);
  const asked = all.flatMap((t) => wordsOf(t.text)).filter((word) => word !== "");
  return known.find((g) => {
    const name = [...g.names, g.suggested ?? ""].flatMap(wordsOf);
    return asked.every((word) => name.some((part) => part.startsWith(word)));
  });
}

/** Scripts that are written without blanks, in which words begin anywhere. */
const unspaced = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u;

/** marksOf matches the words of a search by words in a text; null where there are none. */
export function marksOf(w: Wanted): RegExp | null {
  const q = parameters(w)["q"]!;
  if (w.by !== "words") return null;
  const words: string[] = [];
  for (const { text, phrase, not } of terms(q)) {
    if (not) continue;
    const safe = text
      .split(/[^\p{L}\p{N}\p{M}]+/u)
      .filter((part) => part !== "")
      .join("[^\\p{L}\\p{N}]+");
    const anywhere = unspaced.test(text);
    const begins = anywhere ? "" : "(?<![\\p{L}\\p{N}])";
    const whole = phrase || text.length < 3;
    const ends = anywhere ? "" : whole ? "(?![\\p{L}\\p{N}])" : "[\\p{L}\\p{N}]*";
    words.push(begins + safe + ends);
  }
  return words.length === 0 ? null : new RegExp(words.join("|"), "iu");
}

/** The id of the field for words. */
export const fieldID = "search-words";

/** openSearch shows the search, ready to write in. */
export function openSearch(store: Store): void {
  store.openPanel("search");
  const write = () => {
    const input = document.getElementById(fieldID);
    if (!(input instanceof HTMLInputElement)) return false;
    input.focus();
    input.select();
    return document.activeElement === input;
  };
  // It may be there already, so that no letter that is typed at once is lost.
  if (!write()) requestAnimationFrame(write);
}

/** findSimilar looks for objects like one, and forgets what was looked for before. */
export function findSimilar(store: Store, card: Card): void {
  wantedIn(store.project.value);
  wanted.value = { ...nothing, like: { row: card.row, id: card.id } };
  store.openPanel("search");
}
