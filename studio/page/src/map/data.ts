// What the map and the panels beside it know of all objects; loaded while somebody looks, kept
// while the project is open.

import { batch, computed, effect, signal } from "@preact/signals";
import { ApiError } from "../api";
import type { Store } from "../store";
import type { Cluster, MapQuality } from "../types";
import type { Line } from "./overlay";
import { type Places, places } from "./places";
import { count } from "./words";

/** Points of a project's rows, what the axes are, and how well neighbours are kept. */
export interface Plane {
  project: string;
  asked: string; // layout, as a state has it
  points: Float32Array;
  axes: [string, string];
  layout: string;
  quality: MapQuality | null;
}

export const plane = signal<Plane | null>(null);
export const where = signal<Places | null>(null);
export const counts = computed(() => (where.value === null ? null : count(where.value)));
/** What stands in the way of the map, in words. */
export const trouble = signal("");
/** Rows that the last lasso caught, all of them; store.selected has those that are looked at. */
export const caughtRows = signal<Uint32Array | null>(null);
/** Hues of the groups that are not drawn; hues stay with a group while the numbers change. */
export const hidden = signal<ReadonlySet<number>>(new Set());
/** The first map is wanted, although there is one that keeps neighbours better. */
export const first = signal(false);
export const groups = signal<Cluster[] | null>(null);
export const links = signal<Line[] | null>(null);

let owner = "";

/** Milliseconds after which the map is asked for again when it could not be had. */
const RETRY = 5000;

/** forget drops what belongs to another project. */
function forget(project: string): void {
  if (owner === project) return;
  owner = project;
  plane.value = null;
  where.value = null;
  groups.value = null;
  links.value = null;
  caughtRows.value = null;
  hidden.value = new Set();
  first.value = false;
  trouble.value = "";
}

/** Latest runs one load at a time, and once more when something changed meanwhile. */
class Latest {
  private running = false;
  private again = false;
  constructor(
    private readonly work: () => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {}

  go(): void {
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = true;
    void this.run();
  }

  private async run(): Promise<void> {
    do {
      this.again = false;
      try {
        await this.work();
      } catch (error) {
        this.failed(error);
      }
    } while (this.again);
    this.running = false;
  }
}

/** followProject drops what belongs to another project before anything of the next one is shown. */
export function followProject(store: Store): () => void {
  return effect(() => forget(store.project.value));
}

/** watchMap keeps points and places up to date until the function it returns is called. */
export function watchMap(store: Store): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const latest = new Latest(
    () => loadMap(store),
    (error) => {
      if (error instanceof ApiError) trouble.value = error.message;
      timer = setTimeout(() => latest.go(), RETRY);
    },
  );
  const stop = effect(() => {
    const project = store.project.value;
    const state = store.state.value;
    const live = store.connection.value;
    forget(project);
    if (project === "" || state === null || live === "stranger") return;
    // A new number of rows, a fit, or another layout: all are part of what is watched.
    void [state.fitted, state.rows, state.layout, first.value];
    clearTimeout(timer);
    latest.go();
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

async function loadMap(store: Store): Promise<void> {
  const project = store.project.value;
  if (project === "") return;
  const fitted = store.state.value?.fitted;
  const layout = first.peek() ? "" : (store.state.value?.layout ?? "");
  const whole = plane.peek();
  const same = whole?.project === project && whole.asked === layout;
  if (same && where.peek()?.revision === fitted) return;
  // Info and places are two answers; a fit may end between them.
  for (let tries = 0; tries < 4; tries++) {
    const info = await store.api.mapInfo(project, layout);
    let points = plane.peek();
    if (
      points === null ||
      points.project !== project ||
      points.asked !== layout ||
      points.points.length !== 2 * info.rows
    ) {
      points = {
        project,
        asked: layout,
        points: await store.api.points(project, layout),
        axes: info.axes,
        layout: info.layout,
        quality: info.quality ?? null,
      };
    }
    const found = await store.api.places(project);
    if (project !== store.project.value) return;
    if (found.revision !== info.revision && tries < 3) continue;
    const p = places(found.places, info.sets, found.revision);
    if (points.points.length !== 2 * p.cluster.length) continue;
    batch(() => {
      plane.value = points;
      where.value = p;
      trouble.value = "";
    });
    return;
  }
  trouble.value = "The map changes faster than it can be read; it comes with the next change.";
}

/** watchGroups keeps the groups up to date until the function it returns is called. */
export function watchGroups(store: Store): () => void {
  const latest = new Latest(
    async () => {
      const project = store.project.value;
      if (project === "") return;
      const { clusters } = await store.api.groups(project);
      if (project !== store.project.value) return;
      // What shows them is not drawn anew where they are as they were.
      if (JSON.stringify(clusters) !== JSON.stringify(groups.peek())) groups.value = clusters;
    },
    () => undefined, // the next change asks again
  );
  return watch(store, () => latest.go());
}

/**
 * watchLinks keeps the links that answers make up to date until the function it returns is called.
 */
export function watchLinks(store: Store): () => void {
  const latest = new Latest(
    async () => {
      const project = store.project.value;
      if (project === "") return;
      const found = await store.api.links(project);
      if (project !== store.project.value) return;
      links.value = found
        .filter((l) => l.link !== "unknown" && l.a.row >= 0 && l.b.row >= 0)
        .map((l) => ({ a: l.a.row, b: l.b.row, different: l.link === "different" }));
    },
    () => undefined,
  );
  return watch(store, () => latest.go());
}

/** watch calls f when the project or its revision changes, and lets quick answers pass as one. */
function watch(store: Store, f: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last: string | null = null;
  const stop = effect(() => {
    const project = store.project.value;
    const state = store.state.value;
    forget(project);
    if (project === "" || state === null) return;
    void [state.revision, state.fitted];
    clearTimeout(timer);
    if (project !== last) f();
    else timer = setTimeout(f, 500);
    last = project;
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

/** groupName is what people call a group, or a name from its keywords, or its number. */
export function groupName(cluster: number, known: readonly Cluster[] | null): string {
  if (cluster <= 0) return "no group";
  const group = known?.find((c) => c.cluster === cluster);
  return group?.names.join(" + ") || group?.suggested || `group ${cluster}`;
}
