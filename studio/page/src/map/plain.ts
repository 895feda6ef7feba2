// The points without WebGL2: an even sample of them on a plain canvas.

import { type Colour, type Look, type Painter, dot } from "./painter";
import { AMBIGUOUS, BAD, type Order, OUTLIER, type Places } from "./places";
import { type View, toScreen } from "./view";

export const PLAIN_MOST = 20_000;

/** Steps of certainty that are told apart; fewer colours to change is faster drawing. */
const STEPS = 6;

export class PlainPainter implements Painter {
  readonly most = PLAIN_MOST;
  private points: Float32Array = new Float32Array(0);
  private order: Order | null = null;
  private places: Places | null = null;
  private look: Look | null = null;
  private ratio = 1;
  private rows: number[] = []; // sorted by how they look
  private stale = true;
  private clean = false;

  private constructor(private readonly to: CanvasRenderingContext2D) {}

  static on(canvas: HTMLCanvasElement): PlainPainter | null {
    const to = canvas.getContext("2d");
    return to && new PlainPainter(to);
  }

  restored(): void {
    this.again();
  }

  setPoints(points: Float32Array, order: Order): void {
    this.order = order;
    this.stale = true;
    this.movePoints(points);
  }

  movePoints(points: Float32Array): void {
    this.points = points;
    this.again();
  }

  setPlaces(places: Places): void {
    this.places = places;
    this.stale = true;
    this.again();
  }

  setLook(look: Look): void {
    this.look = look;
    this.again();
  }

  resize(_width: number, _height: number, ratio: number): void {
    this.ratio = ratio;
    this.again();
  }

  again(): void {
    this.clean = false;
  }

  paint(view: View, whole: number): boolean {
    if (this.clean) return true;
    this.clean = true;
    const { to, look, places, points } = this;
    to.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    to.clearRect(0, 0, view.width, view.height);
    if (!look || !places || !this.order || places.cluster.length !== this.order.n) return true;
    if (this.stale) this.sort();
    const size = dot(this.rows.length, view, whole);
    to.lineWidth = Math.max(1, 0.16 * size);
    for (const row of this.rows) {
      const cluster = places.cluster[row]!;
      if (look.hidden[cluster]) continue;
      const [x, y] = toScreen(view, points[2 * row]!, points[2 * row + 1]!);
      if (x < -size || y < -size || x > view.width + size || y > view.height + size) continue;
      const flags = places.flags[row]!;
      const certain = step(places.certainty[row]!);
      to.globalAlpha = look.focus !== 0 && cluster !== look.focus ? 0.12 : 1;
      if (flags & BAD) this.cross(x, y, Math.max(size, 6), look.faint);
      else if (flags & AMBIGUOUS && places.set[row] && !look.calm)
        this.pie(
          x,
          y,
          0.5 * (size > 3 ? Math.max(6, 1.25 * size) : 1.15 * size),
          places.sets[places.set[row]!]!,
          (flags & OUTLIER) !== 0,
          look,
        );
      else {
        const colour = css(
          mix(look.pale, look.colours[cluster] ?? look.pale, 0.22 + 0.78 * certain),
        );
        const r = 0.5 * size * (0.75 + 0.35 * certain);
        to.beginPath();
        if (flags & OUTLIER) {
          to.strokeStyle = colour;
          to.arc(x, y, Math.max(2.4, r), 0, 2 * Math.PI);
          to.stroke();
        } else {
          to.fillStyle = colour;
          to.arc(x, y, r, 0, 2 * Math.PI);
          to.fill();
        }
      }
    }
    to.globalAlpha = 1;
    return true;
  }

  /** sort takes the sample, and puts what looks alike together. */
  private sort(): void {
    const order = this.order!;
    const places = this.places!;
    this.rows = [];
    order.each(Math.min(order.n, PLAIN_MOST), (_, row) => this.rows.push(row));
    const key = (row: number) => step(places.certainty[row]!);
    this.rows.sort((a, b) => key(a) - key(b) || a - b);
    this.stale = false;
  }

  private cross(x: number, y: number, size: number, colour: Colour): void {
    const h = 0.35 * size;
    this.to.strokeStyle = css(colour);
    this.to.beginPath();
    this.to.moveTo(x - h, y - h);
    this.to.lineTo(x + h, y + h);
    this.to.moveTo(x + h, y - h);
    this.to.lineTo(x - h, y + h);
    this.to.stroke();
  }

  private pie(x: number, y: number, r: number, set: number[], hollow: boolean, look: Look): void {
    const parts = set.slice(0, 4);
    parts.forEach((cluster, i) => {
      const from = (i / parts.length) * 2 * Math.PI - Math.PI / 2;
      this.to.fillStyle = this.to.strokeStyle = css(look.colours[cluster] ?? look.pale);
      this.to.beginPath();
      if (!hollow) this.to.moveTo(x, y);
      this.to.arc(x, y, r, from, from + (2 * Math.PI) / parts.length);
      if (hollow) this.to.stroke();
      else this.to.fill();
    });
  }

  dispose(): void {
    this.rows = [];
  }
}

function step(certainty: number): number {
  return Math.round((certainty / 255) * STEPS) / STEPS;
}

function mix(a: Colour, b: Colour, t: number): Colour {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
}

function css(c: Colour): string {
  return `rgb(${Math.round(c[0])} ${Math.round(c[1])} ${Math.round(c[2])})`;
}
