import { useEffect, useRef, useState } from "preact/hooks";
import { groupName, groups, watchGroups } from "../map/data";
import { Differences, faced } from "../parts/card";
import { clickable } from "../parts/press";
import { Explain } from "../parts/explain";
import { pictureSizes } from "../parts/picture";
import type { Store } from "../store";
import type { Card, Difference, Question } from "../types";
import { Answers } from "./answers";
import { Among } from "./among";
import { End } from "./end";
import { Beside } from "./beside";
import { Guessed } from "./guess";
import { Progressed } from "./progress";
import { useKeys, useSight } from "./use";

/** The question: what is asked, the objects, the buttons, and how far the work is. */
export function QuestionPane({ store }: { store: Store }) {
  const asked = store.asked.value;
  const q = asked?.question ?? null;
  const about = asked?.about ?? null;
  const key = q === null ? "" : `${q.a.row}-${q.b.row}`;
  const references = q?.group?.references ?? [];
  const index = references.findIndex((r) => r.card.row === about?.row);
  const [guessing, setGuessing] = useState("");
  const many = q?.group !== undefined;
  useEffect(() => (many ? watchGroups(store) : undefined), [store, many]);
  const guess = () => {
    if (q === null) store.refuse("none");
    else setGuessing(guessing === key ? "" : key);
  };
  const pane = useRef<HTMLElement>(null);
  const open = useSight(store, pane);
  useKeys(store, guess);
  usePreload(store);

  return (
    <section ref={pane} class="question" aria-labelledby="asked" data-open={open}>
      <Progressed store={store} />
      <p class="hidden" role="status">
        {q !== null && about !== null && `Question ${q.number}: ${q.a.id} and ${about.id}`}
      </p>
      {q === null || about === null ? (
        <End store={store} />
      ) : (
        <>
          <header class="asked">
            <h2 id="asked">
              {q.group === undefined ? (
                "Do these two belong together?"
              ) : (
                <>
                  Is <span dir="auto">{q.a.id}</span> the same as <span dir="auto">{about.id}</span>
                  {references[index] !== undefined && ofGroup(references[index].cluster)}?
                </>
              )}
            </h2>
            <p class="why">
              {store.posed.value ? (
                <>
                  You chose this pair.{" "}
                  <button type="button" class="link" {...clickable(() => store.unpose())}>
                    Back to the questions
                  </button>
                </>
              ) : (
                <>
                  <span class="quiet">Question {q.number}. </span>
                  {whyWords(q)}
                </>
              )}
            </p>
            <Mooted store={store} />
          </header>
          {q.group === undefined ? (
            <Beside key={key} a={q.a} b={q.b} />
          ) : (
            <Among
              key={key}
              store={store}
              question={q}
              group={q.group}
              index={index}
              choose={(i, at) => store.refer(i, at)}
            />
          )}
          {q.fields !== undefined && q.fields.length > 0 && q.group === undefined && (
            <Fields fields={q.fields} a={q.a} b={q.b} />
          )}
          <Attach store={store} question={q} />
          <Explain a={q.a.row} b={about.row} names={[q.a.id, about.id]} />
          <Guessed store={store} a={q.a.row} b={about.row} open={guessing === key} toggle={guess} />
        </>
      )}
      <Answers store={store} />
    </section>
  );
}

/** The fields of both; folded where other things are looked at, and no field is compared. */
function Fields({ fields, a, b }: { fields: readonly Difference[]; a: Card; b: Card }) {
  const table = <Differences fields={fields} a={a.id} b={b.id} />;
  if (!faced(a) || fields.some((f) => !f.aside)) return table;
  return (
    <details class="asides">
      <summary>Columns that are not compared</summary>
      {table}
    </details>
  );
}

/** What to attach where an object is numbers, or an id, alone. */
function Attach({ store, question: q }: { store: Store; question: Question }) {
  const state = store.state.value;
  const seen = q.a.image || q.a.text !== undefined || q.a.series !== undefined;
  if (state === null || seen) return null;
  const matrix = state.kind === "none";
  if (!matrix && !/\.(npy|npz)(\.\w+)?$/i.test(state.data)) return null;
  return (
    <p class="attach small">
      {matrix
        ? "Only ids are known of these objects. "
        : "These are vectors: numbers say little to the eye. "}
      To see what you answer about, name its pictures or texts when you begin:{" "}
      {matrix ? (
        <code>--pictures FOLDER</code>
      ) : (
        <>
          <code>kindred ask FOLDER --embedding {state.data}</code> for pictures,{" "}
          <code>kindred ask TEXTS.csv --text COLUMN --embedding {state.data}</code> for texts
        </>
      )}
      .
    </p>
  );
}

/** The group of a reference, with what it is called. */
function ofGroup(cluster: number): string {
  const name = groupName(cluster, groups.value);
  return name === `group ${cluster}` ? ` of ${name}` : ` of group ${cluster}, “${name}”`;
}

/** Why the answer of the pair on the screen is no longer needed, and how to go on. */
function Mooted({ store }: { store: Store }) {
  const moot = store.posed.value ? undefined : store.question.value?.moot;
  return (
    <p class="moot" role="status">
      {moot !== undefined && (
        <>
          <span dir="auto">{moot.words}</span>{" "}
          <span>
            Press <kbd>k</kbd> to go on
            {moot.closed === true ? "." : ", or answer it: your answer counts, too."}
          </span>
        </>
      )}
    </p>
  );
}

/** Why this pair, in a sentence. */
function whyWords(q: Question): string {
  switch (q.source) {
    case "skipped":
      return "You skipped this one before.";
    case "overlap":
      return "Others answered this one, too. Your own answer shows how far you agree.";
    case "repeat":
      return "You answered this one before. Asked again, it shows how consistent you are.";
    default:
      return q.why === "" ? "" : `Why this pair: ${q.why}.`;
  }
}

/** Loads the pictures of the questions that follow. */
function usePreload(store: Store): void {
  const turn = store.turn.value;
  const project = store.project.value;
  useEffect(() => {
    const rows = new Set<number>();
    for (const q of turn?.ahead ?? []) {
      for (const card of [q.a, q.b, ...(q.group?.references ?? []).map((r) => r.card)])
        if (card.image) rows.add(card.row);
    }
    const images = [...rows].slice(0, 40).map((row) => {
      const image = new Image();
      image.src = store.api.picture(project, row, pictureSizes.large);
      return image;
    });
    return () => images.splice(0);
  }, [turn, project]);
}
