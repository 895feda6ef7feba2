import { things } from "../map/words";
import { WhatNext } from "./end";
import type { Store } from "../store";

/**
 * Answers so far, how many more are likely, what the last one changed, and whether all is saved.
 */
export function Progressed({ store }: { store: Store }) {
  const s = store.state.value;
  if (s === null) return null;
  const steps = store.waiting.value.map((i) => i.step);
  const waiting = steps.filter((x) => x.kind === "answer" || x.kind === "links").length;
  const so = s.answers + waiting;
  const links = steps.reduce(
    (n, x) => n + (x.kind === "answer" ? 1 : x.kind === "links" ? x.pairs.length : 0),
    s.stated,
  );
  const likely = Math.max(0, s.likely - waiting);
  const share = so + likely === 0 ? 0 : so / (so + likely);
  return (
    <div class="progressed">
      <div class="counts">
        <span data-answers={so} data-mine={s.mine + waiting}>
          <b>{so}</b> {so === 1 ? "answer" : "answers"}
          {links > so && (
            <span class="quiet" title={SEVERAL}>
              {" "}
              ({things(links, "link")})
            </span>
          )}
          {s.mine !== s.answers && <span class="quiet"> ({s.mine + waiting} yours)</span>}
        </span>
        <span
          class="quiet"
          title={s.endless || s.estimated ? ENDLESS : atMost(Math.max(likely, s.most - waiting))}
        >
          {s.estimated && !s.endless
            ? perhaps(s.settled, s.least, s.upto)
            : ahead(s.settled, likely, s.endless)}
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

const SEVERAL =
  "What you do to groups, such as moving objects, is one answer, however many links it states.";

const ENDLESS =
  "There is always one more question. Look at the groups from time to time, and stop when they are right.";

/** How many more answers it may take, in words. */
export function ahead(settled: boolean, likely: number, endless = false): string {
  if (settled) return "the groups have settled";
  if (endless) return "stop when the groups are right";
  return likely === 0 ? "few more, if any" : `likely ${likely} more`;
}

/** The same of an estimate, which is no more than a range; nobody can say where `upto` is 0. */
export function perhaps(settled: boolean, least: number, upto: number): string {
  if (settled) return "the groups have settled";
  if (least === 0) return "few more, if any";
  if (upto === 0) return "stop when the groups are right";
  return least === upto ? `perhaps ${upto} more` : `perhaps ${least} to ${upto} more`;
}

/** The bound beside it. */
function atMost(most: number): string {
  return most === 0 ? "" : `At most ${most} more.`;
}
