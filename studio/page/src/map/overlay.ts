// What lies over the points: links, rings around objects asked about, the question's A and B, the
// selection, the lasso.

import type { Corner } from "./lasso";
import { type View, toScreen } from "./view";

export interface Line {
  a: number;
  b: number;
  different: boolean;
}

export interface Marks {
  question: [a: number, b: number] | null;
  selected: number[]; // the first few; a ring around each
  asked: number[];
  links: Line[];
  hover: number; // row; −1: none
  lasso: Corner[];
  aim: boolean; // a cross in the middle, for those who use keys
}

export interface Ink {
  text: string;
  paper: string;
  accent: string;
  same: string;
  different: string;
  font: string;
}

export const NONE: Marks = {
  question: null,
  selected: [],
  asked: [],
  links: [],
  hover: -1,
  lasso: [],
  aim: false,
};

/** More would hide what they lie on. */
export const MOST_LINKS = 1500;
export const MOST_RINGS = 3000;
const MOST_SELECTED = 400;

export function drawOver(
  to: CanvasRenderingContext2D,
  v: View,
  points: Float32Array,
  marks: Marks,
  ink: Ink,
  ratio: number,
  dot: number,
): void {
  to.setTransform(ratio, 0, 0, ratio, 0, 0);
  to.clearRect(0, 0, v.width, v.height);
  const n = points.length / 2;
  const at = (row: number): Corner => toScreen(v, points[2 * row]!, points[2 * row + 1]!);
  const there = (row: number) => row >= 0 && row < n;
  const onScreen = ([x, y]: Corner) => x > -20 && y > -20 && x < v.width + 20 && y < v.height + 20;

  for (const different of [false, true]) {
    to.beginPath();
    for (const link of marks.links.slice(0, MOST_LINKS)) {
      if (link.different !== different || !there(link.a) || !there(link.b)) continue;
      to.moveTo(...at(link.a));
      to.lineTo(...at(link.b));
    }
    to.setLineDash(different ? [4, 4] : []);
    to.strokeStyle = different ? ink.different : ink.same;
    to.globalAlpha = 0.6;
    to.lineWidth = 1;
    to.stroke();
  }
  to.setLineDash([]);

  to.globalAlpha = 0.75;
  rings(
    to,
    marks.asked.slice(0, MOST_RINGS).filter(there).map(at).filter(onScreen),
    dot / 2 + 2.5,
    ink.text,
    1,
  );
  to.globalAlpha = 1;
  rings(
    to,
    marks.selected.slice(0, MOST_SELECTED).filter(there).map(at).filter(onScreen),
    dot / 2 + 4,
    ink.accent,
    2,
  );
  if (there(marks.hover)) rings(to, [at(marks.hover)], dot / 2 + 4, ink.text, 1.5);

  marks.question?.forEach((row, i) => {
    if (there(row)) label(to, at(row), "AB"[i]!, v, ink);
  });
  if (marks.lasso.length > 1) lasso(to, marks.lasso, ink);
  if (marks.aim) aim(to, v, ink);
}

function rings(
  to: CanvasRenderingContext2D,
  places: Corner[],
  r: number,
  colour: string,
  width: number,
): void {
  to.beginPath();
  for (const [x, y] of places) {
    to.moveTo(x + r, y);
    to.arc(x, y, r, 0, 2 * Math.PI);
  }
  to.strokeStyle = colour;
  to.lineWidth = width;
  to.stroke();
}

/**
 * label writes a letter in a disc beside the object; one outside of the screen is shown at its
 * edge.
 */
function label(
  to: CanvasRenderingContext2D,
  [x, y]: Corner,
  letter: string,
  v: View,
  ink: Ink,
): void {
  const r = 10;
  const outside = x < 0 || y < 0 || x > v.width || y > v.height;
  const side = letter === "A" ? -1 : 1;
  let lx = outside ? x : x + side * 17;
  let ly = outside ? y : y - 17;
  lx = Math.min(Math.max(lx, r + 2), v.width - r - 2);
  ly = Math.min(Math.max(ly, r + 2), v.height - r - 2);
  to.globalAlpha = outside ? 0.65 : 1;
  if (!outside) {
    to.beginPath();
    to.moveTo(x, y);
    to.lineTo(lx, ly);
    to.strokeStyle = ink.text;
    to.lineWidth = 1.5;
    to.stroke();
    rings(to, [[x, y]], 6, ink.text, 2);
  }
  to.beginPath();
  to.arc(lx, ly, r, 0, 2 * Math.PI);
  to.fillStyle = ink.text;
  to.fill();
  to.fillStyle = ink.paper;
  to.font = `bold 12px ${ink.font}`;
  to.textAlign = "center";
  to.textBaseline = "middle";
  to.fillText(letter, lx, ly + 0.5);
  to.globalAlpha = 1;
}

function lasso(to: CanvasRenderingContext2D, line: Corner[], ink: Ink): void {
  to.beginPath();
  line.forEach(([x, y], i) => (i === 0 ? to.moveTo(x, y) : to.lineTo(x, y)));
  to.closePath();
  to.fillStyle = ink.accent;
  to.globalAlpha = 0.14;
  to.fill();
  to.globalAlpha = 1;
  to.strokeStyle = ink.accent;
  to.lineWidth = 1.5;
  to.setLineDash([6, 3]);
  to.stroke();
  to.setLineDash([]);
}

function aim(to: CanvasRenderingContext2D, v: View, ink: Ink): void {
  const x = Math.round(v.width / 2) + 0.5;
  const y = Math.round(v.height / 2) + 0.5;
  to.beginPath();
  for (const [dx, dy] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const) {
    to.moveTo(x + 4 * dx, y + 4 * dy);
    to.lineTo(x + 10 * dx, y + 10 * dy);
  }
  to.strokeStyle = ink.text;
  to.lineWidth = 1;
  to.globalAlpha = 0.8;
  to.stroke();
  to.globalAlpha = 1;
}
