// The camera of the map: which part of the plane is seen, and how large.
//
// The plane is that of /map/points: x to the right, y upwards, within −1..1. Screens are in CSS
// pixels from the upper left.

export interface View {
  x: number; // the point of the plane in the middle of the screen
  y: number;
  scale: number; // pixels a unit of the plane
  width: number; // of the screen
  height: number;
}

export interface Box {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

/**
 * Further than this many times the whole picture nobody needs to look, and float32 has no more
 * digits to show.
 */
export const CLOSEST = 2000;
export const FURTHEST = 0.5;

/**
 * bounds gives the smallest box around points (x, y in turn); one that is not empty even for a
 * single point.
 */
export function bounds(points: Float32Array): Box {
  const box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  for (let i = 0; i + 1 < points.length; i += 2) {
    const x = points[i]!;
    const y = points[i + 1]!;
    if (x < box.left) box.left = x;
    if (x > box.right) box.right = x;
    if (y < box.bottom) box.bottom = y;
    if (y > box.top) box.top = y;
  }
  if (!(box.left <= box.right && box.bottom <= box.top))
    return { left: -1, right: 1, bottom: -1, top: 1 };
  const least = 1e-4;
  if (box.right - box.left < least) {
    box.left -= least;
    box.right += least;
  }
  if (box.top - box.bottom < least) {
    box.bottom -= least;
    box.top += least;
  }
  return box;
}

/** fit shows all of box with a margin in pixels around it. */
export function fit(box: Box, width: number, height: number, margin = 18): View {
  const w = Math.max(1, width - 2 * margin);
  const h = Math.max(1, height - 2 * margin);
  return {
    x: (box.left + box.right) / 2,
    y: (box.bottom + box.top) / 2,
    scale: Math.min(w / (box.right - box.left), h / (box.top - box.bottom)),
    width,
    height,
  };
}

export function toScreen(v: View, x: number, y: number): [number, number] {
  return [v.width / 2 + (x - v.x) * v.scale, v.height / 2 - (y - v.y) * v.scale];
}

export function toPlane(v: View, px: number, py: number): [number, number] {
  return [v.x + (px - v.width / 2) / v.scale, v.y - (py - v.height / 2) / v.scale];
}

/** blend returns points on the way from some to others, at t from 0 to 1: slow, fast, and slow. */
export function blend(from: Float32Array, to: Float32Array, t: number): Float32Array {
  const share = t * t * (3 - 2 * t);
  return from.map((v, i) => v + share * (to[i]! - v));
}

/** seen is the part of the plane on the screen. */
export function seen(v: View): Box {
  const w = v.width / 2 / v.scale;
  const h = v.height / 2 / v.scale;
  return { left: v.x - w, right: v.x + w, bottom: v.y - h, top: v.y + h };
}

/** pan moves the picture by dx to the right and dy down, in pixels. */
export function pan(v: View, dx: number, dy: number): View {
  return { ...v, x: v.x - dx / v.scale, y: v.y + dy / v.scale };
}

/** zoom enlarges by a factor, and leaves the point of the plane under (px, py) where it is. */
export function zoom(v: View, factor: number, px: number, py: number, whole: View): View {
  const scale = clamp(v.scale * factor, whole.scale * FURTHEST, whole.scale * CLOSEST);
  const [x, y] = toPlane(v, px, py);
  return {
    ...v,
    scale,
    x: x - (px - v.width / 2) / scale,
    y: y + (py - v.height / 2) / scale,
  };
}

/**
 * within keeps the middle of the screen inside box, so that nobody gets lost beside the picture.
 */
export function within(v: View, box: Box): View {
  return { ...v, x: clamp(v.x, box.left, box.right), y: clamp(v.y, box.bottom, box.top) };
}

/** resize keeps what is in the middle there, and its size. */
export function resize(v: View, width: number, height: number): View {
  return { ...v, width, height };
}

/**
 * between is the view on the way from a to b at t in 0..1: the scale goes by its logarithm, as
 * zooming feels.
 */
export function between(a: View, b: View, t: number): View {
  const s = t * t * (3 - 2 * t);
  const scale = Math.exp(Math.log(a.scale) + (Math.log(b.scale) - Math.log(a.scale)) * s);
  // The middle goes with what the scale has covered, so that the target grows where it is.
  const far = Math.abs(1 / b.scale - 1 / a.scale);
  const u = far < 1e-12 ? s : (1 / a.scale - 1 / scale) / (1 / a.scale - 1 / b.scale);
  return { ...b, scale, x: a.x + (b.x - a.x) * u, y: a.y + (b.y - a.y) * u };
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
