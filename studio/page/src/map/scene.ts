// The map as it moves: two canvases, the camera, and what is under the hand. It knows nothing of
// the page around it and does its own frames, only when something has changed. It enters a place on
// the page and leaves it again, and keeps what is drawn: canvases of WebGL are slow to make.

import { listen } from "./gestures";
import { GLPainter } from "./gl";
import { Grid } from "./grid";
import { caught, type Corner, thin } from "./lasso";
import { drawOver, type Ink, type Marks, NONE } from "./overlay";
import { dot, type Look, type Painter } from "./painter";
import { Order, type Places } from "./places";
import { PlainPainter } from "./plain";
import {
  between,
  blend,
  bounds,
  type Box,
  fit,
  pan,
  resize,
  seen,
  toPlane,
  type View,
  within,
  zoom,
} from "./view";

export interface Told {
  /** hover: the object under the pointer and where, −1 for none. */
  hover(row: number, x: number, y: number): void;
  pick(row: number, add: boolean): void;
  lasso(rows: Uint32Array): void;
  /** moved: the view has come to rest elsewhere. */
  moved(): void;
  escape(): void;
  /** painter: how many points it draws at most; null when nothing can be drawn. */
  painter(most: number | null): void;
}

/** Pixels around the pointer within which an object is meant. */
const REACH = 10;
const FLIGHT = 450;
const REST = 200;
/** Milliseconds in which objects move to where another layout has them. */
const MOVE = 900;

export class Scene {
  drawing = false; // a drag draws a lasso
  private canvas!: HTMLCanvasElement;
  private readonly over: HTMLCanvasElement;
  private readonly overTo: CanvasRenderingContext2D | null;
  private painter: Painter | null = null;
  private points: Float32Array | null = null;
  private drawn: Float32Array | null = null; // the points, or on the way to them
  private move: { from: Float32Array; since: number; frames: number } | null = null;
  private order = new Order(0);
  private places: Places | null = null;
  private look: Look | null = null;
  private grid_: Grid | null = null;
  private box: Box = { left: -1, right: 1, bottom: -1, top: 1 };
  private view: View = { x: 0, y: 0, scale: 1, width: 0, height: 0 };
  private full: View = this.view; // everything in sight
  private fitted = true; // nobody has moved the view yet
  private marks: Marks = NONE;
  private ink: Ink | null = null;
  private flight: { from: View; to: View; since: number } | null = null;
  private frame = 0;
  private moved = true;
  private overMoved = true;
  private rest = 0;
  private host: HTMLElement | null = null; // where it is on the page
  private told: Told | null = null;
  private stops: (() => void)[] = []; // when it leaves
  private given = 0; // when a lost context is given up

  constructor(private readonly calm: () => boolean) {
    this.over = document.createElement("canvas");
    this.over.className = "map-over";
    this.overTo = this.over.getContext("2d");
    this.begin(false);
  }

  /** enter shows the map in a place on the page, and obeys the hand there. */
  enter(host: HTMLElement, told: Told): void {
    this.host = host;
    this.told = told;
    host.prepend(this.canvas, this.over);
    const sizes = new ResizeObserver(() => this.measure());
    sizes.observe(host);
    const end = new AbortController();
    const focus = () => this.setMarks({ aim: host.matches(":focus-visible") });
    host.addEventListener("focus", focus, { signal: end.signal });
    host.addEventListener("blur", focus, { signal: end.signal });
    this.stops = [() => sizes.disconnect(), listen(host, this.wishes()), () => end.abort()];
    told.painter(this.painter ? this.painter.most : null);
    this.measure();
    this.ask();
  }

