// What the map knows of each object: where it lies, and its place in the groups.

export const OUTLIER = 1;
export const AMBIGUOUS = 2;
export const BAD = 4;
export const ASKED = 8;

/** Bytes of a row as they come, and as the graphics card takes them (a multiple of four). */
export const ROW_BYTES = 6;
export const CARD_BYTES = 8;

/** Where each object is in the groups; arrays have one entry a row. */
export interface Places {
  cluster: Uint16Array; // from 1; 0: none
  set: Uint16Array; // index into sets; 0: none
  certainty: Uint8Array; // 0..255
  flags: Uint8Array;
  sets: number[][]; // clusters of each set; sets[0] is empty
  revision: number;
}

/**
 * places reads what /map/places gives: n × (uint16 cluster, uint16 set, uint8 certainty, uint8
 * flags), little-endian.
 */
export function places(bytes: DataView, sets: number[][], revision: number): Places {
  if (bytes.byteLength % ROW_BYTES !== 0) throw new Error("the map's places are cut short");
  const n = bytes.byteLength / ROW_BYTES;
  const p: Places = {
    cluster: new Uint16Array(n),
    set: new Uint16Array(n),
    certainty: new Uint8Array(n),
    flags: new Uint8Array(n),
    sets,
    revision,
  };
  for (let i = 0, at = 0; i < n; i++, at += ROW_BYTES) {
    const set = bytes.getUint16(at + 2, true);
    p.cluster[i] = bytes.getUint16(at, true);
    p.set[i] = set < sets.length ? set : 0;
    p.certainty[i] = bytes.getUint8(at + 4);
    p.flags[i] = bytes.getUint8(at + 5);
  }
  return p;
}

/**
 * Order is the order in which points are drawn: row (k · step) mod n is the k-th. Step is near n
 * over the golden ratio and
 * shares no divisor with n, so that any first part of the order is an even sample of the rows, and
 * no group lies on top of
 * the others because its rows come last.
 */
export class Order {
  readonly step: number;
  constructor(readonly n: number) {
    let step = Math.max(1, Math.round(n * 0.6180339887498949));
    while (step > 1 && divisor(step, n) !== 1) step--;
    this.step = step;
  }
  /** each calls f with the place in the order and the row, for the first `count` of the order. */
  each(count: number, f: (k: number, row: number) => void): void {
    for (let k = 0, row = 0; k < count; k++) {
      f(k, row);
      row += this.step;
      if (row >= this.n) row -= this.n;
    }
  }
}

/** pack puts places into the order in which they are drawn, CARD_BYTES a row. */
export function pack(p: Places, order: Order): Uint16Array {
  const out = new Uint16Array((order.n * CARD_BYTES) / 2);
  order.each(order.n, (k, row) => {
    const at = 4 * k;
    out[at] = p.cluster[row]!;
    out[at + 1] = p.set[row]!;
    out[at + 2] = p.certainty[row]!;
    out[at + 3] = p.flags[row]!;
  });
  return out;
}

/** sizes counts the objects of each cluster; [0] are those in none, bad data are not counted. */
export function sizes(p: Places): number[] {
  const out: number[] = [0];
  for (let i = 0; i < p.cluster.length; i++) {
    if (p.flags[i]! & BAD) continue;
    const c = p.cluster[i]!;
    while (out.length <= c) out.push(0);
    out[c]!++;
  }
  return out;
}

/** asked gives the rows that answers are about, at most `most` of them. */
export function asked(p: Places, most: number): number[] {
  const rows: number[] = [];
  for (let i = 0; i < p.flags.length && rows.length < most; i++)
    if (p.flags[i]! & ASKED) rows.push(i);
  return rows;
}

/**
 * byCertainty sorts rows, the most certain first, or the least; rows that are alike stay in the
 * order of the data.
 */
export function byCertainty(
  p: Places,
  rows: ArrayLike<number>,
  first: "typical" | "doubtful",
  most: number,
): number[] {
  // Certainty has 256 values: count them, then take as many as wanted.
  const bins: number[][] = Array.from({ length: 256 }, () => []);
  for (let i = 0; i < rows.length; i++) {
    const bin = bins[p.certainty[rows[i]!] ?? 0]!;
    if (bin.length < most) bin.push(rows[i]!);
  }
  if (first === "typical") bins.reverse();
  const out: number[] = [];
  for (const bin of bins) {
    for (const row of bin) {
      if (out.length === most) return out;
      out.push(row);
    }
  }
  return out;
}

function divisor(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b];
  return a;
}
