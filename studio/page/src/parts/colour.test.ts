import assert from "node:assert/strict";
import { test } from "node:test";
import { clusterColour, clusterRGB, inkOn, luminance } from "./colour";

type RGB = [number, number, number];
const contrast = (a: number, b: number) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
const linear = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);

/** How colours look without the red, or without the green receptors (Machado and others, 2009). */
const eyes = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  "no red": [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  "no green": [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};

function oklab(rgb: RGB, eye: number[][]): RGB {
  const l = rgb.map(linear);
  const [r, g, b] = eye.map((row) =>
    Math.min(1, Math.max(0, row[0]! * l[0]! + row[1]! * l[1]! + row[2]! * l[2]!)),
  ) as RGB;
  const x = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const y = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const z = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * x + 0.793617785 * y - 0.0040720468 * z,
    1.9779984951 * x - 2.428592205 * y + 0.4505937099 * z,
    0.0259040371 * x + 0.7827717662 * y - 0.808675766 * z,
  ];
}

for (const dark of [false, true]) {
  const paper = dark ? luminance([28 / 255, 31 / 255, 37 / 255]) : 1;

  test(`the first ten groups are told apart by all eyes (${dark ? "dark" : "light"})`, () => {
    for (const [name, eye] of Object.entries(eyes)) {
      for (let i = 1; i <= 10; i++) {
        for (let j = 1; j < i; j++) {
          const [a, b] = [oklab(clusterRGB(i, dark), eye), oklab(clusterRGB(j, dark), eye)];
          const d = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
          assert.ok(d > 0.1, `${name}: groups ${i} and ${j} are ${d.toFixed(3)} apart`);
        }
      }
    }
  });

  test(`groups stand out from the paper, and their numbers can be read (${dark ? "dark" : "light"})`, () => {
    for (let c = 0; c <= 60; c++) {
      const l = luminance(clusterRGB(c, dark));
      assert.ok(contrast(l, paper) >= 3, `group ${c}: ${contrast(l, paper).toFixed(2)}`);
      assert.ok(contrast(l, inkOn(c, dark) === "#000000" ? 0 : 1) >= 4.5, `number of group ${c}`);
      assert.match(clusterColour(c, dark), /^#[0-9a-f]{6}$/);
    }
  });
}
