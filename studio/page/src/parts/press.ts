/**
 * Handlers of a button that must not act twice on a double click, and must not keep the focus after a click, so that
 * Space goes on meaning "don't know".
 */
export function clickable(act: () => void, first = false): { onMouseDown(e: MouseEvent): void; onClick(e: MouseEvent): void } {
  return {
    onMouseDown: (e) => e.preventDefault(),
    onClick: (e) => {
      if (first && e.detail > 1 && e.timeStamp - last < 400) return;
      last = e.timeStamp; // not the time now: the page may have stood still since
      act();
    },
  };
}

let last = -Infinity;
