import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AMBIGUOUS,
  ASKED,
  asked,
  BAD,
  byCertainty,
  Order,
  pack,
  places,
  type Places,
  sizes,
} from "./places";

/** wire writes rows as the server does. */
function wire(rows: [cluster: number, set: number, certainty: number, flags: number][]): DataView {
  const bytes = new DataView(new ArrayBuffer(6 * rows.length));
  rows.forEach(([cluster, set, certainty, flags], i) => {
    bytes.setUint16(6 * i, cluster, true);
    bytes.setUint16(6 * i + 2, set, true);
    bytes.setUint8(6 * i + 4, certainty);
    bytes.setUint8(6 * i + 5, flags);
  });
  return bytes;
}

const few: Places = places(
  wire([
    [1, 0, 255, 0],
    [300, 1, 90, AMBIGUOUS],
    [2, 0, 10, ASKED],
    [0, 0, 0, BAD],
    [1, 9, 255, 0],
  ]),
  [[], [2, 300]],
  7,
);

test("six bytes a row are read as they were written", () => {
  assert.deepEqual([...few.cluster], [1, 300, 2, 0, 1]);
  assert.deepEqual([...few.set], [0, 1, 0, 0, 0], "a set that is not there is none");
  assert.deepEqual([...few.certainty], [255, 90, 10, 0, 255]);
  assert.deepEqual([...few.flags], [0, 2, 8, 4, 0]);
  assert.throws(() => places(new DataView(new ArrayBuffer(7)), [], 1), /cut short/);
});

test("the order of drawing has every row once, and any first part is an even sample", () => {
  for (const n of [0, 1, 2, 3, 4, 10, 97, 1000, 4096]) {
    const seen = new Set<number>();
    new Order(n).each(n, (k, row) => {
      assert.equal(k, seen.size);
      seen.add(row);
    });
    assert.equal(seen.size, n);
    assert.ok([...seen].every((row) => row >= 0 && row < n));
  }
  const n = 100_000;
  const tenths = new Array<number>(10).fill(0);
  new Order(n).each(1000, (_, row) => tenths[Math.floor((10 * row) / n)]!++);
  for (const t of tenths) assert.ok(t >= 95 && t <= 105, `a tenth of the rows has ${t} of 1000`);
});

test("places are packed in the order of drawing", () => {
  const order = new Order(5);
  const packed = pack(few, order);
  order.each(5, (k, row) => {
    assert.deepEqual(
      [...packed.slice(4 * k, 4 * k + 4)],
      [few.cluster[row], few.set[row], few.certainty[row], few.flags[row]],
    );
  });
});

test("sizes leave bad data out", () => {
  const s = sizes(few);
  assert.deepEqual([s[0], s[1], s[2], s[300]], [0, 2, 1, 1]);
});

test("rows by certainty, the first in the data first among equals", () => {
  assert.deepEqual(byCertainty(few, [4, 1, 0, 2], "typical", 3), [4, 0, 1]);
  assert.deepEqual(byCertainty(few, [0, 1, 2, 4], "doubtful", 3), [2, 1, 0]);
  assert.deepEqual(asked(few, 10), [2]);
});
