import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../api";
import { things } from "../map/words";
import { useStore } from "../store";
import type { Missing, Project, Source } from "../types";
import { HowFields, methodOf, nothing, settingsOf } from "./method";
import "./panels.css";

/** The projects there are, and a new one. */
export function ProjectsPanel() {
  const store = useStore();
  const list = store.projects.value;
  const admin = store.me.value?.admin !== false;
  return (
    <div class="projects">
      <section aria-labelledby="projects-there">
        <h3 id="projects-there">Projects</h3>
        {list === null && (
          <p class="quiet" role="status">
            …
          </p>
        )}
        {list?.length === 0 && (
          <p class="quiet">
            There is none yet.{admin && " Begin one below: a sample needs nothing to be prepared."}
          </p>
        )}
        <ul class="project-list">
          {list?.map((p) => (
            <ProjectItem key={p.id} project={p} />
          ))}
        </ul>
      </section>
      {admin && <Begin />}
    </div>
  );
}

const states: Record<Project["state"], string> = {
  open: "",
  opening: "opening",
  closed: "closed",
  failed: "failed",
};

function ProjectItem({ project: p }: { project: Project }) {
  const store = useStore();
  const here = p.id === store.project.value;
  const [trouble, setTrouble] = useState("");
  const open = async () => {
    setTrouble("");
    try {
      await store.api.open(p.id);
      store.goTo(p.id);
    } catch (error) {
      setTrouble(words(error));
    }
  };
  return (
    <li class={here ? "here" : ""}>
      <div class="project-head">
        {p.state === "open" ? (
          <button
            type="button"
            class="link name"
            aria-current={here ? "page" : undefined}
            onClick={() => store.goTo(p.id)}
          >
            {p.id}
          </button>
        ) : (
          <b class="name">{p.id}</b>
        )}
        <span class="quiet">
          {[p.data !== p.id && p.data, p.method, things(p.answers, "answer"), states[p.state]]
            .filter(Boolean)
            .join(" · ")}
        </span>
        {(p.state === "closed" || p.state === "failed") && (
          <button type="button" onClick={() => void open()}>
            {p.state === "failed" ? "Try again" : "Open"}
            <span class="hidden"> {p.id}</span>
          </button>
        )}
      </div>
      {p.state === "opening" && <Opening project={p} />}
      {p.error && (
        <p role="alert" class="trouble">
          {p.error}
        </p>
      )}
      {trouble !== "" && (
        <p role="alert" class="trouble">
          {trouble}
        </p>
      )}
    </li>
  );
}

function Opening({ project: p }: { project: Project }) {
  const share = p.share ?? -1;
  return (
    <p class="opening">
      <progress max={1} {...(share >= 0 ? { value: share } : {})} aria-label={`opening ${p.id}`} />{" "}
      <span class="small quiet">{p.what || "opening"}</span>
    </p>
  );
}

const MOST_LISTED = 60;

