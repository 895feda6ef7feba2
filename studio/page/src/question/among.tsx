import type { ComponentChildren } from "preact";
import { brief } from "../parts/brief";
import { CardView, comparedFirst, Differences, isBare } from "../parts/card";
import { useCue } from "../parts/cue";
import { GroupDot } from "../parts/dot";
import { FieldName } from "../parts/name";
import { clickable } from "../parts/press";
import { seriesRange } from "../parts/series";
import { compare } from "../parts/compare";
import type { Store } from "../store";
import type { Group, Question, Reference } from "../types";

/**
 * The uncertain object in the middle, one reference of each cluster around it, the nearest framed.
 */
export function Among({
  question,
  group,
  index,
  choose,
}: {
  store: Store;
  question: Question;
  group: Group;
  index: number;
  choose(index: number, at: number): void;
}) {
  const { a } = question;
  const references = group.references;
  const all = [a, ...references.map((r) => r.card)].flatMap((c) =>
    c.series === undefined ? [] : [c.series],
  );
  const range = all.length > 1 ? seriesRange(...all) : undefined;
  const chosen = references[index];
  const fields =
    chosen === undefined
      ? undefined
      : index === group.ask
        ? question.fields
        : compare(a, chosen.card);
  const slim = !a.image && a.series === undefined && a.text === undefined;
  if (slim && references.some((r) => r.fields !== undefined)) {
    return (
      <>
        <p class="standing">
          <strong dir="auto">{a.id}</strong>
          <span class="quiet"> — {may(group)}</span>
        </p>
        <div class="seats" role="group" aria-label="the reference that you answer about">
          {references.map((r, i) => (
            <Seat key={r.card.row} reference={r} at={i} chosen={i === index} choose={choose} />
          ))}
        </div>
        <Columns group={group} object={a.id} index={index} />
      </>
    );
  }
  return (
    <>
      <div class={`among of${Math.min(references.length, 9)}`}>
        <figure class="middle">
          {!isBare(a) && (
            <CardView card={a} size="large" range={range} fields={slim && references.length > 0} />
          )}
          <figcaption dir="auto">
            {a.id}
            <span class="quiet"> — {may(group)}</span>
          </figcaption>
        </figure>
        <div class="references" role="group" aria-label="the reference that you answer about">
          {references.map((r, i) => (
            <div key={r.card.row} class={`seat r${i}`}>
              <Seat reference={r} at={i} chosen={i === index} choose={choose}>
                {!isBare(r.card) && (
                  <CardView card={r.card} size={slim ? "small" : "medium"} range={range} />
                )}
              </Seat>
            </div>
          ))}
        </div>
      </div>
      {fields !== undefined && fields.length > 0 && (
        <Differences fields={fields} a={a.id} b={(chosen?.card ?? question.b).id} />
      )}
    </>
  );
}

/** The button of one reference; its number is its key. */
function Seat({
  reference,
  at,
  chosen,
  choose,
  children,
}: {
  reference: Reference;
  at: number;
  chosen: boolean;
  choose(index: number, at: number): void;
  children?: ComponentChildren;
}) {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      class={`reference${chosen ? " chosen" : ""}${at === 0 ? " nearest" : ""}`}
      aria-keyshortcuts={at < 9 ? String(at + 1) : undefined}
      {...clickable((time) => choose(at, time))}
    >
      {children}
      <span class="of">
        <GroupDot cluster={reference.cluster} />{" "}
        <span dir="auto" class="id">
          {reference.card.id}
        </span>
        {at < 9 && <kbd aria-hidden="true">{at + 1}</kbd>}
      </span>
      {at === 0 && <span class="tag">nearest</span>}
      {reference.answered !== undefined && (
        <span class={`known ${reference.answered}`}>{knownWords[reference.answered]}</span>
      )}
    </button>
  );
}

const markWords = { "≠": "differs", "~": "near", "": "equal" } as const;

/** Objects that are fields alone, as the columns of one table. */
function Columns({ group, object, index }: { group: Group; object: string; index: number }) {
  const { references } = group;
  const by = references.map((r) => new Map((r.fields ?? []).map((f) => [f.name, f])));
  const all = new Map(references.flatMap((r) => (r.fields ?? []).map((f) => [f.name, f] as const)));
  const names = comparedFirst([...all.values()]).map((f) => f.name);
  const cue = useCue<HTMLDivElement>();
  return (
    <div
      ref={cue}
      class="differences columns"
      tabIndex={0}
      role="region"
      aria-label="fields of the object and of its references"
    >
      <table>
        <thead>
          <tr>
            <th scope="col">field</th>
            <th scope="col" dir="auto">
              {object}
            </th>
            {references.map((r, i) => (
              <th key={r.card.row} scope="col" dir="auto" class={i === index ? "chosen" : ""}>
                {r.card.id}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name} class={all.get(name)?.aside ? "aside" : undefined}>
              <th scope="row">
                <FieldName name={name} />
              </th>
              <td>{brief(all.get(name)?.a ?? "")}</td>
              {by.map((m, i) => {
                const f = m.get(name);
                const mark = f?.mark ?? "";
                return (
                  <td
                    key={references[i]!.card.row}
                    class={`${mark === "≠" ? "differs" : mark === "~" ? "near" : "equal"}${i === index ? " chosen" : ""}`}
                  >
                    <span class="mark" aria-hidden="true">
                      {mark || "="}
                    </span>
                    {"\u00a0"}
                    {brief(f?.b ?? "")}
                    <span class="hidden">, {markWords[mark]}</span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const knownWords = { same: "= same", different: "≠ different", unknown: "? don't know" } as const;

function may(group: Group): string {
  if (group.outlier) return "it seems to belong to none";
  if ((group.may ?? []).length === 0) return "uncertain";
  const numbers = group.may.map(String);
  const last = numbers.pop()!;
  return numbers.length === 0 ? `perhaps group ${last}` : `group ${numbers.join(", ")} or ${last}`;
}
