import { WhatNext } from "./end";
import type { Store } from "../store";

/**
 * Answers so far, how many more are likely, what the last one changed, and whether all is saved.
 */
export function Progressed({ store }: { store: Store }) {
  const s = store.state.value;
  if (s === null) return null;
  const waiting = store.waiting.value.filter((i) => i.step.kind === "answer").length;
  const so = s.answers + waiting;
  const likely = Math.max(0, s.likely - waiting);
  const share = so + likely === 0 ? 0 : so / (so + likely);
  return (
    <div class="progressed">
      <div class="counts">
        <span data-answers={so} data-mine={s.mine + waiting}>
          <b>{so}</b> {so === 1 ? "answer" : "answers"}
          {s.mine !== s.answers && <span class="quiet"> ({s.mine + waiting} yours)</span>}
        </span>
        <span
          class="quiet"
          title={s.endless ? ENDLESS : atMost(Math.max(likely, s.most - waiting), s.estimated)}
        >
          {ahead(s.settled, likely, s.estimated, s.endless)}
        </span>
      </div>
      {!s.endless && (
        <progress
          max={1}
          value={share}
          aria-label="share of the answers that are likely to be needed"
        >
          {Math.round(100 * share)} %
        </progress>
      )}
      {s.settled && store.question.value !== null && (
        <div class="settled">
          <span>The groups have settled: further answers are unlikely to change them.</span>
          <WhatNext store={store} />
        </div>
      )}
      <p class="changed" role="status">
        {store.changed.value === "" ? " " : store.changed.value}
      </p>
    </div>
  );
}

const ENDLESS =
  "There is always one more question. Look at the groups from time to time, and stop when they are right.";

/** How many more answers it may take, in words. */
export function ahead(
  settled: boolean,
  likely: number,
  estimated: boolean,
  endless = false,
): string {
  if (settled) return "the groups have settled";
  if (endless) return "stop when the groups are right";
  if (likely === 0) return "few more, if any";
  return `${estimated ? "perhaps" : "likely"} ${likely} more`;
}

/** The bound beside it. */
export function atMost(most: number, estimated: boolean): string {
  return most === 0
    ? ""
    : estimated
      ? `An estimate: up to ${most} more, and answers may raise new questions.`
      : `At most ${most} more.`;
}
