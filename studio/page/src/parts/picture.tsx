import { useState } from "preact/hooks";
import { useStore } from "../store";
import type { Card } from "../types";

/** Pixels asked of the server; few sizes, so that pictures are kept and used again. */
export const pictureSizes = { thumb: 64, small: 128, medium: 256, large: 640 } as const;
export type Size = keyof typeof pictureSizes;

/** The picture of an object. What it shows is not known: its name is its id. */
export function Picture({ card, size, lazy = true }: { card: Card; size: Size; lazy?: boolean }) {
  const store = useStore();
  const [broken, setBroken] = useState("");
  const src = store.api.picture(store.project.value, card.row, pictureSizes[size]);
  if (broken === src)
    return (
      <div class="nopicture" role="img" aria-label={`${card.id}: no picture can be had`}>
        no picture
      </div>
    );
  return (
    <img
      key={src}
      class={card.width !== undefined && card.width <= 64 ? "picture tiny" : "picture"}
      src={src}
      alt={`object ${card.id}`}
      style={card.width && card.height ? { "--shape": card.width / card.height } : undefined}
      width={card.width}
      height={card.height}
      loading={lazy ? "lazy" : "eager"}
      decoding="async"
      draggable={false}
      onError={() => setBroken(src)}
    />
  );
}
