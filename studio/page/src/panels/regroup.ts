// Merging, splitting and moving to groups: what a person wishes, and how tiles are dragged.

import { useState } from "preact/hooks";
import type { Store } from "../store";
import { useStore } from "../store";
import type { Cluster, Plan, Regroup, Step } from "../types";
import type { Stand } from "./standing";

/** What a person wishes; the dialog asks for what is missing. */
export interface Wish {
  do: Regroup["do"];
  /** Of a merge a row of the group, of a split the two objects if they are chosen, else what moves. */
  rows: readonly number[];
  /** A row of the group that is split, where the objects are not chosen yet. */
  row?: number;
  /** A row of the group that they are moved to. */
  to?: number;
}

/** Rows that a step takes at most. */
export const mostRows = 10_000;

/**
 * hasWords reports whether all words are in what is seen of a group where it is to be chosen: its
 * number, its name, its typical member. Case does not matter.
 */
export function hasWords(g: Cluster, name: string, words: string): boolean {
  const seen = `${g.cluster} ${name} ${g.medoid.id} ${g.medoid.text ?? ""}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => seen.includes(word));
}

/**
 * regroupOf is what to ask a plan for, once all is chosen: to is a row of the other group, picked
 * what is to come apart.
 */
export function regroupOf(
  wish: Wish,
  to: number | null,
  picked: readonly number[],
  back = false,
): Regroup | null {
  const also = back ? { back } : {};
  switch (wish.do) {
    case "merge":
      return to === null ? null : { do: "merge", rows: [...wish.rows, to], ...also };
    case "split":
      return picked.length === 2 ? { do: "split", rows: [...picked], ...also } : null;
    case "move":
      return to === null ? null : { do: "move", rows: [...wish.rows], to, ...also };
  }
}

/** A row of the group that is merged or split; what moves is of any. */
export function rowOf(wish: Wish): number | undefined {
  return wish.do === "move" ? undefined : (wish.row ?? wish.rows[0]);
}

/** The group that nothing can be moved to, as all that moves is in it; 0 where there is none. */
export function left(rows: readonly number[], now: Pick<Stand, "of">): number {
  const [first, ...more] = rows.map((row) => now.of(row));
  return more.every((k) => k === first) ? (first ?? 0) : 0;
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

/** What is sent for a plan: its links, what is taken back with them, the number of groups to find. */
export function stepOf(plan: Plan, back: boolean, clusters: number | undefined): Step {
  return {
    kind: "links",
    pairs: plan.pairs,
    ...(plan.contradictions > 0 ? { keep: true } : {}),
    ...(back && plan.against.length > 0 ? { back: plan.against.map((e) => e.seq) } : {}),
    ...(clusters !== undefined ? { clusters } : {}),
  };
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
