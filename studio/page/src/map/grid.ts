// A grid over the points, to find what lies under the pointer or in a lasso without looking at all
// of them.

import { bounds, type Box } from "./view";

/**
 * Points a cell on average; few enough to look at, many enough that the grid is small beside the
 * points.
 */
const CELL = 6;
const WIDEST = 1024;

export class Grid {
  readonly box: Box;
  readonly columns: number;
  readonly lines: number;
  /** rows of cell c are rows[start[c]] … rows[start[c+1]−1] */
  readonly start: Uint32Array;
  readonly rows: Uint32Array;
  private readonly wide: number;
  private readonly high: number;

  constructor(private readonly points: Float32Array) {
    const n = points.length >> 1;
    this.box = bounds(points);
    const side = Math.max(1, Math.min(WIDEST, Math.ceil(Math.sqrt(n / CELL))));
    this.columns = side;
    this.lines = side;
    this.wide = (this.box.right - this.box.left) / side;
    this.high = (this.box.top - this.box.bottom) / side;
    this.start = new Uint32Array(side * side + 1);
    this.rows = new Uint32Array(n);
    const cells = new Uint32Array(n);
    for (let i = 0; i < n; i++) {
      const c = this.cell(points[2 * i]!, points[2 * i + 1]!);
      cells[i] = c;
      this.start[c + 1]!++;
    }
    for (let c = 0; c < side * side; c++) this.start[c + 1]! += this.start[c]!;
    const next = this.start.slice(0, side * side);
    for (let i = 0; i < n; i++) this.rows[next[cells[i]!]!++] = i;
  }

  column(x: number): number {
    return Math.min(
      this.columns - 1,
      Math.max(0, Math.floor((x - this.box.left) / this.wide) || 0),
    );
  }

  line(y: number): number {
    return Math.min(
      this.lines - 1,
      Math.max(0, Math.floor((y - this.box.bottom) / this.high) || 0),
    );
  }

  private cell(x: number, y: number): number {
    return this.line(y) * this.columns + this.column(x);
  }

  /** cellBox is the part of the plane that cell (column, line) covers. */
  cellBox(column: number, line: number): Box {
    const left = this.box.left + column * this.wide;
    const bottom = this.box.bottom + line * this.high;
    return { left, right: left + this.wide, bottom, top: bottom + this.high };
  }

  /** nearest gives the row closest to (x, y) within radius that passes the test, or −1. */
  nearest(x: number, y: number, radius: number, visible: (row: number) => boolean): number {
    let best = -1;
    let least = radius * radius;
    const left = this.column(x - radius);
    const right = this.column(x + radius);
    const bottom = this.line(y - radius);
    const top = this.line(y + radius);
    for (let line = bottom; line <= top; line++) {
      for (
        let i = this.start[line * this.columns + left]!;
        i < this.start[line * this.columns + right + 1]!;
        i++
      ) {
        const row = this.rows[i]!;
        const dx = this.points[2 * row]! - x;
        const dy = this.points[2 * row + 1]! - y;
        const d = dx * dx + dy * dy;
        if (d <= least && (d < least || best < 0 || row < best) && visible(row)) {
          least = d;
          best = row;
        }
      }
    }
    return best;
  }

  /** inside calls f with the rows in box, until it returns false. */
  inside(box: Box, f: (row: number) => boolean): void {
    const left = this.column(box.left);
    const right = this.column(box.right);
    for (let line = this.line(box.bottom); line <= this.line(box.top); line++) {
      for (
        let i = this.start[line * this.columns + left]!;
        i < this.start[line * this.columns + right + 1]!;
        i++
      ) {
        const row = this.rows[i]!;
        const x = this.points[2 * row]!;
        const y = this.points[2 * row + 1]!;
        if (x >= box.left && x <= box.right && y >= box.bottom && y <= box.top && !f(row)) return;
      }
    }
  }
}
