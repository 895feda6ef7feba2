import { useState } from "preact/hooks";
import { things } from "../map/words";
import { Choice } from "../parts/choice";
import { useStore } from "../store";
import type { Missing, Project } from "../types";

const MOST_GAPS = 8;

/** What to do about missing values, with what follows from each choice. */
export function Gaps(props: { missing: Missing; treat: string; choose(name: string): void }) {
  const { missing: m, treat, choose } = props;
  const listed = m.columns.slice(0, MOST_GAPS).map((c) => `${c.name} ${c.missing}`);
  if (m.columns.length > MOST_GAPS) listed.push("…");
  return (
    <fieldset class="gaps" data-setting="missing">
      <legend>Missing values</legend>
      <p>
        {things(m.rows, "row")} {m.rows === 1 ? "lacks" : "lack"} values: {listed.join(", ")}. What
        becomes of them?
      </p>
      <ul class="sources">
        {m.choices.map((c) => (
          <Choice
            key={c.name}
            name="missing"
            value={c.name}
            title={c.title}
            more={[
              things(c.rows, "row"),
              ...(c.features > 0 ? [things(c.features, "feature")] : []),
            ].join(", ")}
            checked={treat === c.name}
            choose={choose}
          />
        ))}
      </ul>
    </fieldset>
  );
}

/**
 * What a stored project asks before it can go on: what to do about values that its data lack now,
 * and whether its answers are taken along to data that changed.
 */
export function Reopen({ project: p }: { project: Project }) {
  const store = useStore();
  const [treat, setTreat] = useState("");
  const [trouble, setTrouble] = useState("");
  // An open project goes on as it was; its settings ask.
  if (p.state === "open" || (p.missing === undefined && p.changed !== true)) return null;
  const missing = treat || (p.missing?.choices[0]?.name ?? "");
  const go = async () => {
    setTrouble("");
    try {
      await store.api.open(p.id, {
        ...(missing !== "" && { settings: { missing } }),
        ...(p.changed === true && { carry: true }),
      });
      if (store.project.value === p.id) void store.refreshTurn();
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form
      class="reopen"
      aria-label={`go on with ${p.id}`}
      onSubmit={(e) => {
        e.preventDefault();
        void go();
      }}
    >
      {p.missing !== undefined && <Gaps missing={p.missing} treat={missing} choose={setTreat} />}
      {p.changed === true && (
        <p>
          The answers can be taken along to the data as they are now: by the names of the rows, or
          else by their values.
        </p>
      )}
      <p class="actions">
        <button type="submit" class="primary">
          {p.changed === true ? "Take the answers along" : "Go on"}
        </button>
      </p>
      {trouble !== "" && (
        <p role="alert" class="trouble">
          {trouble}
        </p>
      )}
    </form>
  );
}
