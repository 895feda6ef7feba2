import { clickable } from "../parts/press";
import type { Store } from "../store";
import { act } from "./use";

/** The buttons, each with its key: a bar under the thumb on a phone. */
export function Answers({ store }: { store: Store }) {
  const none = store.asked.value === null;
  const moot = store.question.value?.moot !== undefined && !store.posed.value;
  const button = (
    action: "same" | "different" | "unknown" | "skip" | "bad",
    text: string,
    key: string,
    keys: string,
    title: string,
  ) => (
    <button
      type="button"
      class={`answer ${action}`}
      disabled={none}
      title={title}
      aria-keyshortcuts={keys}
      {...clickable(
        (at) => act(store, action, at),
        true,
        () => store.refuse("double"),
      )}
    >
      <span>{text}</span>
      <kbd aria-hidden="true">{key}</kbd>
    </button>
  );
  return (
    <div class="answers" role="group" aria-label="your answer">
      <div class="main">
        {button("different", "Different", "← d", "D ArrowLeft", "They belong to different groups")}
        {button("unknown", "Don't know", "space", "Space ?", "This pair is not asked again")}
        {button("same", "Same", "s →", "S ArrowRight", "Both belong to one group")}
      </div>
      <div class="side">
        {moot
          ? button("skip", "Go on", "k", "K", "To the next question")
          : button("skip", "Skip", "k", "K", "Ask me later")}
        {button("bad", "Bad data", "b", "B", "Leave one of the two out")}
        <button
          type="button"
          class="answer undo"
          disabled={!store.canUndo.value}
          aria-keyshortcuts="U Control+Z"
          title="Take back your last step"
          {...clickable((at) => act(store, "undo", at))}
        >
          <span>Undo</span>
          <kbd aria-hidden="true">u</kbd>
        </button>
        <button
          type="button"
          class="answer redo"
          disabled={!store.canRedo.value}
          aria-keyshortcuts="R Control+Shift+Z"
          title="Bring back what you took back"
          {...clickable((at) => act(store, "redo", at))}
        >
          <span>Redo</span>
          <kbd aria-hidden="true">r</kbd>
        </button>
      </div>
    </div>
  );
}
