import { useState } from "preact/hooks";
import type { Card, Difference } from "../types";
import { Picture, type Size } from "./picture";
import { SeriesLine, seriesRange } from "./series";

/**
 * An object as a person looks at it: picture, series, text, fields, whichever it has. Beside
 * another one, `range`
 * gives both series the same scale, and `fields` replaces its own fields by a comparison that
 * stands elsewhere.
 */
export function CardView({
  card,
  size = "medium",
  range,
  fields = true,
}: {
  card: Card;
  size?: Size;
  range?: [number, number];
  fields?: boolean;
}) {
  const few = size === "thumb" ? 0 : size === "small" ? 3 : size === "medium" ? 6 : 60;
  const shown = fields ? (card.fields ?? []).slice(0, few) : [];
  const bare =
    !card.image &&
    card.series === undefined &&
    card.text === undefined &&
    (card.fields ?? []).length === 0;
  return (
    <div class={`card ${size}`}>
      {card.image && <Picture card={card} size={size} lazy={size !== "large"} />}
      {card.series !== undefined && card.series.length > 0 && (
        <SeriesLine values={card.series} range={range} label={seriesWords(card)} />
      )}
      {card.text !== undefined && card.text !== "" && <CardText text={card.text} size={size} />}
      {shown.length > 0 && (
        <dl class="fields">
          {shown.map((f) => (
            <div key={f.name}>
              <dt>{f.name}</dt>
              <dd>{f.value}</dd>
            </div>
          ))}
        </dl>
      )}
      {(bare ||
        (size === "thumb" &&
          !card.image &&
          card.series === undefined &&
          card.text === undefined)) && <span class="bare">{card.id}</span>}
      {card.truncated && size === "large" && (
        <p class="small quiet">Not all of this object is shown.</p>
      )}
    </div>
  );
}

function CardText({ text, size }: { text: string; size: Size }) {
  const [whole, setWhole] = useState(false);
  const most = { thumb: 40, small: 100, medium: 300, large: 1500 }[size];
  if (text.length <= most || whole)
    return (
      <p class="text" dir="auto" tabIndex={size === "large" && text.length > 250 ? 0 : undefined}>
        {text}
      </p>
    );
  return (
    <p class="text" dir="auto" tabIndex={size === "large" ? 0 : undefined}>
      {cut(text, most)}…
      {size === "large" && (
        <>
          {" "}
          <button type="button" class="link" onClick={() => setWhole(true)}>
            show all
          </button>
        </>
      )}
    </p>
  );
}

/** The first characters of a text, never half of one that takes two code units. */
export function cut(text: string, most: number): string {
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return text.slice(0, end);
}

function seriesWords(card: Card): string {
  const values = card.series ?? [];
  const [low, high] = seriesRange(values);
  return `object ${card.id}: a series of ${values.length} points between ${short(low)} and ${short(high)}`;
}

function short(v: number): string {
  return Number(v.toPrecision(3)).toString();
}

/** The fields of two objects, row by row, those that differ marked and first. */
export function Differences({
  fields,
  a,
  b,
}: {
  fields: readonly Difference[];
  a: string;
  b: string;
}) {
  const order = { "≠": 0, "~": 1, "": 2 } as const;
  const sorted = fields
    .map((f, i) => ({ f, i }))
    .sort((x, y) => order[x.f.mark ?? ""] - order[y.f.mark ?? ""] || x.i - y.i);
  const words = { "≠": "differs", "~": "near", "": "equal" } as const;
  return (
    <div class="differences" tabIndex={0} role="region" aria-label="fields of both objects">
      <table>
        <thead>
          <tr>
            <th scope="col">field</th>
            <th scope="col">{a}</th>
            <th scope="col" class="mark">
              <span class="hidden">comparison</span>
            </th>
            <th scope="col">{b}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ f }) => (
            // A new row where the mark changes: in Chromium the cells of one that changed its class
            // kept their old style.
            <tr
              key={`${f.name}/${f.mark ?? ""}`}
              class={f.mark === "≠" ? "differs" : f.mark === "~" ? "near" : "equal"}
            >
              <th scope="row">{f.name}</th>
              <td>{f.a}</td>
              <td class="mark">
                <span aria-hidden="true">{f.mark || "="}</span>
                <span class="hidden">{words[f.mark ?? ""]}</span>
              </td>
              <td>{f.b}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
