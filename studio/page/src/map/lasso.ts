// What lies within a line drawn by hand.

import type { Grid } from "./grid";
import type { Box } from "./view";

/** Corner is a point of the plane or of the screen. */
export type Corner = readonly [number, number];

/**
 * thin leaves out corners nearer than `apart` to the one before, as a hand that rests draws many.
 */
export function thin(corners: readonly Corner[], apart: number): Corner[] {
  const out: Corner[] = [];
  for (const c of corners) {
    const last = out[out.length - 1];
    if (!last || Math.hypot(c[0] - last[0], c[1] - last[1]) >= apart) out.push(c);
  }
  return out;
}

/** contains tells whether (x, y) is inside the closed line, by the even–odd rule. */
export function contains(corners: readonly Corner[], x: number, y: number): boolean {
  let inside = false;
  for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
    const [ax, ay] = corners[i]!;
    const [bx, by] = corners[j]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

/** caught gives the rows inside the closed line, in the order of the data. */
export function caught(
  corners: readonly Corner[],
  grid: Grid,
  points: Float32Array,
  visible: (row: number) => boolean,
): Uint32Array {
  if (corners.length < 3) return new Uint32Array(0);
  const crossed = cellsOnLine(corners, grid);
  const box = around(corners);
  const out: number[] = [];
  const take = (from: number, to: number, all: boolean) => {
    for (let i = from; i < to; i++) {
      const row = grid.rows[i]!;
      if ((all || contains(corners, points[2 * row]!, points[2 * row + 1]!)) && visible(row))
        out.push(row);
    }
  };
  for (let line = grid.line(box.bottom); line <= grid.line(box.top); line++) {
    for (let column = grid.column(box.left); column <= grid.column(box.right); column++) {
      const cell = line * grid.columns + column;
      const from = grid.start[cell]!;
      const to = grid.start[cell + 1]!;
      if (from === to) continue;
      if (crossed.has(cell)) {
        take(from, to, false);
        continue;
      }
      // The line passes by: the cell is inside as a whole, or outside as a whole.
      const b = grid.cellBox(column, line);
      if (contains(corners, (b.left + b.right) / 2, (b.bottom + b.top) / 2)) take(from, to, true);
    }
  }
  return Uint32Array.from(out).sort();
}

/**
 * cellsOnLine gives the cells that an edge may touch; those of the grid's rim stand for all that is
 * outside of it.
 */
function cellsOnLine(corners: readonly Corner[], grid: Grid): Set<number> {
  const cells = new Set<number>();
  for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
    const a = corners[j]!;
    const b = corners[i]!;
    const box = around([a, b]);
    for (let line = grid.line(box.bottom); line <= grid.line(box.top); line++) {
      // Columns that the edge can reach within this line of cells, with one to spare for rounding.
      const cell = grid.cellBox(0, line);
      const [from, to] = reach(a, b, cell.bottom, cell.top);
      const last = Math.min(grid.columns - 1, grid.column(to) + 1);
      for (let column = Math.max(0, grid.column(from) - 1); column <= last; column++)
        cells.add(line * grid.columns + column);
    }
  }
  return cells;
}

/** reach gives the least and largest x of the edge between two heights. */
function reach(a: Corner, b: Corner, bottom: number, top: number): [number, number] {
  const low = Math.min(a[0], b[0]);
  const high = Math.max(a[0], b[0]);
  if (a[1] === b[1]) return [low, high];
  const at = (y: number) =>
    Math.min(high, Math.max(low, a[0] + ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1])));
  const p = at(bottom);
  const q = at(top);
  return [Math.min(p, q), Math.max(p, q)];
}

function around(corners: readonly Corner[]): Box {
  const box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  for (const [x, y] of corners) {
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.bottom = Math.min(box.bottom, y);
    box.top = Math.max(box.top, y);
  }
  return box;
}
