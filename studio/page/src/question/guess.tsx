import { useEffect, useState } from "preact/hooks";
import { clickable } from "../parts/press";
import type { Store } from "../store";
import type { Guess } from "../types";

/**
 * What the groups so far say of the pair: hidden until asked for, so that it does not lead the
 * answer.
 */
export function Guessed({
  store,
  a,
  b,
  open,
  toggle,
}: {
  store: Store;
  a: number;
  b: number;
  open: boolean;
  toggle(): void;
}) {
  const [guess, setGuess] = useState<Guess | string | null>(null);
  const project = store.project.value;
  useEffect(() => {
    setGuess(null);
    if (!open) return;
    let current = true;
    store.api.guess(project, a, b).then(
      (g) => current && setGuess(g),
      (error: unknown) =>
        current && setGuess(error instanceof Error ? error.message : String(error)),
    );
    return () => {
      current = false;
    };
  }, [open, a, b, project]);
  return (
    <div class="guess">
      <button
        type="button"
        class="quietly"
        aria-expanded={open}
        aria-keyshortcuts="G"
        {...clickable(toggle)}
      >
        {open ? "Hide the guess" : "What would kindred guess?"} <kbd aria-hidden="true">g</kbd>
      </button>
      <span role="status">
        {open &&
          (guess === null
            ? "…"
            : typeof guess === "string"
              ? guess
              : `${guess.words} (same: ${Math.round(100 * guess.same)} %)`)}
      </span>
    </div>
  );
}
