import { useStore } from "../store";
import type { State } from "../types";
import { clusterColour, inkOn } from "./colour";

/**
 * The colour of a group as clusterColour counts them, from 1: it stays while the group's number
 * changes.
 */
export function hueOf(cluster: number, state: State | null): number {
  return cluster <= 0 ? 0 : (state?.hues[cluster - 1] ?? cluster - 1) + 1;
}

/** The mark of a cluster: its number on its colour. Cluster 0 is a hollow ring: none. */
export function GroupDot({
  cluster,
  name,
  big = false,
}: {
  cluster: number;
  name?: string;
  big?: boolean;
}) {
  const store = useStore();
  const dark = store.dark.value;
  const hue = hueOf(cluster, store.state.value);
  const label =
    cluster > 0 ? (name ? `group ${cluster}, ${name}` : `group ${cluster}`) : "no group";
  const style =
    cluster > 0
      ? {
          backgroundColor: clusterColour(hue, dark),
          color: inkOn(hue, dark),
          borderColor: "transparent",
        }
      : { borderColor: clusterColour(0, dark) };
  return (
    <span class={big ? "dot big" : "dot"} role="img" aria-label={label} title={label} style={style}>
      {cluster > 0 ? cluster : ""}
    </span>
  );
}
