import assert from "node:assert/strict";
import { test } from "node:test";
import {
  between,
  blend,
  bounds,
  clamp,
  CLOSEST,
  fit,
  pan,
  seen,
  toPlane,
  toScreen,
  within,
  zoom,
} from "./view";

const near = (a: number, b: number, tolerance = 1e-9) =>
  assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

test("all points are seen, with a margin, upright and undistorted", () => {
  const points = new Float32Array([-0.5, -1, 0.5, 1, 0.25, 0]);
  const v = fit(bounds(points), 400, 300, 20);
  for (let i = 0; i < 3; i++) {
    const [x, y] = toScreen(v, points[2 * i]!, points[2 * i + 1]!);
    assert.ok(x >= 20 && x <= 380 && y >= 20 && y <= 280);
  }
  assert.ok(toScreen(v, 0, 1)[1] < toScreen(v, 0, -1)[1], "up is up");
  near(v.scale, 130);
});

test("no points, one point and a line of points can be looked at", () => {
  for (const points of [[], [0.3, 0.4], [0, 0, 1, 0]]) {
    const v = fit(bounds(Float32Array.from(points)), 300, 200);
    assert.ok(Number.isFinite(v.scale) && v.scale > 0);
  }
});

test("screen to plane and back", () => {
  const v = { x: 0.2, y: -0.3, scale: 137, width: 640, height: 480 };
  const [x, y] = toPlane(v, ...toScreen(v, 0.11, 0.77));
  near(x, 0.11);
  near(y, 0.77);
});

test("dragging moves what is under the hand with it", () => {
  const v = { x: 0.2, y: -0.3, scale: 137, width: 640, height: 480 };
  const [x, y] = toPlane(v, 100, 100);
  const [px, py] = toScreen(pan(v, 25, -40), x, y);
  near(px, 125);
  near(py, 60);
});

test("zooming leaves the point under the pointer where it is, and has ends", () => {
  const whole = fit({ left: -1, right: 1, bottom: -1, top: 1 }, 640, 480);
  const at = toPlane(whole, 100, 400);
  let v = whole;
  for (let i = 0; i < 100; i++) v = zoom(v, 1.7, 100, 400, whole);
  near(v.scale, whole.scale * CLOSEST, 1e-6);
  const [px, py] = toScreen(v, at[0], at[1]);
  near(px, 100, 1e-6);
  near(py, 400, 1e-6);
});

test("nobody gets lost beside the picture", () => {
  const box = { left: -1, right: 1, bottom: -1, top: 1 };
  const v = within(pan(fit(box, 640, 480), 1e6, 1e6), box);
  assert.deepEqual([v.x, v.y], [-1, 1]);
  assert.equal(clamp(5, 0, 1), 1);
});

test("a flight begins and ends where it should, and keeps the target in sight", () => {
  const a = fit({ left: -1, right: 1, bottom: -1, top: 1 }, 640, 480);
  const b = fit({ left: 0.5, right: 0.6, bottom: 0.5, top: 0.6 }, 640, 480);
  for (const [t, end] of [
    [0, a],
    [1, b],
  ] as const) {
    const v = between(a, b, t);
    near(v.x, end.x);
    near(v.y, end.y);
    near(v.scale, end.scale, 1e-6);
  }
  for (let t = 0; t <= 1; t += 0.05) {
    const box = seen(between(a, b, t));
    assert.ok(box.left <= b.x && b.x <= box.right && box.bottom <= b.y && b.y <= box.top);
  }
});

test("points move from where they were to where they go, and stay between", () => {
  const from = new Float32Array([0, 1, -1]);
  const to = new Float32Array([1, 1, 0.5]);
  assert.deepEqual([...blend(from, to, 0)], [...from]);
  assert.deepEqual([...blend(from, to, 1)], [...to]);
  assert.deepEqual([...blend(from, to, 0.5)], [0.5, 1, -0.25]);
});
