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
      {[a, b].map((card, i) => (
        <Side
          key={card.row}
          card={card}
          range={range}
          bare={bare(card)}
          beside={i === 0 ? b.text : a.text}
        />
      ))}
      {a.text !== undefined && b.text !== undefined && (
        <p class="word-signs small quiet">
          <span class="word shared">words of both</span> <span class="word only">words of one</span>
        </p>
      )}
    </div>
  );
}

/** One of the two; a long text has its button below it, in sight. */
function Side({
  card,
  range,
  bare,
  beside,
}: {
  card: Card;
  range: [number, number] | undefined;
  bare: boolean;
  beside: string | undefined;
}) {
  const [whole, more] = useFold(card, "large");
  return (
    <figure>
      {!bare && (
        <CardView
          card={card}
          size="large"
          range={range}
          fields={false}
          whole={whole}
          beside={beside}
        />
      )}
      <figcaption dir="auto">{card.id}</figcaption>
      {more}
    </figure>
  );
}
