/**
 * Handlers of a button that must not keep the focus after a click, so that Space goes on meaning
 * "don't know". act takes when the button was pressed, which is before it is let go. With first,
 * the second of a double click does not act; again is what it does instead.
 */
export function clickable(
  act: (at: number) => void,
  first = false,
  again: () => void = () => {},
): {
  onPointerDown(e: PointerEvent): void;
  onMouseDown(e: MouseEvent): void;
  onClick(e: MouseEvent): void;
} {
  return {
    onPointerDown: (e) => (down = e.timeStamp),
    onMouseDown: (e) => e.preventDefault(),
    onClick: (e) => {
      // A click by the keyboard, or by a program, has no pointer that went down before it.
      const at = e.detail > 0 && down !== null ? down : e.timeStamp;
      down = null;
      const twice = first && e.detail > 1 && e.timeStamp - last < 400;
      last = e.timeStamp; // not the time now: the page may have stood still since
      if (twice) again();
      else act(at);
    },
  };
}

let last = -Infinity;
let down: number | null = null;
