import { useEffect, useRef, useState } from "preact/hooks";
import { number, things } from "../map/words";
import { labelOf } from "../names";
import { Choice } from "../parts/choice";
import { Histogram } from "../parts/histogram";
import { Named, toField, useNamed, Ways } from "../parts/named";
import { ApiError } from "../api";
import { useStore } from "../store";
import type { Parts, Preview, Setting, Source } from "../types";
import { Columns } from "./columns";
import { Gaps } from "./gaps";
import { allColumns, comparedColumns, useLook, type Looked } from "./look";
import { HowFields, methodOf, nothing, ParamRow, settingsOf, useMethods } from "./method";
import { Opening, words } from "./opening";
import {
  aboutColumns,
  meaningful,
  ofColumns,
  withEntry,
  withKept,
  withRole,
  type Values,
} from "./roles";
import "./begin.css";

const MOST_LISTED = 60;

/** Settings that change which columns there are; what was said of columns holds for those left. */
const anew = new Set(["sheet", "table", "query", "delimiter", "format", "encoding", "plain"]);

/** Settings that have fields of their own, and those of answers that are made up. */
const elsewhere = new Set([
  ...aboutColumns,
  "method",
  "threads",
  "oracle-errors",
  "oracle-unknowns",
]);

/** A new project on a sample, or on a file or folder that is served. */
export function Begin() {
  const store = useStore();
  const [sources, setSources] = useState<Source[] | null>(null);
  const [filter, setFilter] = useState("");
  const [data, setData] = useState("");
  const [values, setValues] = useState<Values>({});
  const [how, setHow] = useState(nothing);
  const [find, setFind] = useState("");
  const [treat, setTreat] = useState("");
  const [trouble, setTrouble] = useState("");
  const [refused, setRefused] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const [begun, setBegun] = useState("");
  useEffect(() => {
    store.api.sources().then(
      (s) => setSources(s.filter((x) => x.kind !== "project")),
      (error: unknown) => setTrouble(words(error)),
    );
  }, [store]);
  // The project is shown as soon as it can be.
  const state = store.projects.value?.find((p) => p.id === begun);
  useEffect(() => {
    if (begun === "" || !state) return;
    if (state.state === "open") store.goTo(begun);
    if (state.state === "failed") {
      setTrouble(state.error || "It could not be opened.");
      setRefused(state.settings ?? []);
    }
    if (state.state === "open" || state.state === "failed") setBegun("");
  }, [begun, state?.state]);

  const settings = { ...meaningful(values), ...settingsOf(how, methodOf(how.method)) };
  const look = { data, settings, ...(find !== "" && { find }) };
  const looked = useLook(store, look);
  const seen = looked.seen;
  const missing = seen?.missing;
  const choice = missing?.choices.find((c) => c.name === treat) ?? missing?.choices[0];
  const ready =
    seen !== null && !looked.busy && looked.trouble === "" && (seen.problem ?? "") === "";
  const unfit = seen?.problem !== undefined && looked.trouble === "" && !looked.busy;

  // What was said of columns before the file was read otherwise, until it is known which are left.
  const kept = useRef<Values | null>(null);
  useEffect(() => {
    if (kept.current === null || seen === null || looked.busy || looked.trouble !== "") return;
    const [end, was] = [new AbortController(), kept.current];
    allColumns(store, { data, settings }, seen, end.signal).then(
      (columns) => {
        if (end.signal.aborted) return;
        kept.current = null;
        setValues((old) =>
          withKept(
            old,
            was,
            columns.map((c) => c.name),
          ),
        );
      },
      (error: unknown) => !end.signal.aborted && setTrouble(words(error)),
    );
    return () => end.abort();
  }, [store, data, seen, looked.busy, looked.trouble]);

  const form = useRef<HTMLFormElement>(null);
  // Who pressed Begin is led to what is wrong; who is still changing things is only shown it.
  useEffect(() => toField(form.current, refused), [refused]);
  // A part that is to be chosen stands right beside what says so.
  const open = looked.parts !== null && looked.settings.includes(looked.parts.setting);
  const asked = open && looked.parts ? [looked.parts.setting] : looked.settings;
  const named = trouble !== "" ? refused : looked.busy ? [] : asked;

  const choose = (name: string) => {
    kept.current = null;
    setData(name);
    setValues({});
    setFind("");
    setTreat("");
    setTrouble("");
  };
  const set = (name: string, value: string) => {
    setTrouble("");
    setValues((old) => {
      const next: Record<string, string> = { ...old };
      if (anew.has(name)) {
        const said = ofColumns(old);
        for (const about of aboutColumns) delete next[about];
        if (Object.keys(said).length > 0) kept.current = { ...kept.current, ...said };
      }
      if (value.trim() === "") delete next[name];
      else next[name] = value;
      return next;
    });
  };
  const asking = useRef<AbortController | null>(null);
  const say = {
    role: (c: Parameters<typeof withRole>[1], role: Parameters<typeof withRole>[2]) => {
      setTrouble("");
      asking.current?.abort();
      if (seen === null) return;
      if (role !== "features") {
        setValues((old) => withRole(old, c, role, []));
        return;
      }
      const end = new AbortController();
      asking.current = end;
      comparedColumns(store, { data, settings }, seen, end.signal).then(
        (compared) => !end.signal.aborted && setValues((old) => withRole(old, c, role, compared)),
        (error: unknown) => !end.signal.aborted && setTrouble(words(error)),
      );
    },
    entry: (setting: "types" | "column-weights", column: string, value: string) => {
      setTrouble("");
      setValues((old) => withEntry(old, setting, column, value));
    },
  };
  const send = async () => {
    if (!ready) return;
    setTrouble("");
    setBusy(true);
    try {
      const given = choice === undefined ? settings : { ...settings, missing: choice.name };
      const { id } = await store.api.begin(data, given);
      setBegun(id);
      void store.refreshProjects();
    } catch (error) {
      setTrouble(words(error));
      setRefused(error instanceof ApiError ? (error.problem.settings ?? []) : []);
    } finally {
      setBusy(false);
    }
  };
  const found = (sources ?? []).filter((s) =>
    `${s.name} ${s.title}`.toLowerCase().includes(filter.trim().toLowerCase()),
  );
  return (
    <Named.Provider value={named}>
      <section aria-labelledby="projects-new" class="begin">
        <h3 id="projects-new">Begin a new one</h3>
        <form
          ref={form}
          onSubmit={(e) => {
            e.preventDefault();
            void send();
          }}
        >
          <fieldset>
            <legend>Data</legend>
            {(sources?.length ?? 0) > 12 && (
              <p>
                <input
                  type="search"
                  aria-label="find data"
                  placeholder="find"
                  value={filter}
                  onInput={(e) => setFilter(e.currentTarget.value)}
                  onKeyDown={(e) => e.key === "Enter" && e.preventDefault()}
                />
              </p>
            )}
            {sources === null && trouble === "" && (
              <p class="quiet" role="status">
                …
              </p>
            )}
            {sources !== null && found.length === 0 && <p class="quiet">Nothing is called that.</p>}
            <ul class="sources">
              {found.slice(0, MOST_LISTED).map((s) => (
                <Choice
                  key={`${s.kind} ${s.name}`}
                  name="data"
                  value={s.name}
                  title={s.name}
                  more={[s.kind, s.title !== s.name && s.title].filter(Boolean).join(": ")}
                  checked={data === s.name}
                  choose={choose}
                />
              ))}
            </ul>
            {found.length > MOST_LISTED && (
              <p class="small quiet">
                {found.length - MOST_LISTED} more: write a part of the name.
              </p>
            )}
          </fieldset>
          {data !== "" && (
            <fieldset class="seen" aria-busy={looked.busy}>
              <legend>What they are</legend>
              <Waiting looked={looked} data={data} />
              {looked.parts !== null && (
                <PartsField
                  parts={looked.parts}
                  value={values[looked.parts.setting] ?? ""}
                  set={(value) => looked.parts && set(looked.parts.setting, value)}
                />
              )}
              {looked.trouble !== "" && (
                <p role="alert" class="trouble">
                  {looked.trouble}
                </p>
              )}
              {looked.trouble !== "" && !looked.busy && !open && <Ways form={form} names={asked} />}
              {seen !== null && (
                <Seen seen={seen} stale={looked.busy || looked.trouble !== ""}>
                  {(seen.width > 0 || find !== "") && (
                    <Columns
                      seen={seen}
                      values={values}
                      find={find}
                      setFind={setFind}
                      typed={applies("types", seen)}
                      say={say}
                    />
                  )}
                </Seen>
              )}
              {(seen !== null || looked.trouble !== "") && (
                <Settings
                  seen={looked.trouble === "" ? seen : null}
                  values={values}
                  own={looked.parts?.setting}
                  set={set}
                  trouble={setTrouble}
                />
              )}
              {Object.keys(values).length > 0 && (
                <p>
                  <button type="button" class="link" onClick={() => choose(data)}>
                    Take all back: as it was found
                  </button>
                </p>
              )}
            </fieldset>
          )}
          {missing !== undefined && choice !== undefined && (
            <Gaps missing={missing} treat={choice.name} choose={setTreat} />
          )}
          <fieldset>
            <legend>How</legend>
            <HowFields how={how} change={setHow} open trouble={setTrouble} />
          </fieldset>
          {data !== "" && unfit && (
            <div class="outcome">
              <p role="alert" class="trouble">
                It cannot be begun so: {seen.problem}
              </p>
              <Ways form={form} names={looked.settings} />
            </div>
          )}
          <div class={data === "" ? "go" : "go sticky"}>
            {data !== "" && (
              <p role="status">
                {ready && <b>{outcome(seen, choice)}</b>}{" "}
                {ready && <span class="quiet">{chosen(seen) || compared(seen)}</span>}
                {(unfit || (looked.trouble !== "" && !looked.busy)) && (
                  <span class="quiet">It cannot be begun so: the reason is above.</span>
                )}
              </p>
            )}
            <button type="submit" class="primary" disabled={!ready || busy || begun !== ""}>
              Begin
            </button>
            {data === "" && <span class="small quiet">Choose the data first.</span>}
          </div>
          {trouble !== "" && (
            <p role="alert" class="trouble">
              {trouble}
            </p>
          )}
          {begun !== "" && state && <Opening project={state} />}
        </form>
      </section>
    </Named.Provider>
  );
}

