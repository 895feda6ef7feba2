// The groups that a dialog is about: those of rows, as numbers change whenever groups are found anew.

import { useEffect, useState } from "preact/hooks";
import type { Store } from "../store";
import type { Cluster } from "../types";

/** Rows that are asked about at most. */
export const mostAsked = 200;

/** The groups as they were found last, and which of them rows are in. */
export interface Stand {
  clusters: readonly Cluster[];
  /** The number of the group of a row; 0 for none, undefined where nobody asked. */
  of(row: number): number | undefined;
  revision: number;
}

/** stand makes a Stand of what the server said of rows. */
export function stand(
  found: { clusters: readonly Cluster[]; of: readonly number[]; revision: number },
  rows: readonly number[],
): Stand {
  const at = new Map(rows.map((row, i) => [row, found.of[i] ?? 0]));
  for (const g of found.clusters) at.set(g.medoid.row, g.cluster);
  return { clusters: found.clusters, of: (row) => at.get(row), revision: found.revision };
}

/**
 * useStand follows the groups, and those of rows; null until they are here. What is not of the
 * groups as they stand now is stale: it is about to be replaced.
 */
export function useStand(store: Store, rows: readonly number[]): Stand | null {
  const [at, setAt] = useState<Stand | null>(null);
  const project = store.project.value;
  useEffect(() => {
    let gone = false;
    store.api.groups(project, rows).then(
      (found) => !gone && setAt(stand(found, rows)),
      (error: unknown) => !gone && store.fail(error),
    );
    return () => {
      gone = true;
    };
  }, [project, rows.join(","), store.state.value?.fitted, store.state.value?.revision]);
  return at;
}
