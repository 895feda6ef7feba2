import { effect, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useCue } from "../parts/cue";
import { afterFrames } from "../parts/frames";
import { Selection } from "../panels/object";
import { type Store, useStore } from "../store";
import {
  caughtRows,
  counts,
  first,
  groupName,
  groups,
  hidden,
  links,
  plane,
  trouble,
  watchGroups,
  watchLinks,
  watchMap,
  where,
} from "./data";
import { InView } from "./inview";
import { Legend } from "./legend";
import { inkOf, lookOf } from "./look";
import { MOST_LINKS } from "./overlay";
import { asked, BAD, byCertainty } from "./places";
import { type Told, Scene } from "./scene";
import { Tip, type TipAt } from "./tip";
import { keeping, number, summary, unsettled } from "./words";
import "./map.css";

/** Objects that are selected of what a lasso caught; all of them are counted. */
const LISTED = 200;
const MOST_ASKED = 3000;

interface Drawn {
  project: string;
  scene: Scene;
  look: string; // the colours it has
}
let last: Drawn | null = null;

/** afterwards does something at once, or where it takes long once what is there has been drawn. */
function afterwards(long: boolean, then: () => () => void): () => void {
  if (!long) return then();
  let end: (() => void) | undefined;
  const off = afterFrames(2, () => (end = then()));
  return () => {
    off();
    end?.();
  };
}

/** sceneOf returns the map of a project, as it was left if it is the one that was shown last. */
function sceneOf(project: string): Drawn {
  if (last?.project !== project) {
    last?.scene.dispose();
    const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
    last = { project, scene: new Scene(calm), look: "" };
  }
  return last;
}

/** The map of all objects, its legend, and what is selected on it. */
export function MapPanel() {
  const store = useStore();
  const stage = useRef<HTMLDivElement>(null);
  const scene = useRef<Scene | null>(null);
  const focus = useSignal(0);
  const rings = useSignal(true);
  const lines = useSignal(false);
  const [tip, setTip] = useState<TipAt | null>(null);
  const [most, setMost] = useState<number | null>(Infinity);
  const [lasso, setDrawing] = useState(false);
  const [moves, setMoves] = useState(0);

  const setLasso = (on: boolean) => {
    if (scene.current) scene.current.drawing = on; // at once: the hand may be quicker than the page
    setDrawing(on);
  };

  useEffect(() => watchMap(store), [store]);
  useEffect(() => watchGroups(store), [store]);
  useEffect(() => (lines.value ? watchLinks(store) : undefined), [store, lines.value]);
  useEffect(() => {
    const host = stage.current!;
    const told: Told = {
      hover: (row, x, y) =>
        setTip(row < 0 ? null : { row, x, y, width: host.clientWidth, height: host.clientHeight }),
      pick: (row, add) => pick(store, row, add),
      lasso: (rows) => {
        setLasso(false);
        catchRows(store, rows);
      },
      moved: () => setMoves((n) => n + 1),
      escape: () => {
        setLasso(false);
        pick(store, -1, false);
      },
      painter: setMost,
    };
    // The first time it has much to make: the panel is drawn before.
    return afterwards(last?.project !== store.project.peek(), () => {
      const drawn = sceneOf(store.project.peek());
      const s = drawn.scene;
      scene.current = s;
      s.enter(host, told);
      const stops = [
        effect(() => {
          if (plane.value?.project === drawn.project) s.setPoints(plane.value.points);
        }),
        effect(() => {
          if (plane.value && where.value) s.setPlaces(where.value);
        }),
        effect(() => {
          const clusters = (counts.value?.groups.length ?? 1) - 1;
          const next = lookOf(
            clusters,
            store.state.value,
            hidden.value,
            focus.value,
            counts.value !== null && unsettled(counts.value),
            store.dark.value,
          );
          // Every answer brings a state; most leave the colours as they are.
          const key = JSON.stringify([next, store.dark.value]);
          if (key === drawn.look) return;
          drawn.look = key;
          // The style of the page follows the theme a moment later.
          queueMicrotask(() => s.setLook(next, inkOf(host, store.dark.value)));
        }),
        effect(() => {
          const q = store.question.value;
          s.setMarks({ question: q ? [q.a.row, q.b.row] : null, selected: store.selected.value });
        }),
        effect(() =>
          s.setMarks({ asked: rings.value && where.value ? asked(where.value, MOST_ASKED) : [] }),
        ),
        effect(() =>
          s.setMarks({ links: lines.value ? (links.value ?? []).slice(-MOST_LINKS) : [] }),
        ),
      ];
      return () => {
        for (const stop of stops) stop();
        s.leave();
        scene.current = null;
      };
    });
  }, [store]);

  const c = counts.value;
  const name = (cluster: number) => groupName(cluster, groups.value);
  const words = c === null ? "Map, still loading" : summary(c, name);
  const fly = (cluster: number) => {
    const p = where.value;
    if (p) scene.current?.flyTo((row) => p.cluster[row] === cluster && (p.flags[row]! & BAD) === 0);
  };
  return (
    <div class="map-panel">
      <div class="map-main">
        <Tools
          scene={() => scene.current}
          lasso={lasso}
          setLasso={setLasso}
          rings={rings}
          lines={lines}
          better={(store.state.value?.layout ?? "") !== ""}
        />
        <div class={store.selected.value.length > 0 ? "map-row chosen" : "map-row"}>
          <div class="map-frame">
            <div
              ref={stage}
              class={lasso ? "map-stage drawing" : "map-stage"}
              tabIndex={0}
              role="application"
              aria-roledescription="map"
              aria-label={words}
              data-layout={plane.value?.layout}
              aria-describedby="map-keys"
            />
            {tip && <Tip at={tip} />}
            {c === null && (
              <p class="map-wait" role="status">
                {store.state.value === null
                  ? opening(store)
                  : trouble.value || "The map is being drawn up …"}
              </p>
            )}
          </div>
          {store.selected.value.length > 0 && (
            <Chosen>
              <Selection goTo={(row) => scene.current?.goTo(row)} />
            </Chosen>
          )}
        </div>
        <p id="map-keys" class="hidden">
          Arrows move the map, plus and minus zoom, Home shows everything, Enter selects the object
          nearest to the middle, Shift and Enter adds a second one, Escape selects nothing. The
          groups, and the objects in view, are listed after the map.
        </p>
        <Notes
          most={most}
          objects={c?.objects ?? 0}
          trouble={c === null ? "" : trouble.value}
          links={lines.value ? (links.value?.length ?? 0) : 0}
          calm={c !== null && unsettled(c)}
        />
      </div>
      <div class="map-side">
        <Legend fly={fly} focus={(cluster) => (focus.value = cluster)} />
        <InView scene={() => scene.current} moves={moves} pick={(row) => pick(store, row, false)} />
      </div>
    </div>
  );
}