  /** leave takes the map off the page; what is on its way is there when it enters again. */
  leave(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.rest);
    this.frame = 0;
    for (const stop of this.stops) stop();
    this.canvas.remove();
    this.over.remove();
    this.host = this.told = null;
    this.drawing = false;
    this.marks = { ...this.marks, hover: -1, lasso: [], aim: false };
    this.overMoved = true;
    if (this.flight) this.flight.since = -Infinity;
    if (this.move) this.move.since = -Infinity;
  }

  /**
   * begin makes the canvas of the points and what draws on it: WebGL2, or the plain one where there
   * is none.
   */
  private begin(plain: boolean): void {
    this.painter?.dispose();
    this.canvas?.remove();
    this.canvas = fresh();
    this.painter = plain ? null : GLPainter.on(this.canvas);
    if (!this.painter) {
      this.canvas = fresh(); // one that was asked for WebGL may give nothing else
      this.painter = PlainPainter.on(this.canvas);
    }
    this.host?.prepend(this.canvas);
    this.canvas.addEventListener("webglcontextlost", (e) => {
      e.preventDefault(); // says that we want it back
      this.given = window.setTimeout(() => {
        this.begin(true);
        this.measure();
      }, 5000);
    });
    this.canvas.addEventListener("webglcontextrestored", () => {
      clearTimeout(this.given);
      this.painter?.restored();
      this.resize();
    });
    if (this.painter && this.points) {
      this.painter.setPoints(this.drawn ?? this.points, this.order);
      if (this.places) this.painter.setPlaces(this.places);
      if (this.look) this.painter.setLook(this.look);
    }
    this.told?.painter(this.painter ? this.painter.most : null);
  }

  /**
   * setPoints takes the points of the rows, or other points of the same rows, which move there as
   * they are, in their colours.
   */
  setPoints(points: Float32Array): void {
    if (points === this.points) return;
    const drawn = this.drawn;
    if (drawn?.length === points.length) {
      if (points.every((v, i) => v === drawn[i])) this.points = this.drawn = points;
      else this.moveTo(points);
      return;
    }
    this.points = this.drawn = points;
    this.move = null;
    this.order = new Order(points.length / 2);
    this.grid_ = null;
    this.places = null;
    this.box = bounds(points);
    this.full = fit(this.box, this.view.width, this.view.height);
    this.view = this.full;
    this.fitted = true;
    this.painter?.setPoints(points, this.order);
    this.change();
  }

  private moveTo(points: Float32Array): void {
    this.move = { from: this.drawn!, since: performance.now(), frames: 0 };
    this.points = points;
    this.grid_ = null;
    this.box = bounds(points);
    this.full = fit(this.box, this.view.width, this.view.height);
    this.whole();
    this.ask();
  }

  setPlaces(places: Places): void {
    if (places === this.places || places.cluster.length !== this.order.n) return;
    this.places = places;
    this.painter?.setPlaces(places);
    this.ask();
  }

  setLook(look: Look, ink: Ink): void {
    this.look = look;
    this.ink = ink;
    this.painter?.setLook(look);
    this.ask();
    this.overMoved = true;
  }

  setMarks(marks: Partial<Marks>): void {
    this.marks = { ...this.marks, ...marks };
    this.overMoved = true;
    this.ask();
  }

  /** whole shows everything. */
  whole(): void {
    this.fly(this.full);
    this.fitted = true;
  }

  zoomBy(factor: number, x = this.view.width / 2, y = this.view.height / 2): void {
    this.set(within(zoom(this.view, factor, x, y, this.full), this.box));
  }

  panBy(dx: number, dy: number): void {
    this.set(within(pan(this.view, dx, dy), this.box));
  }

  /** flyTo shows the objects that pass the test; most of them, as strays would keep it far away. */
  flyTo(rows: (row: number) => boolean): void {
    if (!this.points) return;
    const xs: number[] = [];
    const ys: number[] = [];
    this.order.each(this.order.n, (_, row) => {
      if (xs.length < 20_000 && rows(row)) {
        xs.push(this.points![2 * row]!);
        ys.push(this.points![2 * row + 1]!);
      }
    });
    if (xs.length === 0) return;
    const [left, right] = middle(xs);
    const [bottom, top] = middle(ys);
    const pad = 0.02 * (this.box.right - this.box.left);
    const v = fit(
      { left: left - pad, right: right + pad, bottom: bottom - pad, top: top + pad },
      this.view.width,
      this.view.height,
      40,
    );
    this.fly(v);
    this.fitted = false;
  }

  /** goTo brings one object into the middle, near enough to see its neighbours apart. */
  goTo(row: number): void {
    if (!this.points || row < 0 || row >= this.order.n) return;
    const scale = Math.max(this.view.scale, 4 * this.full.scale);
    this.fly({ ...this.view, x: this.points[2 * row]!, y: this.points[2 * row + 1]!, scale });
    this.fitted = false;
  }

  /**
   * inView gives up to `most` visible objects on the screen, the nearest to the middle first, and
   * whether there are more.
   */
  inView(most: number): { rows: number[]; more: boolean } {
    if (!this.points || this.view.width === 0) return { rows: [], more: false };
    const found: number[] = [];
    this.grid().inside(seen(this.view), (row) => {
      if (this.visible(row)) found.push(row);
      return found.length <= 50 * most;
    });
    const far = (row: number) =>
      Math.hypot(this.points![2 * row]! - this.view.x, this.points![2 * row + 1]! - this.view.y);
    found.sort((a, b) => far(a) - far(b));
    return { rows: found.slice(0, most), more: found.length > most };
  }

  private visible = (row: number): boolean => !this.look?.hidden[this.places?.cluster[row] ?? 0];

  private grid(): Grid {
    return (this.grid_ ??= new Grid(this.points ?? new Float32Array(0)));
  }

  private at(x: number, y: number, reach = REACH): number {
    if (!this.points) return -1;
    const [px, py] = toPlane(this.view, x, y);
    return this.grid().nearest(px, py, reach / this.view.scale, this.visible);
  }

  private wishes() {
    return {
      pan: (dx: number, dy: number) => this.panBy(dx, dy),
      zoom: (factor: number, x: number, y: number) => this.zoomBy(factor, x, y),
      whole: () => this.whole(),
      pick: (x: number, y: number, add: boolean) => this.told?.pick(this.at(x, y), add),
      pickMiddle: (add: boolean) => {
        const row = this.at(this.view.width / 2, this.view.height / 2, 60);
        if (row >= 0) this.told?.pick(row, add);
      },
      hover: (x: number, y: number) => {
        const row = this.at(x, y);
        if (row !== this.marks.hover) this.setMarks({ hover: row });
        this.told?.hover(row, x, y);
      },
      leave: () => {
        if (this.marks.hover >= 0) this.setMarks({ hover: -1 });
        this.told?.hover(-1, 0, 0);
      },
      lasso: (line: Corner[], done: boolean) => {
        this.setMarks({ lasso: done ? [] : line });
        if (!done || line.length < 3 || !this.points) return;
        const corners = thin(line, 2).map(([x, y]) => toPlane(this.view, x, y));
        this.told?.lasso(caught(corners, this.grid(), this.points, this.visible));
      },
      escape: () => this.told?.escape(),
      drawing: () => this.drawing,
    };
  }

  private set(view: View): void {
    this.flight = null;
    this.fitted = false;
    this.view = view;
    this.change();
  }

  private fly(to: View): void {
    if (this.calm()) {
      this.view = to;
      this.change();
      return;
    }
    this.flight = { from: this.view, to, since: performance.now() };
    this.ask();
  }

  private change(): void {
    this.moved = true;
    this.overMoved = true;
    this.ask();
    clearTimeout(this.rest);
    this.rest = window.setTimeout(() => this.told?.moved(), REST);
  }

  /** measure looks at how large the map is, and draws it anew if that is another size. */
  private measure(): void {
    const { clientWidth: width = 0, clientHeight: height = 0 } = this.host ?? {};
    if (width === 0 || height === 0) return; // it is not on the page, or about to leave
    const [across, down] = pixels(width, height);
    const same = this.view.width === width && this.view.height === height;
    if (!same || this.canvas.width !== across || this.canvas.height !== down)
      this.resize(width, height);
  }

  private resize(width = this.view.width, height = this.view.height): void {
    const [across, down, ratio] = pixels(width, height);
    for (const canvas of [this.canvas, this.over]) {
      canvas.width = across;
      canvas.height = down;
    }
    this.full = fit(this.box, width, height);
    this.view = this.fitted ? this.full : resize(this.view, width, height);
    this.painter?.resize(this.canvas.width, this.canvas.height, ratio);
    this.change();
  }

  private ask(): void {
    if (!this.host) return;
    this.frame ||= requestAnimationFrame(this.draw);
    this.busy();
  }

  /** Says whether all is drawn as it is to stay. */
  private busy(): void {
    const now = `${this.frame !== 0}`;
    if (this.host && this.host.ariaBusy !== now) this.host.ariaBusy = now;
  }

  private draw = (now: number): void => {
    this.frame = 0;
    this.step(now);
    this.busy();
  };

  private step(now: number): void {
    if (this.flight) {
      const t = Math.min(1, Math.max(0, (now - this.flight.since) / FLIGHT));
      const { from, to } = this.flight;
      this.view = between(from, { ...to, width: this.view.width, height: this.view.height }, t);
      if (t >= 1) this.flight = null;
      this.change();
    }
    if (this.move && this.points) {
      const t = this.calm() ? 1 : Math.min(1, Math.max(0, (now - this.move.since) / MOVE));
      this.drawn = t >= 1 ? this.points : blend(this.move.from, this.points, t);
      this.host!.dataset["frames"] = `${++this.move.frames}`;
      if (t >= 1) this.move = null;
      this.painter?.movePoints(this.drawn);
      this.change();
    }
    if (this.view.width === 0 || !this.painter) return;
    if (this.moved) this.painter.again();
    this.moved = false;
    if (!this.painter.paint(this.view, this.full.scale)) this.ask();
    if (this.overMoved && this.overTo && this.ink) {
      const ratio = this.over.width / Math.max(1, this.view.width);
      const size = dot(Math.min(this.order.n, this.painter.most), this.view, this.full.scale);
      drawOver(
        this.overTo,
        this.view,
        this.drawn ?? new Float32Array(0),
        this.marks,
        this.ink,
        ratio,
        size,
      );
      this.overMoved = false;
    }
  }

  dispose(): void {
    this.leave();
    clearTimeout(this.given);
    this.painter?.dispose();
  }
}

function fresh(): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.className = "map-points";
  return canvas;
}

/** pixels is how many of the screen a canvas has for a size, and how many to a pixel of the page. */
function pixels(width: number, height: number): [across: number, down: number, ratio: number] {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const of = (size: number) => Math.max(1, Math.round(size * ratio));
  return [of(width), of(height), ratio];
}

/** middle gives the span of values without the last hundredth at either end. */
function middle(values: number[]): [number, number] {
  values.sort((a, b) => a - b);
  const cut = Math.floor(values.length / 100);
  return [values[cut]!, values[values.length - 1 - cut]!];
}
