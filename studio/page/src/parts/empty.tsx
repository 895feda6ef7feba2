import type { ComponentChildren } from "preact";
import { useStore } from "../store";
import type { Panel } from "../types";

/** What is in a view that has nothing to show, and where to go from there. */
export function Empty({
  steps,
  children,
}: {
  steps: readonly (readonly [panel: Panel | "question", words: string])[];
  children: ComponentChildren;
}) {
  const store = useStore();
  const go = (to: Panel | "question") => {
    if (to !== "question") store.openPanel(to);
    else {
      store.view.value = "question";
      document.querySelector<HTMLElement>(".answers button:not(:disabled)")?.focus();
    }
  };
  return (
    <div class="empty">
      {children}
      <p class="actions">
        {steps.map(([to, words]) => (
          <button key={to} type="button" onClick={() => go(to)}>
            {words}
          </button>
        ))}
      </p>
    </div>
  );
}
