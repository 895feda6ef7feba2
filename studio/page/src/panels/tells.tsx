import type { Cluster } from "../types";
import { faced } from "../parts/card";

/** What tells a group of rows apart, in words: a picture, a line or a text does that by itself. */
export function tells(group: Pick<Cluster, "medoid" | "traits">, most = 2): string {
  if (faced(group.medoid)) return "";
  return group.traits
    .slice(0, most)
    .map((t) => t.words)
    .join(" · ");
}

/** The same, below the name of the group; nothing where there is nothing to be said. */
export function Tells({ group }: { group: Cluster }) {
  const words = tells(group);
  if (words === "") return null;
  return (
    <span class="tells small quiet" dir="auto">
      {words}
    </span>
  );
}
