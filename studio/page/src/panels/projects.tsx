import { useState } from "preact/hooks";
import { answered } from "../map/words";
import { useStore } from "../store";
import type { Project } from "../types";
import { Begin } from "./begin";
import { Reopen } from "./gaps";
import { Opening, words } from "./opening";
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

/** What is said of a project beside its name; its answers where they are read. */
export function about(p: Project): string {
  const read = p.state === "open" || (p.state === "closed" && !p.error);
  return [p.data !== p.id && p.data, p.method, read && answered(p), states[p.state]]
    .filter(Boolean)
    .join(" · ");
}

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
        <span class="quiet">{about(p)}</span>
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
      <Reopen project={p} />
    </li>
  );
}
