// Which colours the map has, in light and in dark.

import { clusterRGB } from "../parts/colour";
import type { State } from "../types";
import type { Ink } from "./overlay";
import type { Colour, Look } from "./painter";

/** hueOf is the colour of a group, as clusterColour counts them (from 1); it stays while the group's number changes. */
export function hueOf(cluster: number, state: State | null): number {
  return cluster <= 0 ? 0 : ((state as { hues?: number[] } | null)?.hues?.[cluster - 1] ?? cluster - 1) + 1;
}

export function lookOf(clusters: number, state: State | null, hidden: ReadonlySet<number>, focus: number, dark: boolean): Look {
  const hues = Array.from({ length: clusters + 1 }, (_, cluster) => hueOf(cluster, state));
  return {
    colours: hues.map((hue) => clusterRGB(hue, dark).map((v) => Math.round(255 * v)) as unknown as Colour),
    hidden: hues.map((hue) => hidden.has(hue)),
    pale: dark ? [105, 110, 118] : [186, 190, 196],
    faint: dark ? [120, 124, 130] : [150, 153, 158],
    focus,
  };
}

/** inkOf reads the colours of lines and letters from the style of an element of the page. */
export function inkOf(element: Element, dark: boolean): Ink {
  const style = getComputedStyle(element);
  return {
    text: style.color,
    paper: dark ? "#14161a" : "#ffffff",
    accent: dark ? "#7db8ff" : "#0a58ca",
    same: dark ? "#c8ccd2" : "#3a3f46",
    different: dark ? "#ff9d8a" : "#b3261e",
    font: style.fontFamily,
  };
}

