import { CardView } from "../parts/card";
import { seriesRange } from "../parts/series";
import type { Card } from "../types";

/** Two objects side by side; fields that both have are compared below them. */
export function Beside({ a, b }: { a: Card; b: Card }) {
  const range =
    a.series !== undefined && b.series !== undefined ? seriesRange(a.series, b.series) : undefined;
  const bare = (card: Card) =>
    !card.image &&
    card.series === undefined &&
    card.text === undefined &&
    card.fields !== undefined;
  return (
    <div class={bare(a) && bare(b) ? "pair slim" : "pair"}>
      {[a, b].map((card) => (
        <figure key={card.row}>
          {!bare(card) && <CardView card={card} size="large" range={range} fields={false} />}
          <figcaption dir="auto">{card.id}</figcaption>
        </figure>
      ))}
    </div>
  );
}
