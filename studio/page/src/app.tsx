import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { MapPanel } from "./map/panel";
import { ContradictionsPanel } from "./panels/contradictions";
import { DoubtsPanel } from "./panels/doubts";
import { ExportsPanel } from "./panels/exports";
import { GroupsPanel } from "./panels/groups";
import { HistoryPanel } from "./panels/history";
import { ObjectPanel } from "./panels/object";
import { hasSeveral, PeoplePanel } from "./panels/people";
import { ProjectsPanel } from "./panels/projects";
import { SearchPanel } from "./panels/search";
import { SettingsPanel } from "./panels/settings";
import { openSearch } from "./panels/wanted";
import { Dialogs, welcomed } from "./question/dialogs";
import { QuestionPane } from "./question/pane";
import { useCue } from "./parts/cue";
import { Refusals } from "./parts/refusals";
import { SavedMark } from "./parts/saved";
import { Unkept } from "./parts/unkept";
import { recall } from "./kept";
import { projectName } from "./names";
import type { Store } from "./store";
import type { Panel, State } from "./types";

interface Tab {
  panel: Panel;
  title: string;
  View: ComponentType;
  /** A number beside the title. */
  count?(state: State): number;
  /** Only where there are several people. */
  shared?: boolean;
}

const all: readonly Tab[] = [
  { panel: "map", title: "Map", View: MapPanel },
  { panel: "groups", title: "Groups", View: GroupsPanel, count: (s) => s.clusters },
  { panel: "search", title: "Search", View: SearchPanel },
  { panel: "object", title: "Object", View: ObjectPanel },
  { panel: "doubts", title: "Doubts", View: DoubtsPanel },
  { panel: "history", title: "History", View: HistoryPanel, count: (s) => s.answers },
  {
    panel: "contradictions",
    title: "Contradictions",
    View: ContradictionsPanel,
    count: (s) => s.contradictions + s.disagreements,
  },
  { panel: "people", title: "People", View: PeoplePanel, shared: true },
  { panel: "exports", title: "Export", View: ExportsPanel },
  { panel: "settings", title: "Settings", View: SettingsPanel },
];

/** The whole page. */
export function App({ store }: { store: Store }) {
  const state = store.state.value;
  const stranger = store.connection.value === "stranger";
  const working = store.project.value !== "" && !stranger;
  const called = nameOf(store);
  useEffect(() => {
    document.title = state === null ? "kindred" : `${called} · kindred`;
  }, [state === null, called]);
  useEffect(() => {
    if (working && recall(welcomed) === null) store.dialog.value = { kind: "welcome" };
  }, [working]);
  return (
    <>
      <a
        class="jump"
        href={working ? "#asked" : "#main"}
        onClick={(e) => {
          e.preventDefault();
          document.querySelector<HTMLElement>(".answers button:not(:disabled), main")?.focus();
        }}
      >
        {working ? "To the question" : "To the content"}
      </a>
      <Header store={store} />
      {working && <Unkept store={store} />}
      {stranger ? (
        <main id="main" class="alone" tabIndex={-1}>
          <h2>This page needs its key</h2>
          <p>
            Open a new link here: the first of the people makes one under People or Settings, and
            kindred prints one whenever it starts. Answers that wait here are kept.
          </p>
        </main>
      ) : working ? (
        <main class={`work ${store.view.value}`} tabIndex={-1}>
          <QuestionPane store={store} />
          <Panels store={store} />
        </main>
      ) : (
        <main id="main" class="alone" tabIndex={-1}>
          <h2>Which data?</h2>
          <ProjectsPanel />
        </main>
      )}
      <Notices store={store} />
      <Dialogs store={store} />
    </>
  );
}

/** The name of the project that is shown. */
function nameOf(store: Store): string {
  return projectName(store.project.value, store.state.value?.data, store.projects.value);
}

function Header({ store }: { store: Store }) {
  const state = store.state.value;
  const called = nameOf(store);
  const dark = store.dark.value;
  return (
    <header class="top">
      <span class="brand" aria-hidden="true">
        <i />
        <i />
      </span>
      <h1 class="name">kindred</h1>
      {store.project.value !== "" && (
        <button
          type="button"
          class="project"
          onClick={() => store.goTo("")}
          title={state === null ? "" : `${state.data} · ${state.title}`}
          aria-label={`${called}: all projects`}
        >
          <span dir="auto">{called}</span>
          <span aria-hidden="true">▾</span>
        </button>
      )}
      <span class="grow" />
      {store.project.value !== "" && <SavedMark store={store} />}
      {store.me.value?.name && (
        <span class="me" title="You answer under this name">
          {store.me.value.name}
        </span>
      )}
      <button
        type="button"
        class="icon"
        aria-label={dark ? "light colours" : "dark colours"}
        title={dark ? "Light colours" : "Dark colours"}
        onClick={() => store.theme.set(dark ? "light" : "dark")}
      >
        <svg viewBox="0 0 20 20" aria-hidden="true">
          {dark ? (
            <path d="M10 3V1M10 19v-2M3 10H1M19 10h-2M5 5 3.6 3.6M16.4 16.4 15 15M5 15l-1.4 1.4M16.4 3.6 15 5M10 6a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z" />
          ) : (
            <path d="M16.5 12.5A7 7 0 0 1 7.5 3.5a7 7 0 1 0 9 9Z" />
          )}
        </svg>
      </button>
      <button
        type="button"
        class="icon"
        aria-label="help"
        title="Keys (h)"
        aria-keyshortcuts="H"
        onClick={() => (store.dialog.value = { kind: "help" })}
      >
        <span aria-hidden="true">?</span>
      </button>
    </header>
  );
}