/** A new project on a sample, or on a file or folder that is served. */
function Begin() {
  const store = useStore();
  const [sources, setSources] = useState<Source[] | null>(null);
  const [filter, setFilter] = useState("");
  const [data, setData] = useState("");
  const [how, setHow] = useState(nothing);
  const [trouble, setTrouble] = useState("");
  const [busy, setBusy] = useState(false);
  const [begun, setBegun] = useState("");
  const [missing, setMissing] = useState<Missing | null>(null);
  const [treat, setTreat] = useState("");
  const ask = (m: Missing | null) => {
    setMissing(m);
    setTreat(m?.choices[0]?.name ?? "");
  };
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
    if (state.state === "failed") setTrouble(state.error || "It could not be opened.");
    if (state.state === "open" || state.state === "failed") setBegun("");
  }, [begun, state?.state]);
  const send = async (form: FormData) => {
    setTrouble("");
    if (data === "") {
      setTrouble("Choose the data first.");
      return;
    }
    const settings = settingsOf(how, methodOf(how.method));
    for (const [name, value] of form) {
      if (setNames.has(name) && typeof value === "string" && value.trim() !== "")
        settings[name] = value.trim();
    }
    if (missing !== null) settings["missing"] = treat;
    setBusy(true);
    try {
      // What cannot be read, or needs a choice first, is not begun.
      const seen = missing === null ? await store.api.preview(data, settings) : null;
      if (seen?.missing) {
        ask(seen.missing);
        return;
      }
      const { id } = await store.api.begin(data, settings);
      setBegun(id);
      void store.refreshProjects();
    } catch (error) {
      setTrouble(words(error));
    } finally {
      setBusy(false);
    }
  };
  const found = (sources ?? []).filter((s) =>
    `${s.name} ${s.title}`.toLowerCase().includes(filter.trim().toLowerCase()),
  );
  return (
    <section aria-labelledby="projects-new" class="begin">
      <h3 id="projects-new">Begin a new one</h3>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          void send(new FormData(e.currentTarget));
        }}
        onChange={(e) => {
          // What was asked may no longer be so.
          if ((e.target as HTMLInputElement).name !== "missing") ask(null);
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
              <li key={`${s.kind} ${s.name}`}>
                <label>
                  <input
                    type="radio"
                    name="data"
                    value={s.name}
                    checked={data === s.name}
                    onChange={() => setData(s.name)}
                  />
                  <span>{s.name}</span>{" "}
                  <span class="small quiet">
                    {[s.kind, s.title !== s.name && s.title].filter(Boolean).join(": ")}
                  </span>
                </label>
              </li>
            ))}
          </ul>
          {found.length > MOST_LISTED && (
            <p class="small quiet">{found.length - MOST_LISTED} more: write a part of the name.</p>
          )}
        </fieldset>
        <fieldset>
          <legend>How</legend>
          <HowFields how={how} change={setHow} open trouble={setTrouble} />
          <p>
            <label>
              Column of true classes <input name="label" maxLength={200} autocomplete="off" />
            </label>{" "}
            <span class="small quiet">never used as a feature</span>
          </p>
          <details>
            <summary>More about the columns</summary>
            <p>
              <label>
                Names of the rows <input name="id" maxLength={200} autocomplete="off" />
              </label>
            </p>
            <p>
              <label>
                Texts to compare <input name="text" maxLength={200} autocomplete="off" />
              </label>
            </p>
            <p>
              <label>
                Series to compare <input name="series" maxLength={200} autocomplete="off" />
              </label>
            </p>
            <p>
              <label>
                Columns to leave out <input name="drop" maxLength={2000} autocomplete="off" />
              </label>{" "}
              <span class="small quiet">separated by commas</span>
            </p>
          </details>
        </fieldset>
        {missing !== null && <Gaps missing={missing} treat={treat} choose={setTreat} />}
        <p class="actions">
          <button type="submit" class="primary" disabled={busy || begun !== ""}>
            Begin
          </button>
        </p>
        {trouble !== "" && (
          <p role="alert" class="trouble">
            {trouble}
          </p>
        )}
        {begun !== "" && state && <Opening project={state} />}
      </form>
    </section>
  );
}

/** What to do about missing values, with what follows from each choice. */
function Gaps(props: { missing: Missing; treat: string; choose(name: string): void }) {
  const { missing: m, treat, choose } = props;
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), [m]);
  const listed = m.columns.slice(0, MOST_GAPS).map((c) => `${c.name} ${c.missing}`);
  if (m.columns.length > MOST_GAPS) listed.push("…");
  return (
    <fieldset class="gaps">
      <legend>Missing values</legend>
      <p>
        {things(m.rows, "row")} {m.rows === 1 ? "lacks" : "lack"} values: {listed.join(", ")}. What
        becomes of them?
      </p>
      <ul class="sources">
        {m.choices.map((c, i) => (
          <li key={c.name}>
            <label>
              <input
                ref={i === 0 ? first : undefined}
                type="radio"
                name="missing"
                value={c.name}
                checked={treat === c.name}
                onChange={() => choose(c.name)}
              />
              <span>{c.title}</span>{" "}
              <span class="small quiet">
                {things(c.rows, "row")}, {things(c.features, "feature")}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

const MOST_GAPS = 8;

const setNames = new Set(["label", "id", "text", "series", "drop"]);

function words(error: unknown): string {
  if (error instanceof ApiError || error instanceof Error) return error.message;
  return String(error);
}
