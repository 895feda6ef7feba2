import { useEffect, useRef } from "preact/hooks";
import type { RefObject } from "preact";

/**
 * useCue marks an element that scrolls with the sides on which it has more, as in
 * data-more="down right"; the style fades it there.
 */
export function useCue<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null);
  useEffect(() => {
    const e = ref.current;
    if (e === null) return;
    const look = () => {
      const more = [
        e.scrollTop > 2 && "up",
        e.scrollHeight - e.clientHeight - e.scrollTop > 2 && "down",
        e.scrollLeft > 2 && "left",
        e.scrollWidth - e.clientWidth - e.scrollLeft > 2 && "right",
      ]
        .filter(Boolean)
        .join(" ");
      if (e.dataset["more"] !== more) e.dataset["more"] = more;
    };
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
