import { CardView, useFold } from "../parts/card";
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
        <Side key={card.row} card={card} range={range} bare={bare(card)} />
      ))}
    </div>
  );
}

/** One of the two; a long text has its button below it, in sight. */
function Side({
  card,
  range,
  bare,
}: {
  card: Card;
  range: [number, number] | undefined;
  bare: boolean;
}) {
  const [whole, more] = useFold(card, "large");
  return (
    <figure>
      {!bare && <CardView card={card} size="large" range={range} fields={false} whole={whole} />}
      <figcaption dir="auto">{card.id}</figcaption>
      {more}
    </figure>
  );
}
