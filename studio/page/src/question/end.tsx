import { Reopen } from "../panels/gaps";
import type { Store } from "../store";

/** What is in the place of a question when there is none. */
export function End({ store }: { store: Store }) {
  const turn = store.turn.value;
  const state = store.state.value;
  const waiting = store.waiting.value.length;
  const listed = store.projects.value?.find((p) => p.id === store.project.value);
  const unopened = store.unopened.value;
  const obstacle =
    store.obstacle.value ||
    unopened?.text ||
    (listed?.state === "failed" ? (listed.error ?? "It cannot be opened.") : "");
  if (turn === null && obstacle !== "") {
    return (
      <div class="end">
        <h2 id="asked">This project cannot be shown</h2>
        <p role="alert">{obstacle}</p>
        {unopened !== null && (
          <p>
            It is tried again all the time.
            {waiting > 0 && " Answers that wait in this page are sent once it can be opened."}
          </p>
        )}
        {listed !== undefined && <Reopen project={listed} />}
        <div class="next">
          {unopened !== null && (
            <button type="button" class="primary" onClick={() => store.retry()}>
              Try again now
            </button>
          )}
          <button
            type="button"
            class={unopened === null ? "primary" : undefined}
            onClick={() => store.goTo("")}
          >
            All projects
          </button>
        </div>
      </div>
    );
  }
  if (
    turn === null ||
    turn.question !== undefined ||
    waiting > 0 ||
    turn.done === undefined ||
    state?.fitting === true ||
    store.stale.value
  ) {
    const unkept = store.unkept.value !== null;
    const away = (store.saved.value === "waiting" && !unkept) || store.connection.value === "away";
    return (
      <div class="end" aria-busy={!away && !unkept}>
        {unkept ? (
          <>
            <h2 id="asked">The server cannot keep answers now</h2>
            <p>The next question comes when those that wait are sent.</p>
          </>
        ) : away ? (
          <>
            <h2 id="asked">The server is away</h2>
            <p>
              {waiting > 0
                ? `${waiting} ${waiting === 1 ? "answer waits" : "answers wait"} in this page and will be sent when it is back. You may close the page: they are kept.`
                : "The next question comes when it is back."}
            </p>
          </>
        ) : (
          <>
            <h2 id="asked" class="quiet">
              {opening(store)}
            </h2>
            <div class="spinner" aria-hidden="true" />
          </>
        )}
      </div>
    );
  }
  return (
    <div class="end done">
      <h2 id="asked">
        {state?.settled === false ? "No more questions" : "Done: the groups have settled"}
      </h2>
      <p>{turn.done}</p>
      <WhatNext store={store} />
    </div>
  );
}

/** Where to go once the groups have settled. */
export function WhatNext({ store }: { store: Store }) {
  return (
    <div class="next">
      <button type="button" class="primary" onClick={() => store.openPanel("groups")}>
        Look at the groups
      </button>
      <button type="button" onClick={() => store.openPanel("doubts")}>
        See what is doubtful
      </button>
      <button type="button" onClick={() => store.openPanel("exports")}>
        Export
      </button>
    </div>
  );
}

/** doing says what is done, and how much of it where that is known. */
export function doing({ what, share }: { what: string; share: number }): string {
  return share > 0 ? `${what}, ${Math.round(100 * share)} %` : `${what} …`;
}

function opening(store: Store): string {
  const listed = store.projects.value?.find((p) => p.id === store.project.value);
  const progress =
    store.progress.value ??
    (listed?.state === "opening" && listed.what
      ? { what: listed.what, share: listed.share ?? 0 }
      : null);
  if (progress !== null) return doing(progress);
  return store.state.value === null ? "Opening the project…" : "Looking for the next question…";
}
