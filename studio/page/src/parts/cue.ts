import { useEffect, useRef } from "preact/hooks";
import type { RefObject } from "preact";

/** What a cue needs of an element. */
export type Scrolls = Pick<
  HTMLElement,
  "scrollTop" | "scrollLeft" | "scrollWidth" | "scrollHeight" | "clientWidth" | "clientHeight"
> & { dataset: Record<string, string | undefined> };

/** sides returns the sides on which an element has more than is seen. */
export function sides(e: Scrolls): string {
  return [
    e.scrollTop > 2 && "up",
    e.scrollHeight - e.clientHeight - e.scrollTop > 2 && "down",
    e.scrollLeft > 2 && "left",
    e.scrollWidth - e.clientWidth - e.scrollLeft > 2 && "right",
  ]
    .filter(Boolean)
    .join(" ");
}

/**
 * mark marks elements with the sides on which they have more. All are measured before one is
 * marked: to measure after a mark would have the page laid out once per element.
 */
export function mark(elements: Iterable<Scrolls>): void {
  const found = [...elements].map((e) => [e, sides(e)] as const);
  for (const [e, more] of found) if (e.dataset["more"] !== more) e.dataset["more"] = more;
}

/** Elements that are marked in the next frame. */
const due = new Set<Scrolls>();

function markSoon(e: Scrolls): void {
  if (due.size === 0)
    requestAnimationFrame(() => {
      const all = [...due];
      due.clear();
      mark(all);
    });
  due.add(e);
}

/**
 * useCue marks an element that scrolls with the sides on which it has more, as in
 * data-more="down right"; the style fades it there.
 */
export function useCue<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null);
  useEffect(() => {
    const e = ref.current;
    if (e === null) return;
    const look = () => markSoon(e);
    const sizes = new ResizeObserver(look);
    sizes.observe(e);
    const content = new MutationObserver(look);
    content.observe(e, { childList: true, subtree: true, characterData: true });
    e.addEventListener("scroll", look, { passive: true });
    look();
    return () => {
      sizes.disconnect();
      content.disconnect();
      e.removeEventListener("scroll", look);
    };
  }, []);
  return ref;
}
