import type { Store } from "../store";

/** Why answers cannot be kept, what to do about it, and what becomes of them. */
export function Unkept({ store }: { store: Store }) {
  const trouble = store.unkept.value;
  return (
    <div role="alert">
      {trouble !== null && (
        <section class="unkept" aria-label="answers are not saved">
          <p>
            <b>Not saved. {trouble.title}.</b> <span dir="auto">{trouble.text}.</span>
          </p>
          <p>
            Answers wait in this page, and are sent when that is put right; it is tried again all
            the time. You may go on, and close the page: they are kept.{" "}
            <button type="button" onClick={() => store.retry()}>
              Try again now
            </button>
          </p>
        </section>
      )}
    </div>
  );
}
