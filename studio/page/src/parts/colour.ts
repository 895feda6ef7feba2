// Colours of clusters. The first ten are told apart by people who do not see red or green, and have
// a contrast of
// at least 3 to 1 with the background; further ones go round the circle of hues in golden steps.
// Wherever there is
// room, the number of the cluster stands beside the colour.

type RGB = [number, number, number];

const light = [
  "#429adb",
  "#c08906",
  "#720069",
  "#364b00",
  "#c97182",
  "#0834a4",
  "#575be1",
  "#846c01",
  "#076a99",
  "#96395a",
];
const dark = [
  "#81e0ff",
  "#e5a400",
  "#d43b85",
  "#ece215",
  "#ffaa9b",
  "#a29de3",
  "#5e70f6",
  "#a37017",
  "#2485b6",
  "#e57674",
];
const none = { light: "#6d7178", dark: "#9a9fa8" };

/** Colour of a cluster, from 1, as CSS; cluster 0, none, is grey. */
export function clusterColour(cluster: number, onDark: boolean): string {
  if (cluster <= 0) return onDark ? none.dark : none.light;
  const fixed = (onDark ? dark : light)[cluster - 1];
  if (fixed !== undefined) return fixed;
  return hex(generated(cluster, onDark));
}

/** The same as red, green and blue in [0, 1]. */
export function clusterRGB(cluster: number, onDark: boolean): RGB {
  const h = clusterColour(cluster, onDark);
  return [1, 3, 5].map((i) => parseInt(h.slice(i, i + 2), 16) / 255) as RGB;
}

/** Black or white, whichever is easier to read on the cluster's colour. */
export function inkOn(cluster: number, onDark: boolean): "#000000" | "#ffffff" {
  const l = luminance(clusterRGB(cluster, onDark));
  return (l + 0.05) / 0.05 > 1.05 / (l + 0.05) ? "#000000" : "#ffffff";
}

/** Relative luminance after WCAG, in [0, 1]. */
export function luminance(rgb: RGB): number {
  const [r, g, b] = rgb.map((v) =>
    v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4,
  ) as RGB;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function generated(cluster: number, onDark: boolean): RGB {
  const hue = (cluster * 137.508 * Math.PI) / 180;
  const step = cluster % 3;
  const l = onDark ? 0.66 + 0.1 * step : 0.42 + 0.09 * step;
  return oklch(l, 0.11, hue);
}

// OKLCH to sRGB, clipped.
function oklch(l: number, c: number, h: number): RGB {
  const a = c * Math.cos(h);
  const b = c * Math.sin(h);
  const x = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const y = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const z = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear: RGB = [
    4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
    -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
  ];
  return linear.map((v) => {
    const u = Math.min(1, Math.max(0, v));
    return u <= 0.0031308 ? 12.92 * u : 1.055 * u ** (1 / 2.4) - 0.055;
  }) as RGB;
}

function hex(rgb: RGB): string {
  return `#${rgb
    .map((v) =>
      Math.round(255 * v)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}
