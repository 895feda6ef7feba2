import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RefObject } from "preact";
import { type Action, answers as about, keyAction, where } from "../keys";
import type { Hidden } from "../sight";
import { openSearch } from "../panels/wanted";
import type { Store } from "../store";

/** Listens to the keys of the question. One that does nothing is refused on the page. */
export function useKeys(store: Store, guess: () => void): void {
  const now = useRef(guess);
  now.current = guess;
  // Keys led the focus into the panels, and nothing led it elsewhere since: what had it may be gone.
  const led = useRef(false);
  const posed = store.posed.value;
  const asks = store.view.value === "question";
  useEffect(() => void (led.current = false), [posed, asks]);
  useEffect(() => {
    let byKey = false; // a key was used last, and no pointer
    const point = () => (byKey = led.current = false);
    const key = () => (byKey = true);
    const arrive = (e: FocusEvent) => (led.current = byKey && inPanels(e.target));
    const press = (e: KeyboardEvent) => {
      if (e.isComposing) return;
      const aside = led.current && (inPanels(e.target) || e.target === document.body);
      const action = keyAction({
        key: e.key,
        ctrlKey: e.ctrlKey,
        metaKey: e.metaKey,
        altKey: e.altKey,
        shiftKey: e.shiftKey,
        repeat: false,
        defaultPrevented: e.defaultPrevented,
        on: where(e.target),
        aside,
      });
      if (action === null) return;
      const own = store.dialog.value !== null;
      const covered = own || document.querySelector("dialog[open]") !== null;
      const looks = ["help", "search", "panels", "question"].includes(action.do);
      if (covered && looks) return;
      e.preventDefault();
      if (e.repeat) {
        if (!looks) store.refuse("held");
      } else if (covered && !(own && answers(action.do))) store.refuse("covered");
      else if (aside && about(action.do)) store.refuse("aside");
      else if (action.do === "reference") store.refer(action.index, e.timeStamp);
      else if (action.do === "guess") now.current();
      else act(store, action.do, e.timeStamp);
    };
    addEventListener("pointerdown", point, true);
    addEventListener("keydown", key, true);
    document.addEventListener("focusin", arrive);
    document.addEventListener("keydown", press);
    return () => {
      removeEventListener("pointerdown", point, true);
      removeEventListener("keydown", key, true);
      document.removeEventListener("focusin", arrive);
      document.removeEventListener("keydown", press);
    };
  }, [store]);
}

function inPanels(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(".side") !== null;
}

/**
 * Reports whether an action is about the pair in sight: then it counts for the pair that a dialog
 * came to cover after the press.
 */
function answers(action: Action | "reference"): boolean {
  return ["same", "different", "unknown", "skip"].includes(action);
}

/** Does what a key or button stands for, for the pair that was in sight when it was pressed. */
export function act(store: Store, action: Exclude<Action, "guess">, at: number): void {
  switch (action) {
    case "help":
      store.dialog.value = { kind: "help" };
      return;
    case "search":
      openSearch(store);
      return;
    case "panels":
      store.view.value = "panel";
      document.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus();
      return;
    case "question":
      store.view.value = "question";
      document.querySelector<HTMLElement>("main")?.focus();
      return;
    case "undo":
      if (store.canUndo.value) store.undo();
      else store.say("There is nothing to take back.", "plain");
      return;
    case "redo":
      if (store.canRedo.value) store.redo();
      else store.say("There is nothing to bring back.", "plain");
      return;
  }
  const asked = store.meant(at);
  if (asked === null) return;
  switch (action) {
    case "skip":
      store.skip(asked);
      return;
    case "bad":
      store.dialog.value = { kind: "bad", a: asked.question.a, b: asked.about };
      return;
    default:
      store.answer(action, asked);
  }
}

/**
 * Notes in the store when a pair comes into sight and goes out of it: by what is asked, by a dialog
 * over it, by another view or the scroll. It reports whether the pair now in sight can be answered.
 */
export function useSight(store: Store, pane: RefObject<HTMLElement | null>): boolean {
  const [visible, setVisible] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((all) => setVisible(all.at(-1)!.isIntersecting));
    observer.observe(pane.current!);
    return () => observer.disconnect();
  }, [pane]);
  const covered = store.dialog.value !== null;
  const shown = visible && !covered ? store.asked.value : null;
  const hidden: Hidden = covered
    ? "covered"
    : store.asked.value !== null
      ? "away"
      : store.turn.value?.done === undefined
        ? "looking"
        : "none";
  const pair = shown === null ? "" : `${shown.question.a.row}-${shown.about.row}`;
  const [open, setOpen] = useState(false);
  useLayoutEffect(() => {
    const cancel = onScreen((now) => {
      store.sight.show(shown, now, hidden);
      setOpen(shown !== null);
    });
    return () => {
      cancel();
      setOpen(false);
    };
  }, [store, store.project.value, pair, hidden]);
  return open;
}

/** Calls f once what was just rendered is on the screen: after its frame. */
function onScreen(f: (now: number) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(() => f(performance.now()));
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
