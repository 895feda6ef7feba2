import { useState } from "preact/hooks";
import { number, things } from "../map/words";
import { useStore } from "../store";
import type { State } from "../types";

/** Groups that a person can still look through and name; the panel lists as many at once. */
export const MANY = 30;

/** How far the number of groups may be from the one that was named, as answers lead to others. */
const FAR = 1.5;

/**
 * far reports whether there are so many groups, or so many more or fewer than was named, that a
 * person may want to say how many there are; "" where not, else why.
 */
export function far(s: Pick<State, "numbered" | "clusters" | "settings">): string {
  if (!s.numbered) return "";
  const named = /^(\d+)(?:\.\.(\d+))?$/.exec(s.settings["clusters"] ?? "");
  const low = Number(named?.[1] ?? 0);
  if (named === null || low === 0)
    return s.clusters > MANY ? `${number(s.clusters)} groups are many to look at.` : "";
  const high = Number(named[2] ?? low);
  const given = low === high ? things(low, "group") : `${number(low)} to ${number(high)} groups`;
  const out =
    low === high
      ? s.clusters > FAR * high || FAR * s.clusters < low
      : s.clusters < low || s.clusters > high;
  return out ? `${given} were named, and there are ${number(s.clusters)}.` : "";
}

/** Offers to say how many groups there are, where there are far more or fewer than is of use. */
export function HowMany() {
  const store = useStore();
  const [text, setText] = useState("");
  const state = store.state.value;
  const why = state === null ? "" : far(state);
  if (state === null || why === "" || store.me.value?.admin === false) return null;
  const k = Number(text);
  const named = Number(state.settings["clusters"]);
  const good =
    Number.isInteger(k) && k >= 1 && k <= state.rows && k !== state.clusters && k !== named;
  return (
    <form
      class="how-many"
      aria-label="How many groups there are"
      onSubmit={(e) => {
        e.preventDefault();
        if (!good) return;
        store.step({ kind: "links", pairs: [], clusters: k });
        store.say(
          `${things(k, "group")}: they are found anew … Undo (u) takes that back.`,
          "plain",
        );
        setText("");
      }}
    >
      <p>
        {why} Do you know how many there are, about?{" "}
        <span class="quiet">All answers are kept, and undo takes the number back.</span>
      </p>
      <label>
        Groups{" "}
        <input
          type="number"
          min={1}
          max={state.rows}
          step={1}
          required
          value={text}
          onInput={(e) => setText(e.currentTarget.value)}
        />
      </label>{" "}
      <button type="submit" disabled={!good || state.fitting}>
        Find so many
      </button>
    </form>
  );
}
