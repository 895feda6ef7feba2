// The map in words, for those who do not see it and as its title.

import type { MapQuality } from "../types";
import { AMBIGUOUS, BAD, OUTLIER, type Places, sizes } from "./places";

export interface Counts {
  objects: number;
  groups: number[]; // sizes; [0]: in none
  doubtful: number;
  ambiguous: number;
  outliers: number;
  bad: number;
}

export function count(p: Places): Counts {
  const c: Counts = {
    objects: p.cluster.length,
    groups: sizes(p),
    doubtful: 0,
    ambiguous: 0,
    outliers: 0,
    bad: 0,
  };
  for (let i = 0; i < p.flags.length; i++) {
    const f = p.flags[i]!;
    if (f & BAD) {
      c.bad++;
      continue;
    }
    if (f & OUTLIER) c.outliers++;
    if (f & AMBIGUOUS) c.ambiguous++;
    if (p.certainty[i]! < 128) c.doubtful++;
  }
  return c;
}

/** unsettled reports whether most objects are in doubt, so that groups are hardly there yet. */
export function unsettled(c: Counts): boolean {
  return c.doubtful > (c.objects - c.bad) / 2;
}

/** summary is the map in a few sentences; the groups by size, ten at most. */
export function summary(c: Counts, name: (cluster: number) => string): string {
  const list = c.groups
    .map((size, cluster) => ({ size, cluster }))
    .filter((g) => g.cluster > 0 && g.size > 0)
    .sort((a, b) => b.size - a.size || a.cluster - b.cluster);
  const said = list.slice(0, 10).map((g) => `${name(g.cluster)}: ${number(g.size)}`);
  const more = list.length - said.length;
  const parts = [`Map of ${things(c.objects, "object")} in ${things(list.length, "group")}.`];
  if (said.length > 0)
    parts.push(
      `${said.join(", ")}${more > 0 ? ` and ${things(more, "more group", "more groups")}` : ""}.`,
    );
  const odd: string[] = [];
  if (c.groups[0]! > 0) odd.push(`${number(c.groups[0]!)} in no group`);
  if (c.doubtful > 0) odd.push(`${number(c.doubtful)} doubtful`);
  if (c.ambiguous > 0) odd.push(`${number(c.ambiguous)} between groups`);
  if (c.outliers > 0) odd.push(things(c.outliers, "outlier"));
  if (c.bad > 0) odd.push(`${number(c.bad)} left out as bad data`);
  if (odd.length > 0) parts.push(`${odd.join(", ")}.`);
  return parts.join(" ");
}

/** mixture says which groups some rows belong to, the most frequent first. */
export function mixture(p: Places, rows: ArrayLike<number>): { cluster: number; count: number }[] {
  const counts = new Map<number, number>();
  for (let i = 0; i < rows.length; i++) {
    const c = p.cluster[rows[i]!] ?? 0;
    counts.set(c, (counts.get(c) ?? 0) + 1);
  }
  return [...counts]
    .map(([cluster, count]) => ({ cluster, count }))
    .sort((a, b) => b.count - a.count || a.cluster - b.cluster);
}

const format = new Intl.NumberFormat("en-GB");

export function number(n: number): string {
  return format.format(n);
}

export function things(n: number, one: string, many = `${one}s`): string {
  return `${number(n)} ${n === 1 ? one : many}`;
}

/** answered counts answers, and the links that they state where those are more. */
export function answered({ answers, stated }: { answers: number; stated: number }): string {
  return things(answers, "answer") + (stated > answers ? ` (${things(stated, "link")})` : "");
}

export function percent(share: number): string {
  const p = 100 * share;
  if (p > 0 && p < 1) return "<1 %";
  if (p < 100 && p > 99) return ">99 %";
  return `${Math.round(p)} %`;
}

/** sureWords is how certain an object is of its group, on the one scale that the page has. */
export function sureWords(certainty: number): string {
  if (certainty >= 0.9) return "sure";
  if (!isDoubtful(certainty)) return "fairly sure";
  return certainty >= 0.2 ? "doubtful" : "very doubtful";
}

/** isDoubtful reports whether an object is doubtful, or very doubtful, on that scale. */
export function isDoubtful(certainty: number): boolean {
  return certainty < 0.5;
}

/** called is how an object is spoken of: a bare number says what it is a number of. */
export function called(id: string): string {
  return /^\d+$/.test(id) ? `object ${id}` : id;
}

/** keeping says how a map is laid out where its axes do not, and how well it keeps neighbours. */
export function keeping(layout: string, quality: MapQuality | null): string {
  const how = layout === "neighbours" ? "Nearest neighbours lie together; axes mean nothing." : "";
  if (quality === null) return how;
  const of = `${quality.neighbours} neighbours of ${number(quality.rows)} objects`;
  const kept =
    `Trustworthiness ${quality.trustworthiness.toFixed(3)}, ` +
    `continuity ${quality.continuity.toFixed(3)} (${of}).`;
  return how === "" ? kept : `${how} ${kept}`;
}