/** What is selected, which scrolls where it is more than the map is high. */
function Chosen({ children }: { children: ComponentChildren }) {
  const cue = useCue<HTMLElement>();
  return (
    <section ref={cue} class="map-selection" aria-label="Selected" tabIndex={0}>
      {children}
    </section>
  );
}

function Tools({
  scene,
  lasso,
  setLasso,
  rings,
  lines,
  better,
}: {
  scene: () => Scene | null;
  lasso: boolean;
  setLasso: (on: boolean) => void;
  rings: { value: boolean };
  lines: { value: boolean };
  better: boolean; // there is another map than the first
}) {
  return (
    <div class="map-tools" role="toolbar" aria-label="Map">
      <button
        type="button"
        title="closer (+)"
        aria-label="zoom in"
        onClick={() => scene()?.zoomBy(1.6)}
      >
        +
      </button>
      <button
        type="button"
        title="further away (−)"
        aria-label="zoom out"
        onClick={() => scene()?.zoomBy(1 / 1.6)}
      >
        −
      </button>
      <button type="button" title="show everything (Home)" onClick={() => scene()?.whole()}>
        All
      </button>
      <button
        type="button"
        title="draw around objects to list them (Shift and drag)"
        aria-pressed={lasso}
        onClick={() => setLasso(!lasso)}
      >
        Lasso
      </button>
      <button
        type="button"
        title="rings around objects that were asked about"
        aria-pressed={rings.value}
        onClick={() => (rings.value = !rings.value)}
      >
        Asked
      </button>
      <button
        type="button"
        title="lines between pairs that were answered: solid same, dashed different"
        aria-pressed={lines.value}
        onClick={() => (lines.value = !lines.value)}
      >
        Answers
      </button>
      {better && (
        <button
          type="button"
          title="nearest neighbours lie together; else the map that was there first"
          aria-pressed={!first.value}
          onClick={() => (first.value = !first.value)}
        >
          Neighbours
        </button>
      )}
    </div>
  );
}

function Notes({
  most,
  objects,
  trouble,
  links,
  calm,
}: {
  most: number | null;
  objects: number;
  trouble: string;
  links: number;
  calm: boolean;
}) {
  const axes = plane.value?.axes;
  const kept = plane.value ? keeping(plane.value.layout, plane.value.quality) : "";
  return (
    <div class="map-notes small quiet">
      {calm && (
        <p>
          Most objects are still in doubt, and are drawn pale in the colour of the likeliest group.
          Answers bring the groups out.
        </p>
      )}
      {kept !== "" && <p>{kept}</p>}
      {axes && (axes[0] !== "" || axes[1] !== "") && (
        <p>
          Across: {axes[0]}. Upwards: {axes[1]}.
        </p>
      )}
      {most === null && (
        <p role="alert">
          This browser can draw neither WebGL2 nor a plain canvas. The groups and objects are listed
          beside.
        </p>
      )}
      {most !== null && objects > most && (
        <p>
          This browser has no WebGL2: {number(most)} of the {number(objects)} objects are drawn, an
          even sample. All can be found and selected.
        </p>
      )}
      {links > MOST_LINKS && (
        <p>
          The last {number(MOST_LINKS)} of {number(links)} answers are drawn.
        </p>
      )}
      {trouble !== "" && <p role="status">{trouble}</p>}
    </div>
  );
}

/** opening says why there is nothing to draw yet. */
function opening(store: Store): string {
  const project = store.projects.value?.find((p) => p.id === store.project.value);
  return project?.state === "failed" && project.error
    ? project.error
    : "The project is being opened …";
}

/** pick selects an object, joins it to the one selected before, or with −1 selects nothing. */
function pick(store: Store, row: number, add: boolean): void {
  const before = store.selected.value;
  caughtRows.value = null;
  if (row < 0) {
    if (!add && before.length > 0) store.select([]);
  } else if (!add) store.select([row]);
  else if (before.includes(row)) store.select(before.filter((r) => r !== row));
  else store.select([...before.slice(-1), row]);
}

/** catchRows selects what a lasso caught: those that are listed; the others are counted. */
function catchRows(store: Store, rows: Uint32Array): void {
  const p = where.value;
  if (rows.length === 0 || p === null) {
    store.say("The lasso holds no object.", "plain");
    return;
  }
  store.select(byCertainty(p, rows, "typical", LISTED));
  caughtRows.value = rows.length > 2 ? rows : null;
}
