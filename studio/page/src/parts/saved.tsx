import type { Store } from "../store";

/** Whether all that was answered is on the server's disk. */
export function SavedMark({ store }: { store: Store }) {
  const n = store.waiting.value.length;
  const away = store.connection.value === "away";
  const saved = store.saved.value;
  const [tone, text] =
    saved === "waiting"
      ? ["bad", `not saved: ${n} ${n === 1 ? "waits" : "wait"}`]
      : saved === "saving"
        ? ["busy", "saving"]
        : away
          ? ["bad", "server away"]
          : store.connection.value === "connecting"
            ? ["busy", "connecting"]
            : ["good", "saved"];
  return (
    <span
      class={`saved ${tone}`}
      role="status"
      data-saved={saved}
      data-waiting={n}
      title={
        store.unkept.value !== null
          ? "The server cannot keep answers now. They wait in this page and are sent when it can."
          : saved === "waiting" || away
            ? "The server is away. Answers wait in this page and are sent when it is back."
            : "Every answer is on the disk before this says so."
      }
    >
      <i aria-hidden="true" />
      {text}
      {saved === "waiting" && away ? "; server away" : ""}
      {store.state.value?.fitting && saved === "saved" && !away ? (
        <span class="quiet"> · finding groups</span>
      ) : null}
    </span>
  );
}
