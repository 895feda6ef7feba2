// What draws the points, in WebGL2 or without it.

import type { Order, Places } from "./places";
import type { View } from "./view";

/** Colour is red, green and blue in 0..255. */
export type Colour = readonly [number, number, number];

/** Look is what the points look like; clusters count from 1, [0] is the colour of those in none. */
export interface Look {
  colours: Colour[];
  hidden: boolean[];
  pale: Colour; // what an uncertain colour fades to
  faint: Colour; // bad data
  focus: number; // cluster that stands out, the others fade; 0: all alike
  calm: boolean; // objects between groups are drawn pale, not in the colours of all of these
}

export interface Painter {
  /** setPoints takes the points; places that come later are of the same rows. */
  setPoints(points: Float32Array, order: Order): void;
  /** movePoints takes other points of the same rows. */
  movePoints(points: Float32Array): void;
  setPlaces(places: Places): void;
  setLook(look: Look): void;
  /** resize says how large the canvas is in pixels of the screen. */
  resize(width: number, height: number, ratio: number): void;
  /**
   * paint draws the first points of the order that fit into a frame, and on later calls, while the
   * view stays, more of them.
   * It returns false when there is more to draw, true when all is on the canvas. Whole is the scale
   * at which all are seen.
   */
  paint(view: View, whole: number): boolean;
  /** again makes the next paint begin anew, as something changed. */
  again(): void;
  /** restored puts everything back after the canvas lost what it had. */
  restored(): void;
  dispose(): void;
  /** most is how many points at most this painter draws; fewer than all for the plain one. */
  readonly most: number;
}

/**
 * dot is the width of an object in CSS pixels: small where there are many, larger when looked at
 * closely.
 */
export function dot(n: number, view: View, whole: number): number {
  const room = Math.sqrt((view.width * view.height) / Math.max(1, n));
  const near = Math.pow(Math.max(1, view.scale / whole), 0.35);
  return Math.min(14, Math.max(2, 0.5 * room * near));
}
