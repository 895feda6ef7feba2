// Hands on the map: mouse, touch, pen, wheel and keys become a few plain requests.

import type { Corner } from "./lasso";

export interface Wishes {
  pan(dx: number, dy: number): void;
  zoom(factor: number, x: number, y: number): void;
  whole(): void;
  /** add is set where the object joins the one selected before. */
  pick(x: number, y: number, add: boolean): void;
  pickMiddle(add: boolean): void;
  hover(x: number, y: number): void;
  leave(): void;
  /** lasso is called as the line grows, and at last with done. */
  lasso(line: Corner[], done: boolean): void;
  escape(): void;
  /** drawing tells whether a drag draws a lasso. */
  drawing(): boolean;
}

/** A hand that moves less than this many pixels has clicked. */
const STILL = 5;
const ARROW = 60;

export function listen(to: HTMLElement, wishes: Wishes): () => void {
  const end = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(
    name: K,
    f: (e: HTMLElementEventMap[K]) => void,
  ) => to.addEventListener(name, f, { signal: end.signal, passive: false });

  const hands = new Map<number, Corner>();
  let from: Corner | null = null; // where a hand went down that has not moved yet
  let line: Corner[] | null = null;
  let spread = 0; // between two fingers

  const place = (e: MouseEvent): Corner => {
    const r = to.getBoundingClientRect();
    return [e.clientX - r.left, e.clientY - r.top];
  };
  const middle = (): Corner => {
    const all = [...hands.values()];
    return [
      all.reduce((s, p) => s + p[0], 0) / all.length,
      all.reduce((s, p) => s + p[1], 0) / all.length,
    ];
  };
  const distance = (): number => {
    const [a, b] = [...hands.values()];
    return a && b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
  };

  on("pointerdown", (e) => {
    if (e.button > 1) return;
    to.setPointerCapture(e.pointerId);
    hands.set(e.pointerId, place(e));
    wishes.leave();
    if (hands.size === 1) {
      from = place(e);
      line = e.shiftKey || wishes.drawing() ? [from] : null;
      return;
    }
    from = null;
    if (line) {
      line = null;
      wishes.lasso([], true);
    }
    spread = distance();
  });

  on("pointermove", (e) => {
    const at = place(e);
    const before = hands.get(e.pointerId);
    if (!before) {
      if (e.pointerType !== "touch") wishes.hover(at[0], at[1]);
      return;
    }
    if (from && Math.hypot(at[0] - from[0], at[1] - from[1]) < STILL) return;
    if (line) {
      from = null;
      hands.set(e.pointerId, at);
      line.push(at);
      wishes.lasso(line, false);
      return;
    }
    const m = middle();
    hands.set(e.pointerId, at);
    const n = middle();
    from = null;
    to.classList.add("dragging");
    wishes.pan(n[0] - m[0], n[1] - m[1]);
    if (hands.size === 2) {
      const now = distance();
      if (spread > 0 && now > 0) wishes.zoom(now / spread, n[0], n[1]);
      spread = now;
    }
  });

  const up = (e: PointerEvent, done: boolean) => {
    if (!hands.delete(e.pointerId)) return;
    spread = distance();
    if (hands.size > 0) return;
    to.classList.remove("dragging");
    if (done && from) wishes.pick(from[0], from[1], e.shiftKey || e.ctrlKey || e.metaKey);
    else if (line) wishes.lasso(done ? line : [], true);
    from = null;
    line = null;
  };
  on("pointerup", (e) => up(e, true));
  on("pointercancel", (e) => up(e, false));
  on("pointerleave", () => wishes.leave());

  on("wheel", (e) => {
    e.preventDefault();
    // A wheel's lines and pages in pixels; a pinch on a touchpad comes as a wheel with ctrl, in
    // small steps.
    const unit = e.deltaMode === 1 ? 20 : e.deltaMode === 2 ? 400 : 1;
    const delta = Math.max(-300, Math.min(300, e.deltaY * unit));
    wishes.zoom(Math.exp(-delta * (e.ctrlKey ? 0.01 : 0.0018)), ...place(e));
  });
  on("dblclick", (e) => {
    if (!wishes.drawing()) wishes.zoom(e.shiftKey ? 0.5 : 2, ...place(e));
  });

  on("keydown", (e) => {
    if (e.target !== to || e.ctrlKey || e.metaKey || e.altKey) return;
    const far = e.shiftKey ? 3 * ARROW : ARROW;
    const centre: Corner = [to.clientWidth / 2, to.clientHeight / 2];
    switch (e.key) {
      case "ArrowLeft":
        wishes.pan(far, 0);
        break;
      case "ArrowRight":
        wishes.pan(-far, 0);
        break;
      case "ArrowUp":
        wishes.pan(0, far);
        break;
      case "ArrowDown":
        wishes.pan(0, -far);
        break;
      case "+":
      case "=":
        wishes.zoom(1.5, ...centre);
        break;
      case "-":
      case "_":
        wishes.zoom(1 / 1.5, ...centre);
        break;
      case "Home":
        wishes.whole();
        break;
      case "Enter":
        wishes.pickMiddle(e.shiftKey);
        break;
      case "Escape":
        wishes.escape();
        break;
      default:
        return;
    }
    e.preventDefault();
    e.stopPropagation(); // keys of the question mean something else
  });

  return () => end.abort();
}
