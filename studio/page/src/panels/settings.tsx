import { useRef, useState } from "preact/hooks";
import { labelOf } from "../names";
import { Named, Ways } from "../parts/named";
import { useStore, type Store } from "../store";
import type { Choice } from "../theme";
import type { State } from "../types";
import { Gaps } from "./gaps";
import { Links } from "./links";
import { hasSeveral, SharingForm } from "./people";
import { HowFields, howOf, methodOf, settingsOf } from "./method";

/** Values of settings that nobody set. */
const plain = new Set(["", "0", "false", "[]", "keep", "refuse"]);

/** Which method asks, with what; all that was chosen by default; how the page looks. */
export function SettingsPanel() {
  const store = useStore();
  const state = store.state.value;
  const me = store.me.value;
  const several = me?.people === true || hasSeveral(state);
  const all = Object.entries(state?.settings ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const params = methodOf(state?.method ?? "")?.params ?? [];
  const usual = ([name, value]: [string, string]) =>
    plain.has(value) || params.some((p) => p.name === name && p.default === value);
  // What the form above has stands there.
  const set = all.filter(
    (x) => !usual(x) && x[0] !== "method" && !params.some((p) => p.name === x[0]),
  );
  return (
    <div class="settings">
      {state !== null && (
        <MethodForm
          key={`${state.id}-${JSON.stringify(howOf(state.method, state.settings, methodOf(state.method)))}`}
          store={store}
          state={state}
        />
      )}
      {state !== null && state.notes.length + set.length > 0 && (
        <section aria-labelledby="chosen">
          <h3 id="chosen">What was chosen</h3>
          {state.notes.length > 0 && (
            <ul class="notes">
              {state.notes.map((n) => (
                <li key={n}>{n}</li>
              ))}
            </ul>
          )}
          <dl class="fields">
            {set.map(([name, value]) => (
              <div key={name}>
                <dt>{labelOf(name)}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {state !== null && me !== null && !several && (
        <>
          <SharingForm
            store={store}
            sharing={state.sharing}
            admin={me.admin !== false}
            several={false}
          />
          <Links store={store} me={me} />
          <p class="small quiet">
            To answer together, start <code>kindred serve --people ann,bob</code>: each gets a link
            of their own.
          </p>
        </>
      )}
      <section aria-labelledby="looks">
        <h3 id="looks">This page</h3>
        <label>
          Colours{" "}
          <select
            value={store.theme.choice.value}
            onChange={(e) => store.theme.set(e.currentTarget.value as Choice)}
          >
            <option value="auto">as the system has it</option>
            <option value="light">light</option>
            <option value="dark">dark</option>
          </select>
        </label>
        <p>
          <button type="button" onClick={() => (store.dialog.value = { kind: "welcome" })}>
            How this works
          </button>
        </p>
        {store.me.value !== null && (
          <p class="small quiet">
            kindred {store.me.value.version}. The API of this server:{" "}
            <a href="/api/v1/docs">documentation</a>.
          </p>
        )}
      </section>
    </div>
  );
}

function MethodForm({ store, state }: { store: Store; state: State }) {
  const before = howOf(state.method, state.settings, methodOf(state.method));
  const [how, setHow] = useState(before);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState("");
  const admin = store.me.value?.admin !== false;
  const listed = store.projects.value?.find((p) => p.id === state.id);
  const refused = listed?.error ?? "";
  const named = listed?.settings ?? [];
  // The settings need to know what becomes of missing values.
  const gaps = listed?.missing;
  const [treat, setTreat] = useState("");
  const missing = treat || (gaps?.choices[0]?.name ?? "");
  const form = useRef<HTMLFormElement>(null);
  const send = async (e: SubmitEvent) => {
    e.preventDefault();
    setBusy(true);
    setTrouble("");
    try {
      await store.api.settings(store.project.value, {
        ...settingsOf(how, methodOf(how.method), before),
        ...(gaps !== undefined && { missing }),
      });
      store.say("These settings are tried; all answers are kept.", "good");
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  return (
    <form ref={form} class="method" onSubmit={(e) => void send(e)}>
      <h3>How it asks</h3>
      {!admin && <p class="small quiet">Only the first of the people can change this.</p>}
      <fieldset disabled={busy || !admin}>
        <legend class="hidden">method</legend>
        <Named.Provider value={named}>
          <HowFields how={how} change={setHow} trouble={setTrouble} />
        </Named.Provider>
        {refused !== "" && (
          <p class="trouble" role="alert">
            The last settings were not taken, and it goes on as it was:{" "}
            {gaps === undefined ? refused : "they need to know what becomes of missing values."}
          </p>
        )}
        {refused !== "" && gaps === undefined && <Ways form={form} names={named} />}
        {gaps !== undefined && <Gaps missing={gaps} treat={missing} choose={setTreat} />}
        {trouble !== "" && (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        )}
        <button type="submit" class="primary">
          {busy ? "…" : "Go on with these"}
        </button>
        <p class="small quiet">All answers are kept. The groups are found afresh.</p>
      </fieldset>
    </form>
  );
}
