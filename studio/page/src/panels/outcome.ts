// What came of a change of groups by hand, once they are found anew.

import { effect } from "@preact/signals";
import { called, number, things } from "../map/words";
import type { Store } from "../store";
import type { Pair, Plan } from "../types";
import { linkWords } from "./regroup";
import { mostAsked, type Stand, stand } from "./standing";

/** What was done, of which what comes of it is looked at. */
export interface Done {
  plan: Plan;
  /** Own answers that stood against it were taken back. */
  back: boolean;
  /** How many objects the groups of the plan had before. */
  size: number;
}

/** The share of two groups from which they count as one: some objects may go to others. */
const mostly = 0.9;

/** The pairs whose objects are looked at, at even steps where there are many. */
export function looked(pairs: readonly Pair[]): Pair[] {
  const most = mostAsked / 2;
  if (pairs.length <= most) return [...pairs];
  return Array.from({ length: most }, (_, i) => pairs[Math.floor((i * pairs.length) / most)]!);
}

/** The group that most of some rows are in; 0 for none. */
function most(rows: readonly number[], now: Stand): number {
  const counts = new Map<number, number>();
  for (const row of rows) {
    const k = now.of(row) ?? 0;
    if (k > 0) counts.set(k, (counts.get(k) ?? 0) + 1);
  }
  return [...counts].sort(([a, x], [b, y]) => y - x || a - b)[0]?.[0] ?? 0;
}

/** came says what came of a plan in the groups as they stand now. */
export function came({ plan, back, size: before }: Done, now: Stand): string {
  const same = looked(plan.pairs).filter((p) => p.link === "same");
  const size = (k: number) => now.clusters.find((g) => g.cluster === k)?.size ?? 0;
  const within = (k: number) =>
    k === 0 ? "no group" : `group ${k} of ${things(size(k), "object")}`;
  const why = reason(plan, back);
  switch (plan.regroup.do) {
    case "merge": {
      const [one, two] = [
        most(
          same.map((p) => p.a),
          now,
        ),
        most(
          same.map((p) => p.b),
          now,
        ),
      ];
      if (one > 0 && one === two && size(one) < mostly * before)
        return `Not all of the two came together: their group has ${things(size(one), "object")} now, where the two had ${number(before)}${why || ". Questions that follow may join the others. Undo (u) takes that back."}`;
      if (one > 0 && one === two)
        return `They are one group now, of ${things(size(one), "object")}. Undo (u) parts them.`;
      return `The groups are not one${why || ": other links and distances keep them apart. Questions that follow may join them."}`;
    }
    case "split": {
      const [a, b] = plan.regroup.rows.map((row) => now.of(row) ?? 0);
      if (a !== undefined && b !== undefined && a !== b)
        return `The two are in different groups now: ${within(a)} and ${within(b)}. There are ${things(now.clusters.length, "group")}. Undo (u) takes that back.`;
      return `The two are still in one group${why || ": see the remarks above the groups."}`;
    }
    case "move": {
      const moved = new Set(plan.regroup.rows);
      const ties = same.filter((p) => moved.has(p.a));
      const to = most(
        ties.map((p) => p.b),
        now,
      );
      const there = ties.filter((p) => now.of(p.a) === to).length;
      if (ties.length > 0 && there === ties.length)
        return `${plan.objects === 1 ? "It is" : `All ${number(plan.objects)} are`} in group ${to} now. Undo (u) takes that back.`;
      const share = `${number(Math.round((there / Math.max(1, ties.length)) * plan.objects))} of ${things(plan.objects, "object")}`;
      return `About ${share} are in group ${to} now${why || ". Undo (u) takes that back."}`;
    }
  }
}

/** reason is why a plan may not have come about; "" where nothing is known of it. */
function reason(plan: Plan, back: boolean): string {
  const [first, ...more] = plan.against;
  if (first !== undefined && !back) {
    const others = more.length === 0 ? "" : ` and ${things(more.length, "other pair")}`;
    return `: you answered otherwise about ${called(first.a!.id)} and ${called(first.b!.id)}${others}.`;
  }
  return plan.contradictions > 0 ? ": earlier answers contradict that." : "";
}

/** report says what came of a step, once the groups are of it; nothing if there are later ones. */
export function report(store: Store, done: Done, revision: number): void {
  const project = store.project.value;
  store.say(`${linkWords(done.plan)} stated in one step. The groups are found anew …`, "plain");
  let stop: () => void = () => undefined;
  let over = false;
  stop = effect(() => {
    const state = store.state.value;
    const gone = store.project.value !== project;
    if (over || (!gone && (state === null || (state.fitted < revision && !state.failed)))) return;
    over = true;
    queueMicrotask(() => stop());
    if (gone || state === null || state.failed) return;
    const rows = [...done.plan.regroup.rows.slice(0, 2)];
    for (const p of looked(done.plan.pairs)) rows.push(p.a, p.b);
    const some = [...new Set(rows)].slice(0, mostAsked);
    // Answers may have come since, but nothing is said of what was taken back.
    const counts =
      state.revision === revision
        ? Promise.resolve(true)
        : store.api
            .history(project, 0, state.revision - revision + 1)
            .then(({ events }) => events.find((e) => e.seq === revision)?.inEffect === true);
    Promise.all([store.api.groups(project, some), counts]).then(
      ([found, still]) => {
        if (still && store.project.value === project)
          store.say(came(done, stand(found, some)), "plain");
      },
      () => undefined, // the groups say it themselves
    );
  });
}