/** The panels as tabs; on narrow screens the question is one of them. */
function Panels({ store }: { store: Store }) {
  const state = store.state.value;
  const panel = store.panel.value;
  const asking = store.view.value === "question";
  const list = useCue<HTMLDivElement>();
  const sheet = useCue<HTMLDivElement>();
  const several = store.me.value?.people === true || hasSeveral(state);
  const tabs = all.filter((t) => several || t.shared !== true);
  const current = tabs.find((t) => t.panel === panel) ?? tabs[0]!;
  useEffect(() => {
    list.current
      ?.querySelector("[aria-selected=true]")
      ?.scrollIntoView?.({ block: "nearest", inline: "nearest" });
  }, [panel]);
  const move = (e: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      Home: -Infinity,
      End: Infinity,
    };
    const step = steps[e.key];
    if (step === undefined) return;
    e.preventDefault();
    // Keys may come faster than what they change is drawn.
    const at = Math.max(
      0,
      tabs.findIndex((t) => t.panel === store.panel.peek()),
    );
    const next = Number.isFinite(step)
      ? (at + step + tabs.length) % tabs.length
      : step < 0
        ? 0
        : tabs.length - 1;
    store.openPanel(tabs[next]!.panel);
    list.current?.querySelector<HTMLElement>(`#tab-${tabs[next]!.panel}`)?.focus();
  };
  return (
    <section class="side" aria-label="the groups so far">
      <div class="bar">
        <button
          type="button"
          class="to-question"
          aria-pressed={asking}
          onClick={() => (store.view.value = "question")}
        >
          Question
        </button>
        <div class="tabs" role="tablist" aria-label="panels" ref={list} onKeyDown={move}>
          {tabs.map((t) => {
            const count = state === null ? 0 : (t.count?.(state) ?? 0);
            return (
              <button
                key={t.panel}
                type="button"
                role="tab"
                id={`tab-${t.panel}`}
                aria-selected={t === current}
                aria-controls="panel"
                tabIndex={t === current ? 0 : -1}
                class={t.panel === "contradictions" && count > 0 ? "warn" : undefined}
                title={t.panel === "settings" ? t.title : undefined}
                onClick={(e) => {
                  // Who clicks on the search, or presses Enter, goes on by typing.
                  const typing = t.panel === "search" && !touched(e);
                  if (typing) openSearch(store);
                  else store.openPanel(t.panel);
                }}
              >
                {t.panel === "settings" ? <Gear /> : t.title}
                {count > 0 && (
                  <>
                    {" "}
                    <span class="count">{count}</span>
                  </>
                )}
              </button>
            );
          })}
        </div>
      </div>
      <div
        ref={sheet}
        class="panel"
        role="tabpanel"
        id="panel"
        aria-labelledby={`tab-${current.panel}`}
        tabIndex={-1}
      >
        <h2 class="hidden">{current.title}</h2>
        {state?.failed && (
          <p class="trouble" role="alert">
            The groups could not be found: {state.failed}
          </p>
        )}
        <current.View key={`${store.project.value}/${current.panel}`} />
      </div>
    </section>
  );
}

/** Tells whether a click is that of a finger, which a keyboard on the screen would surprise. */
function touched(e: MouseEvent): boolean {
  return "pointerType" in e && e.pointerType === "touch";
}

/** The sign of the settings. */
function Gear() {
  return (
    <>
      <svg class="gear" viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="10" cy="10" r="2.6" />
        <path d="M10 1.8v2.4M10 15.8v2.4M1.8 10h2.4M15.8 10h2.4M4.2 4.2l1.7 1.7M14.1 14.1l1.7 1.7M4.2 15.8l1.7-1.7M14.1 5.9l1.7-1.7" />
        <circle cx="10" cy="10" r="5.6" />
      </svg>
      <span class="hidden">Settings</span>
    </>
  );
}

/** How long a message stays, in ms. */
const stays = { good: 6000, plain: 6000, bad: 12_000 };

function Notices({ store }: { store: Store }) {
  const notice = store.notice.value;
  useEffect(() => {
    if (notice === null) return;
    const timer = setTimeout(() => {
      if (store.notice.value === notice) store.notice.value = null;
    }, stays[notice.tone]);
    return () => clearTimeout(timer);
  }, [notice]);
  const refused = store.refused.value;
  useEffect(() => {
    if (refused === null) return;
    const timer = setTimeout(() => {
      if (store.refused.value === refused) store.refused.value = null;
    }, stays.plain);
    return () => clearTimeout(timer);
  }, [refused]);
  return (
    <div class="notices">
      <div role={notice?.tone === "bad" ? "alert" : "status"}>
        {notice !== null && (
          <p class={`notice ${notice.tone}`}>
            <span>{notice.text}</span>
            <button
              type="button"
              class="close"
              aria-label="close this message"
              onClick={() => (store.notice.value = null)}
            >
              ×
            </button>
          </p>
        )}
      </div>
      <Refusals />
    </div>
  );
}
