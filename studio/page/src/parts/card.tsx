import { Fragment, type ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Card, Difference, Field } from "../types";
import { brief, briefly } from "./brief";
import { useCue } from "./cue";
import { FieldName } from "./name";
import { Picture, type Size } from "./picture";
import { clickable } from "./press";
import { SeriesLine, seriesRange } from "./series";
import { shared } from "./shared";

/**
 * An object as a person looks at it: picture, series, text, fields, whichever it has. Beside
 * another one, `range` gives both series the same scale, and `fields` replaces its own fields by a
 * comparison that stands elsewhere. Long texts are folded, unless they are to be `whole`; large
 * ones of which that is not said have a button for it.
 */
export function CardView({
  card,
  size = "medium",
  range,
  fields = true,
  whole,
  marks = null,
  beside,
  telling = [],
}: {
  card: Card;
  size?: Size;
  range?: [number, number];
  fields?: boolean;
  whole?: boolean | undefined;
  /** What is marked in the text, and in sight where that is folded. */
  marks?: RegExp | null;
  /** A text beside it: words of both, and of one, are marked. */
  beside?: string | undefined;
  /** Fields that are shown before others, where there is no room for all. */
  telling?: readonly string[];
}) {
  const shown = shownFields(card.fields ?? [], room(card, size), fields, marks, telling);
  const bare = isBare(card);
  return (
    <div class={`card ${size}`}>
      {card.image && <Picture card={card} size={size} lazy={size !== "large"} />}
      {card.series !== undefined && card.series.length > 0 && (
        <SeriesLine values={card.series} range={range} label={seriesWords(card)} />
      )}
      {card.text !== undefined &&
        card.text !== "" &&
        (size === "large" && whole === undefined ? (
          <LongText card={card} />
        ) : (
          <CardText card={card} size={size} whole={whole} marks={marks} beside={beside} />
        ))}
      {shown.length > 0 && (
        <dl class="fields">
          {shown.map((f) => (
            <div key={f.name} class={f.aside ? "aside" : undefined}>
              <dt>
                {marks !== null && f.name.search(marks) >= 0 ? (
                  <Marked text={f.name} marks={marks} />
                ) : (
                  <FieldName name={f.name} />
                )}
              </dt>
              <dd title={f.value}>
                {marks === null || f.value.search(marks) < 0 ? (
                  brief(f.value)
                ) : (
                  <Marked text={partOf(f.value, unfolded[size], marks)} marks={marks} />
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {(bare ||
        (size === "thumb" &&
          !card.image &&
          card.series === undefined &&
          card.text === undefined)) && (
        <span class="bare">
          <Marked text={card.id} marks={marks} />
        </span>
      )}
      {card.truncated && size === "large" && (
        <p class="small quiet">Not all of this object is shown.</p>
      )}
    </div>
  );
}

/** room is how many fields a card has room for: fewer where it has something else to show. */
export function room(card: Card, size: Size): number {
  if (size === "thumb") return 0;
  if (size === "small") return faced(card) ? 3 : 6;
  return size === "medium" ? 6 : 60;
}

/**
 * shownFields are the fields of an object that are shown of it, at most so many: those that are
 * compared first, and where these are too many the telling ones of them. What a search found them
 * by comes before all else, also where no others are shown.
 */
export function shownFields(
  all: readonly Field[],
  few: number,
  others: boolean,
  marks: RegExp | null,
  telling: readonly string[] = [],
): Field[] {
  const found = (f: Field) =>
    marks !== null && (f.value.search(marks) >= 0 || f.name.search(marks) >= 0);
  let rest = others ? comparedFirst(all.filter((f) => !found(f))) : [];
  if (rest.length > few) {
    const first = telling.flatMap((name) => rest.filter((f) => f.name === name));
    rest = [...first, ...rest.filter((f) => !first.includes(f))];
  }
  return [...all.filter(found), ...rest].slice(0, few);
}

/** A text with what is marked in it. */
export function Marked({ text, marks }: { text: string; marks: RegExp | null }) {
  if (marks === null) return <>{text}</>;
  return (
    <>{pieces(text, marks).map((piece, i) => (i % 2 ? <mark key={i}>{piece}</mark> : piece))}</>
  );
}

/** A text that is not too long, or the part of it that has its beginning or the first of the marks. */
function partOf(text: string, most: number, marks: RegExp | null): string {
  return text.length <= most ? text : excerpt(text, most, marks);
}

/** isBare reports whether nothing is known of an object but its id, which is shown of it then. */
export function isBare(card: Card): boolean {
  return (
    !card.image &&
    card.series === undefined &&
    card.text === undefined &&
    (card.fields ?? []).length === 0
  );
}

/**
 * faced tells whether an object is known by a picture, a line or a text; its fields then only take
 * room in lists.
 */
export function faced(card: Card): boolean {
  return card.image === true || (card.series?.length ?? 0) > 0 || (card.text ?? "") !== "";
}

/** comparedFirst puts what is compared before what is not. */
export function comparedFirst<T extends { aside?: boolean }>(fields: readonly T[]): T[] {
  return [...fields.filter((f) => !f.aside), ...fields.filter((f) => f.aside)];
}

/** The text of an object without the blanks around it, which would be gaps. */
export function textOf(card: Pick<Card, "text">): string {
  return (card.text ?? "").trim();
}

/** Letters of a text up to which it is not folded. */
const unfolded: Record<Size, number> = { thumb: 40, small: 100, medium: 300, large: 700 };

/** folded tells whether a text is too long for a size. */
export function folded(card: Card, size: Size): boolean {
  return textOf(card).length > unfolded[size];
}

/** useFold reports whether a text is to be whole, and gives the button that folds a long one. */
export function useFold(card: Card, size: Size): [whole: boolean, button: ComponentChildren] {
  const [whole, setWhole] = useState(false);
  useEffect(() => setWhole(false), [card.row]);
  return [
    whole,
    folded(card, size) && (
      <button
        type="button"
        class="link small fold"
        aria-expanded={whole}
        {...clickable(() => setWhole(!whole))}
      >
        {whole ? "less" : "more"}
        <span class="hidden"> of the text of {card.id}</span>
      </button>
    ),
  ];
}

function CardText({
  card,
  size,
  whole = false,
  marks = null,
  beside,
  children,
}: {
  card: Card;
  size: Size;
  whole: boolean | undefined;
  marks?: RegExp | null;
  beside?: string | undefined;
  children?: ComponentChildren;
}) {
  const text = textOf(card);
  const shown = whole ? text : partOf(text, unfolded[size], marks);
  return (
    <p
      class={whole ? "text whole" : "text"}
      dir="auto"
      tabIndex={size === "large" && text.length > 250 ? 0 : undefined}
    >
      {beside !== undefined ? (
        shared(shown, beside).map((piece, i) =>
          piece.kind === "" ? (
            piece.text
          ) : (
            <span key={i} class={`word ${piece.kind}`}>
              {piece.text}
            </span>
          ),
        )
      ) : (
        <Marked text={shown} marks={marks} />
      )}
      {children}
    </p>
  );
}

/** excerpt is the part of a long text that has its beginning, or else the first of the marks. */
export function excerpt(text: string, most: number, marks: RegExp | null): string {
  const at = marks === null ? -1 : text.search(marks);
  if (at < most - 20) return `${cutWord(text, most)} …`;
  const lead = text.slice(Math.max(0, at - 30), at);
  const from = at - lead.length + Math.max(0, lead.search(/\s/));
  const rest = text.slice(from).trimStart();
  return rest.length > most ? `… ${cutWord(rest, most)} …` : `… ${rest}`;
}

/** pieces cuts a text: what is marked is at odd places. */
export function pieces(text: string, marks: RegExp): string[] {
  const out: string[] = [];
  let from = 0;
  for (const match of text.matchAll(new RegExp(marks, `${marks.flags.replace("g", "")}g`))) {
    if (match[0] === "") continue;
    out.push(text.slice(from, match.index), match[0]);
    from = match.index + match[0].length;
  }
  return [...out, text.slice(from)];
}

/** A text to be read, which folds itself. */
function LongText({ card }: { card: Card }) {
  const [whole, more] = useFold(card, "large");
  return (
    <CardText card={card} size="large" whole={whole}>
      {" "}
      {more}
    </CardText>
  );
}

/** The first characters of a text, never half of one that takes two code units. */
export function cut(text: string, most: number): string {
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return text.slice(0, end);
}

/** The words of a text that its first characters hold, or these where words are long. */
function cutWord(text: string, most: number): string {
  const start = cut(text, most + 1);
  const end = start.search(/\s\S*$/);
  return end > most / 2 ? start.slice(0, end).trimEnd() : cut(text, most);
}

function seriesWords(card: Card): string {
  const values = card.series ?? [];
  const [low, high] = seriesRange(values);
  return `object ${card.id}: a series of ${values.length} points between ${short(low)} and ${short(high)}`;
}

function short(v: number): string {
  return Number(v.toPrecision(3)).toString();
}

/**
 * The fields of two objects, row by row: those that differ marked and first, those of columns that
 * are not compared last.
 */
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
    .sort(
      (x, y) =>
        Number(x.f.aside ?? false) - Number(y.f.aside ?? false) ||
        order[x.f.mark ?? ""] - order[y.f.mark ?? ""] ||
        x.i - y.i,
    );
  const firstAside = sorted.find(({ f }) => f.aside)?.f;
  const cue = useCue<HTMLDivElement>();
  const words = { "≠": "differs", "~": "near", "": "equal" } as const;
  return (
    <div
      ref={cue}
      class="differences"
      tabIndex={0}
      role="region"
      aria-label="fields of both objects"
    >
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
          {sorted.map(({ f }) => {
            const [valueA, valueB] = briefly(f.a, f.b);
            const kind = f.aside
              ? "aside"
              : f.mark === "≠"
                ? "differs"
                : f.mark === "~"
                  ? "near"
                  : "equal";
            // A new row where the mark changes: in Chromium the cells of one that changed its class
            // kept their old style.
            return (
              <Fragment key={`${f.name}/${f.mark ?? ""}`}>
                {f === firstAside && (
                  <tr class="aside-head">
                    <th colSpan={4} scope="colgroup">
                      not compared
                    </th>
                  </tr>
                )}
                <tr class={kind}>
                  <th scope="row">
                    <FieldName name={f.name} />
                  </th>
                  <td title={f.a}>{valueA}</td>
                  <td class="mark">
                    <span aria-hidden="true">{f.mark || "="}</span>
                    <span class="hidden">{words[f.mark ?? ""]}</span>
                  </td>
                  <td title={f.b}>{valueB}</td>
                </tr>
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
