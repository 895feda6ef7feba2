import { CardView, Differences } from "../parts/card";
import { GroupDot } from "../parts/dot";
import { clickable } from "../parts/press";
import { seriesRange } from "../parts/series";
import { compare } from "../parts/compare";
import type { Store } from "../store";
import type { Group, Question } from "../types";

/** The uncertain object in the middle, one reference of each cluster around it, the nearest framed. */
export function Among({ question, group, index, choose }: {
  store: Store;
  question: Question;
  group: Group;
  index: number;
  choose(index: number): void;
}) {
  const { a } = question;
  const references = group.references;
  const all = [a, ...references.map((r) => r.card)].flatMap((c) => (c.series === undefined ? [] : [c.series]));
  const range = all.length > 1 ? seriesRange(...all) : undefined;
  const chosen = references[index];
  const fields = chosen === undefined ? undefined : index === group.ask ? question.fields : compare(a, chosen.card);
  const slim = !a.image && a.series === undefined && a.text === undefined;
  return (
    <>
      <div class={`among of${Math.min(references.length, 9)}`}>
        <figure class="middle">
          <CardView card={a} size="large" range={range} fields={slim && references.length > 0} />
          <figcaption dir="auto">{a.id}<span class="quiet"> — {may(group)}</span></figcaption>
        </figure>
        <div class="references" role="group" aria-label="the reference that you answer about">
          {references.map((r, i) => (
            <div key={r.card.row} class={`seat r${i}`}>
              <button
                type="button"
                aria-pressed={i === index}
                class={`reference${i === index ? " chosen" : ""}${i === 0 ? " nearest" : ""}`}
                aria-keyshortcuts={i < 9 ? String(i + 1) : undefined}
                {...clickable(() => choose(i))}
              >
                <CardView card={r.card} size={slim ? "small" : "medium"} range={range} />
                <span class="of">
                  <GroupDot cluster={r.cluster} /> <span dir="auto" class="id">{r.card.id}</span>
                  {i < 9 && <kbd aria-hidden="true">{i + 1}</kbd>}
                </span>
                {i === 0 && <span class="tag">nearest</span>}
                {r.answered !== undefined && <span class={`known ${r.answered}`}>{knownWords[r.answered]}</span>}
              </button>
            </div>
          ))}
        </div>
      </div>
      {fields !== undefined && fields.length > 0 && <Differences fields={fields} a={a.id} b={(chosen?.card ?? question.b).id} />}
    </>
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
