/**
 * Handlers of a button that must not act twice on a double click, and must not keep the focus after a click, so that
 * Space goes on meaning "don't know".
 */
export function clickable(act: () => void, first = false): { onMouseDown(e: MouseEvent): void; onClick(e: MouseEvent): void } {
  return {
    onMouseDown: (e) => e.preventDefault(),
    onClick: (e) => {
      if (first && e.detail > 1 && performance.now() - last < 400) return;
      last = performance.now();
      act();
    },
  };
}

let last = -Infinity;
