import { useEffect, useState } from "preact/hooks";
import { isAnswer } from "../api";
import { CardView } from "../parts/card";
import { Empty } from "../parts/empty";
import { mine, Sign, whoWords } from "../parts/event";
import { ago } from "../parts/time";
import { Chain } from "../question/clash";
import { useStore, type Store } from "../store";
import type { Clash, Dispute, LinkKind } from "../types";

/**
 * Answers kept as doubt, each with the chain against it, and pairs that were answered in different
 * ways.
 */
export function ContradictionsPanel() {
  const store = useStore();
  const project = store.project.value;
  const revision = store.state.value?.revision;
  const [all, setAll] = useState<{ project: string; clashes: Clash[]; disputes: Dispute[] } | null>(
    null,
  );
  useEffect(() => {
    let current = true;
    store.api.contradictions(project).then(
      (c) => current && setAll({ project, ...c }),
      (error: unknown) => current && store.fail(error),
    );
    return () => {
      current = false;
    };
  }, [store, project, revision]);
  if (all === null || all.project !== project)
    return (
      <p class="quiet" role="status">
        …
      </p>
    );
  return (
    <div class="contradictions">
      {all.clashes.length + all.disputes.length === 0 && (
        <Empty
          steps={[
            ["history", "See all answers"],
            ["question", "Go on answering"],
          ]}
        >
          <p>
            All answers agree. An answer that contradicts others is shown before it counts, and can
            be kept here as doubt.
          </p>
        </Empty>
      )}
      {all.clashes.length > 0 && <h3>Kept as doubt</h3>}
      {all.clashes.map((c) => (
        <Doubt key={c.answer.seq} store={store} clash={c} />
      ))}
      {all.disputes.length > 0 && <h3>Answered in different ways</h3>}
      {all.disputes.map((d) => (
        <Disagreement key={`${d.a.row}-${d.b.row}`} store={store} dispute={d} />
      ))}
    </div>
  );
}

function Doubt({ store, clash }: { store: Store; clash: Clash }) {
  const me = store.me.value?.name ?? "";
  const revision = store.state.value?.revision;
  const { answer } = clash;
  return (
    <article class="trouble-card" data-clash={answer.seq}>
      <p>
        <b class="formula" dir="auto">
          {clash.words}
        </b>
      </p>
      <Chain
        store={store}
        clash={clash}
        mend={(event, to) =>
          store.step(
            to === null
              ? { kind: "drop", seq: event.seq, revision }
              : { kind: "edit", seq: event.seq, answer: to, revision },
          )
        }
      />
      {mine(answer, me) && isAnswer(answer.step) && (
        <div class="choices">
          <button
            type="button"
            onClick={() => store.step({ kind: "drop", seq: answer.seq, revision })}
          >
            Drop the doubtful answer
          </button>
          <button
            type="button"
            onClick={() =>
              store.step({
                kind: "edit",
                seq: answer.seq,
                answer: answer.step === "same" ? "different" : "same",
                revision,
              })
            }
          >
            Agree with the chain
          </button>
        </div>
      )}
    </article>
  );
}

function Disagreement({ store, dispute: d }: { store: Store; dispute: Dispute }) {
  const me = store.me.value?.name ?? "";
  const revision = store.state.value?.revision;
  const own = d.answers.filter((e) => mine(e, me) && isAnswer(e.step));
  const give = (answer: LinkKind) => {
    const changing = own.filter((e) => e.step !== answer);
    if (own.length === 0) store.step({ kind: "answer", a: d.a.row, b: d.b.row, answer });
    // With one step the revision holds what was seen; further steps come after it.
    changing.forEach((e, i) =>
      store.step({ kind: "edit", seq: e.seq, answer, ...(i === 0 ? { revision } : {}) }),
    );
  };
  return (
    <article class="trouble-card" data-dispute={`${d.a.row}-${d.b.row}`}>
      <div class="two-cards">
        {[d.a, d.b].map((card) => (
          <figure key={card.row}>
            <CardView card={card} size="medium" />
            <figcaption dir="auto">{card.id}</figcaption>
          </figure>
        ))}
      </div>
      <ul class="said">
        {d.answers.map((e) => (
          <li key={e.seq}>
            {isAnswer(e.step) && <Sign link={e.step} />} <b>{whoWords(e, me) || "answered"}</b>{" "}
            <span class="quiet">
              {wordOf(e.step)}, {ago(e.at, Date.now())}
            </span>
          </li>
        ))}
      </ul>
      <p>
        It counts as <b>{wordOf(d.counts)}</b>.
      </p>
      <div class="choices" role="group" aria-label={`your answer about ${d.a.id} and ${d.b.id}`}>
        {(["same", "different", "unknown"] as const).map((answer) => (
          <button
            type="button"
            key={answer}
            onClick={() => give(answer)}
            disabled={own.length > 0 && own.every((e) => e.step === answer)}
          >
            {answer === "unknown" ? "I don't know" : `I say ${answer}`}
          </button>
        ))}
      </div>
    </article>
  );
}

function wordOf(step: string): string {
  return step === "unknown" ? "don't know" : step;
}
