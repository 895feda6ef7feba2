import { useState } from "preact/hooks";
import { useStore, type Store } from "../store";
import type { Choice } from "../theme";
import type { State } from "../types";

const methods = [
  { name: "cobra", title: "COBRA: pairs of small groups, few answers; finds the number of groups itself" },
  { name: "evclus", title: "EVCLUS: asks about what it is unsure of, and says what it may be; all pairs" },
  { name: "kevclus", title: "k-EVCLUS: the same for large data, from sampled partners" },
] as const;

/** Values of settings that nobody set. */
const plain = new Set(["", "0", "false", "[]"]);

/** Which method asks, with what; all that was chosen by default; how the page looks. */
export function SettingsPanel() {
  const store = useStore();
  const state = store.state.value;
  const all = Object.entries(state?.settings ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const set = all.filter(([name, value]) => !plain.has(value) && name !== "method");
  const rest = all.filter(([, value]) => plain.has(value)).map(([name]) => name);
  return (
    <div class="settings">
      {state !== null && <MethodForm key={`${state.id}-${state.method}`} store={store} state={state} />}
      {state !== null && (
        <section aria-labelledby="chosen">
          <h3 id="chosen">What was chosen</h3>
          {state.notes.length > 0 && <ul class="notes">{state.notes.map((n) => <li key={n}>{n}</li>)}</ul>}
          <dl class="fields">
            <div><dt>data</dt><dd>{state.data}</dd></div>
            <div><dt>objects</dt><dd>{state.rows}</dd></div>
            <div><dt>method</dt><dd>{state.title}</dd></div>
            {set.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
          </dl>
          {rest.length > 0 && <p class="small quiet">As usual: {rest.join(", ")}.</p>}
        </section>
      )}
      <section aria-labelledby="looks">
        <h3 id="looks">This page</h3>
        <label>
          Colours{" "}
          <select value={store.theme.choice.value} onChange={(e) => store.theme.set(e.currentTarget.value as Choice)}>
            <option value="auto">as the system has it</option>
            <option value="light">light</option>
            <option value="dark">dark</option>
          </select>
        </label>
        <p><button type="button" onClick={() => (store.dialog.value = { kind: "welcome" })}>How this works</button></p>
        {store.me.value !== null && <p class="small quiet">kindred {store.me.value.version}. The API of this server: <a href="/api/v1/docs">documentation</a>.</p>}
      </section>
    </div>
  );
}

function MethodForm({ store, state }: { store: Store; state: State }) {
  const [method, setMethod] = useState(state.method);
  const [clusters, setClusters] = useState(state.settings["clusters"] ?? "");
  const [instances, setInstances] = useState(state.settings["super-instances"] ?? "");
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState("");
  const cobra = method === "cobra";
  const admin = store.me.value?.admin !== false;
  const known = methods.some((m) => m.name === state.method);
  const send = async (e: SubmitEvent) => {
    e.preventDefault();
    const settings: Record<string, string> = { method };
    if (clusters !== "") settings["clusters"] = clusters;
    if (cobra && instances !== "") settings["super-instances"] = instances;
    setBusy(true);
    setTrouble("");
    try {
      await store.api.settings(store.project.value, settings);
      store.say("Going on with these settings; all answers are kept.", "good");
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  return (
    <form class="method" onSubmit={(e) => void send(e)}>
      <h3>How it asks</h3>
      {!admin && <p class="small quiet">Only the first of the people can change this.</p>}
      <fieldset disabled={busy || !admin}>
        <legend class="hidden">method</legend>
        {!known && <label class="radio"><input type="radio" name="method" checked={method === state.method} onChange={() => setMethod(state.method)} /> <span>{state.title}</span></label>}
        {methods.map((m) => (
          <label class="radio" key={m.name}>
            <input type="radio" name="method" value={m.name} checked={method === m.name} onChange={() => setMethod(m.name)} /> <span>{m.title}</span>
          </label>
        ))}
        <label class="row">
          <span>Number of groups</span>
          <input type="number" min={1} max={5000} value={clusters} placeholder={cobra ? "found by the answers" : "needed"} onInput={(e) => setClusters(e.currentTarget.value)} />
        </label>
        {cobra && (
          <label class="row">
            <span>Super-instances <span class="small quiet">small groups that are asked about; more are finer, and take more answers</span></span>
            <input type="number" min={2} max={5000} value={instances} onInput={(e) => setInstances(e.currentTarget.value)} />
          </label>
        )}
        {trouble !== "" && <p class="trouble" role="alert">{trouble}</p>}
        <button type="submit" class="primary">{busy ? "…" : "Go on with these"}</button>
        <p class="small quiet">All answers are kept. The groups are found afresh.</p>
      </fieldset>
    </form>
  );
}
