import { useStore } from "../store";

/** What is said of keys and clicks that were not counted, on the page or in the dialog over it. */
export function Refusals() {
  const refused = useStore().refused.value;
  return (
    <div class="refusals" role="status">
      {refused !== null && (
        <p class="notice plain refused">
          <span>
            {refused.text}
            {refused.times > 1 && ` (${refused.times} times)`}
          </span>
        </p>
      )}
    </div>
  );
}
