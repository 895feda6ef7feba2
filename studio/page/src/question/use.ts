import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RefObject } from "preact";
import { type Action, keyAction, where } from "../keys";
import { glance } from "../sight";
import type { Store } from "../store";

/** Listens to the keys of the question while no dialog is open. */
export function useKeys(store: Store, guess: () => void): void {
  const now = useRef(guess);
  now.current = guess;
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      if (store.dialog.value !== null || e.isComposing) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const action = keyAction({
        key: e.key,
        ctrlKey: e.ctrlKey,
        metaKey: e.metaKey,
        altKey: e.altKey,
        shiftKey: e.shiftKey,
        repeat: e.repeat,
        defaultPrevented: e.defaultPrevented,
        on: where(e.target),
      });
      if (action === null) return;
      e.preventDefault();
      if (action.do === "reference") store.refer(action.index, e.timeStamp);
      else if (action.do === "guess") now.current();
      else act(store, action.do, e.timeStamp);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [store]);
}

/** Does what a key or button stands for, for the pair that was in sight when it was pressed. */
export function act(store: Store, action: Exclude<Action, "guess">, at: number): void {
  switch (action) {
    case "help":
      store.dialog.value = { kind: "help" };
      return;
    case "undo":
      if (store.canUndo.value) store.undo();
      return;
    case "redo":
      if (store.canRedo.value) store.redo();
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
  const shown = visible && store.dialog.value === null ? store.asked.value : null;
  const pair = shown === null ? "" : `${shown.question.a.row}-${shown.about.row}`;
  const [open, setOpen] = useState(false);
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const cancel = onScreen((now) => {
      store.sight.show(shown, now);
      if (shown !== null) timer = setTimeout(() => setOpen(true), glance);
    });
    return () => {
      cancel();
      clearTimeout(timer);
      setOpen(false);
    };
  }, [store, store.project.value, pair]);
  return open;
}

/** Calls f once what was just rendered is on the screen: as the frame after it begins. */
function onScreen(f: (now: number) => void): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => f(performance.now()));
  });
  return () => cancelAnimationFrame(frame);
}
