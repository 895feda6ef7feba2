import assert from "node:assert/strict";
import { test } from "node:test";
import { Grid } from "./grid";
import { caught, contains, type Corner, thin } from "./lasso";

/** cloud makes n points by a small generator of its own, some of them equal. */
function cloud(n: number, seed: number): Float32Array {
  let s = seed;
  const next = () => ((s = (Math.imul(s, 1664525) + 1013904223) >>> 0) / 2 ** 32) * 2 - 1;
  const points = Float32Array.from({ length: 2 * n }, next);
  for (let i = 0; i + 10 < n; i += 17) points.copyWithin(2 * (i + 9), 2 * i, 2 * i + 2);
  return points;
}

const all = () => true;

test("the nearest point is the nearest of all", () => {
  const points = cloud(3000, 1);
  const grid = new Grid(points);
  const probes = cloud(200, 2);
  for (let k = 0; k < 200; k++) {
    const x = 1.3 * probes[2 * k]!;
    const y = 1.3 * probes[2 * k + 1]!;
    const even = (row: number) => row % 2 === 0;
    let best = -1;
    let least = 0.05;
    for (let i = 0; i < 3000; i++) {
      const d = Math.hypot(points[2 * i]! - x, points[2 * i + 1]! - y);
      if (even(i) && (d < least || (d === least && best < 0))) [least, best] = [d, i];
    }
    assert.equal(grid.nearest(x, y, 0.05, even), best);
  }
});

test("points in a box", () => {
  const points = cloud(2000, 3);
  const found: number[] = [];
  new Grid(points).inside(
    { left: -0.2, right: 0.5, bottom: 0.1, top: 0.3 },
    (row) => found.push(row) > 0,
  );
  const want = Array.from({ length: 2000 }, (_, i) => i).filter(
    (i) =>
      points[2 * i]! >= -0.2 &&
      points[2 * i]! <= 0.5 &&
      points[2 * i + 1]! >= 0.1 &&
      points[2 * i + 1]! <= 0.3,
  );
  assert.deepEqual(
    found.sort((a, b) => a - b),
    want,
  );
});

test("a lasso catches what is inside the line, also where it leaves the picture or crosses itself", () => {
  const points = cloud(5000, 4);
  const grid = new Grid(points);
  const star: Corner[] = [
    [0, 0.9],
    [0.55, -0.8],
    [-0.9, 0.3],
    [0.9, 0.3],
    [-0.55, -0.8],
  ];
  const outside: Corner[] = [
    [-3, -3],
    [0.1, -2],
    [0.3, 0.2],
    [-2, 0.4],
  ];
  const round: Corner[] = Array.from({ length: 90 }, (_, i) => [
    0.4 * Math.cos(i / 14),
    0.3 * Math.sin(i / 14) + 0.2,
  ]);
  for (const corners of [star, outside, round]) {
    const want = Array.from({ length: 5000 }, (_, i) => i).filter((i) =>
      contains(corners, points[2 * i]!, points[2 * i + 1]!),
    );
    assert.ok(want.length > 100);
    assert.deepEqual([...caught(corners, grid, points, all)], want);
    assert.ok([...caught(corners, grid, points, (row) => row > 2500)].every((row) => row > 2500));
  }
});

test("a line of two corners holds nothing; no points, no catch", () => {
  const points = cloud(100, 5);
  assert.equal(
    caught(
      [
        [0, 0],
        [1, 1],
      ],
      new Grid(points),
      points,
      all,
    ).length,
    0,
  );
  const none = new Float32Array(0);
  assert.equal(
    caught(
      [
        [0, 0],
        [1, 1],
        [0, 1],
      ],
      new Grid(none),
      none,
      all,
    ).length,
    0,
  );
});

test("a resting hand draws one corner", () => {
  assert.deepEqual(
    thin(
      [
        [0, 0],
        [0, 1],
        [1, 0],
        [8, 0],
        [8, 2],
      ],
      3,
    ),
    [
      [0, 0],
      [8, 0],
    ],
  );
});