/** Which part of the file is read. */
function PartsField(props: { parts: Parts; value: string; set(value: string): void }) {
  const { parts, value, set } = props;
  const field = useRef<HTMLParagraphElement>(null);
  const named = useNamed(parts.setting, field);
  const label = labelOf(parts.what);
  const now = parts.names.includes(value) ? value : (parts.chosen ?? "");
  return (
    <p ref={field} class={named ? "parts named" : "parts"} data-setting={parts.setting}>
      <label>
        {label}{" "}
        <select value={now} aria-invalid={named} onChange={(e) => set(e.currentTarget.value)}>
          {now === "" && <option value="">choose one of {number(parts.names.length)}</option>}
          {parts.names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </p>
  );
}

/** What will be compared, in a sentence. */
export function outcome(
  seen: Preview,
  choice: { rows: number; features: number } | undefined,
): string {
  const rows = choice?.rows ?? seen.rows;
  if (seen.kind === "table" && seen.features > 0)
    return `${things(rows, "row")} × ${things(seen.features, "feature")} will be compared.`;
  return `${things(rows || seen.read, "object")} will be compared.`;
}

/** What was chosen to be compared, in a sentence; "" where nobody need be told. */
function chosen(seen: Preview): string {
  const words = seen.chosen ?? "";
  return words === "" ? "" : `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** How many columns are compared, and which, where they are few; "" where there are none. */
export function compared(seen: Pick<Preview, "width" | "compared" | "by">): string {
  const { width, compared: n, by } = seen;
  if (width === 0 || n === 0) return "";
  const named = n < width && n <= by.length ? `: ${by.join(", ")}` : "";
  return `${number(n)} of ${things(width, "column")} ${n === 1 ? "is" : "are"} compared${named}.`;
}

/** What is being done, once it takes long. */
function Waiting({ looked, data }: { looked: Looked; data: string }) {
  const { busy, progress } = looked;
  if (!busy) return null;
  const share = progress?.share ?? -1;
  return (
    <div class="opening" role="status">
      {progress === null ? (
        <span class="quiet">Looking at {data}…</span>
      ) : (
        <>
          <progress
            max={1}
            {...(share >= 0 && progress.what !== "" ? { value: share } : {})}
            aria-label={`looking at ${data}`}
          />{" "}
          <span class="small quiet">{progress.what || `looking at ${data}`}</span>
        </>
      )}
    </div>
  );
}

const kinds: Record<Preview["kind"], string> = {
  table: "a table",
  matrix: "a matrix of dissimilarities",
  series: "series",
  texts: "texts",
  pictures: "pictures",
  embedding: "vectors from a file",
};

/** What data were taken for as a whole, and then, as children, their columns. */
function Seen({
  seen,
  stale,
  children,
}: {
  seen: Preview;
  stale: boolean;
  children: preact.ComponentChildren;
}) {
  const table = seen.width > 0;
  return (
    <div class={stale ? "stale" : ""}>
      <p>
        <b>
          {things(seen.read, table ? "row" : "object")}
          {table && `, ${things(seen.width, "column")}`}
        </b>
        <span class="quiet">
          {" "}
          · {kinds[seen.kind]}
          {seen.format !== undefined && `, read as ${seen.format}`}
          {seen.duplicates > 0 &&
            ` · ${things(seen.duplicates, "row equals", "rows equal")} an earlier one`}
        </span>
      </p>
      {seen.suspicions.map((s) => (
        <p key={s} class="suspicion">
          {s}
        </p>
      ))}
      {seen.facts.length > 0 && (
        <dl class="fields">
          {seen.facts.map((f) => (
            <div key={f.name}>
              <dt>{f.name}</dt>
              <dd dir="auto">{f.value}</dd>
            </div>
          ))}
        </dl>
      )}
      {seen.histogram.length > 0 && (
        <div class="measured">
          <Histogram
            counts={seen.histogram}
            low={seen.low ?? ""}
            high={seen.high ?? ""}
            of={seen.measured ?? "values"}
          />
          <span class="small quiet">{seen.measured}</span>
        </div>
      )}
      {seen.examples.length > 0 && (
        <ul class="examples whole small" aria-label="examples">
          {seen.examples.map((e, i) => (
            <li key={i} dir="auto">
              {e}
            </li>
          ))}
        </ul>
      )}
      {children}
      {seen.notes.length > 0 && (
        <details class="part" open={seen.notes.length <= 4}>
          <summary>What was found ({number(seen.notes.length)})</summary>
          <ul class="notes small">
            {seen.notes.map((n) => (
              <li key={n}>{n}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** applies reports whether a setting means something to data, as far as their format says. */
function applies(name: string, seen: Preview | null): boolean {
  const formats = useMethods.known()?.settings.find((s) => s.name === name)?.formats;
  return formats === undefined || seen?.format === undefined || formats.includes(seen.format);
}

const parts = [
  ["reading", "How the file is read"],
  ["preparing", "How rows are compared"],
  ["comparing", "What else can be compared"],
  ["knowledge", "What is known before"],
] as const;

/** Fields for all settings that have no place of their own, by their declarations. */
function Settings({
  seen,
  values,
  own,
  set,
  trouble,
}: {
  seen: Preview | null;
  values: Values;
  /** A setting that has a field of its own by now. */
  own: string | undefined;
  set(name: string, value: string): void;
  trouble(words: string): void;
}) {
  const all = useMethods(trouble);
  const shown = (s: Setting) =>
    !elsewhere.has(s.name) &&
    s.name !== own &&
    (s.name !== "missing" || seen?.missing === undefined) &&
    (applies(s.name, seen) || values[s.name] !== undefined);
  return (
    <>
      {parts.map(([part, title]) => {
        const list = (all?.settings ?? []).filter((s) => s.part === part && shown(s));
        if (list.length === 0) return null;
        const changed = list.filter((s) => values[s.name] !== undefined).length;
        return (
          <details key={part} class="part">
            <summary>
              {title}
              {changed > 0 && <span class="quiet"> · {number(changed)} set</span>}
            </summary>
            {list.map((s) => (
              <ParamRow
                key={s.name}
                param={s}
                label={labelOf(s.name)}
                value={values[s.name] ?? ""}
                set={(value) => set(s.name, value)}
                required={false}
              />
            ))}
          </details>
        );
      })}
    </>
  );
}
