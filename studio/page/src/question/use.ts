import { useEffect, useRef } from "preact/hooks";
import { keyAction, where } from "../keys";
import type { Store } from "../store";
import type { Card } from "../types";

interface Doing {
  about: Card | null;
  choose(index: number): unknown;
  guess(): void;
}

/** Listens to the keys of the question while no dialog is open. */
export function useKeys(store: Store, doing: Doing): void {
  const now = useRef(doing);
  now.current = doing;
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      if (store.dialog.value !== null || document.querySelector("dialog[open]") !== null || e.isComposing) return;
      const action = keyAction({
        key: e.key, ctrlKey: e.ctrlKey, metaKey: e.metaKey, altKey: e.altKey, shiftKey: e.shiftKey,
        repeat: e.repeat, defaultPrevented: e.defaultPrevented, on: where(e.target),
      });
      if (action === null) return;
      e.preventDefault();
      if (action.do === "reference") now.current.choose(action.index);
      else if (action.do === "guess") now.current.guess();
      else act(store, action.do, now.current.about);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [store]);
}

/** Does what a key or button says. */
export function act(store: Store, action: "same" | "different" | "unknown" | "skip" | "bad" | "undo" | "redo" | "help", about: Card | null): void {
  const q = store.question.value;
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
    default:
      if (q === null || about === null || store.justSwapped) return;
  }
  switch (action) {
    case "skip":
      if (store.posed.value) store.unpose();
      else store.step({ kind: "skip", a: q.a.row, b: q.b.row });
      return;
    case "bad":
      store.dialog.value = { kind: "bad", a: q.a, b: about };
      return;
    default:
      store.answer(action, about);
  }
}
