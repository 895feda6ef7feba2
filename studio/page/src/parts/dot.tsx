import { useStore } from "../store";
import { clusterColour, inkOn } from "./colour";

/** The mark of a cluster: its number on its colour. Cluster 0 is a hollow ring: none. */
export function GroupDot({ cluster, name, big = false }: { cluster: number; name?: string; big?: boolean }) {
  const dark = useStore().dark.value;
  const label = cluster > 0 ? (name ? `group ${cluster}, ${name}` : `group ${cluster}`) : "no group";
  const style = cluster > 0
    ? { backgroundColor: clusterColour(cluster, dark), color: inkOn(cluster, dark), borderColor: "transparent" }
    : { borderColor: clusterColour(0, dark) };
  return (
    <span class={big ? "dot big" : "dot"} role="img" aria-label={label} title={label} style={style}>
      {cluster > 0 ? cluster : ""}
    </span>
  );
}
