// Merging, splitting and moving to groups: what a person wishes, and how tiles are dragged.

import { useState } from "preact/hooks";
import type { Store } from "../store";
import { useStore } from "../store";
import type { Cluster, Pair, Plan, Regroup } from "../types";

/** What a person wishes; the dialog asks for what is missing. */
export interface Wish {
  do: Regroup["do"];
  /** Of a merge a row of the group, of a split the two objects if they are chosen, else what moves. */
  rows: readonly number[];
  /** The group that is merged or split. */
  cluster?: number;
  /** A row of the group that they are moved to. */
  to?: number;
}

/** Rows that a step takes at most. */
export const mostRows = 10_000;

/**
 * regroupOf is what to ask a plan for, once all is chosen: to is a row of the other group, picked
 * what is to come apart.
 */
export function regroupOf(
  wish: Wish,
  to: number | null,
  picked: readonly number[],
): Regroup | null {
  switch (wish.do) {
    case "merge":
      return to === null ? null : { do: "merge", rows: [...wish.rows, to] };
    case "split":
      return picked.length === 2 ? { do: "split", rows: [...picked] } : null;
    case "move":
      return to === null ? null : { do: "move", rows: [...wish.rows], to };
  }
}

/** Whether a row is known to be in a group: its most typical members are listed. */
export function has(group: Pick<Cluster, "medoid" | "members">, row: number): boolean {
  return group.medoid.row === row || group.members.some((m) => m.row === row);
}

/** The number that the group of a wish has now: an answer since may have changed the numbers. */
export function clusterOf(wish: Wish, known: readonly Cluster[]): number | undefined {
  const [row] = wish.rows;
  if (wish.cluster === undefined || row === undefined) return wish.cluster;
  return known.find((g) => has(g, row))?.cluster ?? wish.cluster;
}

/** linkWords counts the links of a plan. */
export function linkWords(plan: Pick<Plan, "same" | "apart">): string {
  const parts = [
    plan.same > 0 && `${plan.same} “same”`,
    plan.apart > 0 && `${plan.apart} “different”`,
  ].filter(Boolean);
  return parts.join(" and ");
}

/** Whether groups can be changed by hand: not where the method takes no links. */
export function canRegroup(store: Store): boolean {
  return store.state.value?.links === true && store.state.value.clusters > 0;
}

/** Opens the dialog that shows what a wish comes to. */
export function wish(store: Store, w: Wish): void {
  if (w.rows.length > mostRows) {
    store.say(`Move up to ${mostRows.toLocaleString("en")} objects at once.`, "plain");
    return;
  }
  store.dialog.value = { kind: "regroup", wish: w };
}

/**
 * States the links of a plan in one step. Once the server has taken it, and only then, the method is
 * set to find so many groups.
 */
export function take(store: Store, plan: Plan, clusters: number | undefined): void {
  const project = store.project.value;
  const pairs: Pair[] = plan.pairs;
  const keep = plan.contradictions > 0 ? { keep: true } : {};
  store.step({ kind: "links", pairs, ...keep }, () => {
    store.say(
      `Done by ${linkWords(plan)} in one step; undo (u) takes them back together.`,
      "plain",
    );
    if (clusters === undefined) return;
    store.api.settings(project, { clusters: `${clusters}` }).then(
      () => undefined,
      (error: unknown) => store.fail(error),
    );
  });
}

const dragged = "application/x-kindred-row";

/** What makes a part of the page stand for an object that can be dragged to a group. */
export function drag(row: number): { draggable: true; onDragStart(e: DragEvent): void } {
  return {
    draggable: true,
    onDragStart: (e) => {
      e.dataTransfer?.setData(dragged, `${row}`);
      if (e.dataTransfer) e.dataTransfer.effectAllowed = "move";
    },
  };
}

/** What makes a part of the page stand for a group that objects are dropped on; to is a row of it. */
export function useDrop(to: number | undefined): {
  over: boolean;
  target: Partial<Record<"onDragOver" | "onDragLeave" | "onDrop", (e: DragEvent) => void>>;
} {
  const store = useStore();
  const [over, setOver] = useState(false);
  if (to === undefined || !canRegroup(store)) return { over: false, target: {} };
  return {
    over,
    target: {
      onDragOver: (e) => {
        if (e.dataTransfer?.types.includes(dragged) !== true) return;
        e.preventDefault();
        e.dataTransfer.dropEffect = "move";
        setOver(true);
      },
      onDragLeave: (e) => {
        const now = e.relatedTarget;
        const inside = now instanceof Node && (e.currentTarget as Element).contains(now);
        if (!inside) setOver(false);
      },
      onDrop: (e) => {
        setOver(false);
        const row = e.dataTransfer?.getData(dragged) ?? "";
        if (row === "") return;
        e.preventDefault();
        wish(store, { do: "move", rows: [Number(row)], to });
      },
    },
  };
}
