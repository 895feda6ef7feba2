// Which colours the map has, in light and in dark.

import { clusterRGB } from "../parts/colour";
import { hueOf } from "../parts/dot";
import type { State } from "../types";
import type { Ink } from "./overlay";
import type { Colour, Look } from "./painter";

export function lookOf(
  clusters: number,
  state: State | null,
  hidden: ReadonlySet<number>,
  focus: number,
  calm: boolean,
  dark: boolean,
): Look {
  const hues = Array.from({ length: clusters + 1 }, (_, cluster) => hueOf(cluster, state));
  return {
    colours: hues.map(
      (hue) => clusterRGB(hue, dark).map((v) => Math.round(255 * v)) as unknown as Colour,
    ),
    hidden: hues.map((hue) => hidden.has(hue)),
    pale: dark ? [105, 110, 118] : [186, 190, 196],
    faint: dark ? [120, 124, 130] : [150, 153, 158],
    focus,
    calm,
  };
}

/** inkOf reads the colours of lines and letters from the style of an element of the page. */
export function inkOf(element: Element, dark: boolean): Ink {
  const style = getComputedStyle(element);
  const token = (name: string, fallback: string) => style.getPropertyValue(name).trim() || fallback;
  return {
    text: style.color,
    paper: token("--card", dark ? "#1c1f25" : "#ffffff"),
    accent: token("--accent", dark ? "#8ab8ff" : "#1f5fbf"),
    same: token("--same", dark ? "#79d6a0" : "#14693b"),
    different: token("--different", dark ? "#ffa48c" : "#a3341b"),
    font: style.fontFamily,
  };
}
