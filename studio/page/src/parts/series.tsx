/** A series as a line, over its own range or over one shared with another series. */
export function SeriesLine({
  values,
  range,
  label,
}: {
  values: readonly number[];
  range?: [number, number];
  label: string;
}) {
  const [low, high] = range ?? seriesRange(values);
  const span = high > low ? high - low : 1;
  const last = Math.max(1, values.length - 1);
  let path = "";
  let pen = false;
  values.forEach((v, i) => {
    if (!Number.isFinite(v)) {
      pen = false; // a gap
      return;
    }
    path += `${pen ? "L" : "M"}${((300 * i) / last).toFixed(1)} ${(96 - (92 * (v - low)) / span).toFixed(1)}`;
    pen = true;
  });
  const zero = low < 0 && high > 0 ? 96 - (92 * -low) / span : null;
  return (
    <svg
      class="series"
      viewBox="0 0 300 100"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {zero !== null && <line class="zero" x1="0" x2="300" y1={zero} y2={zero} />}
      <path d={path} fill="none" vector-effect="non-scaling-stroke" />
    </svg>
  );
}

/** Lowest and highest of all values, NaN aside. */
export function seriesRange(...all: readonly (readonly number[])[]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const values of all) {
    for (const v of values) {
      if (v < low) low = v;
      if (v > high) high = v;
    }
  }
  return low <= high ? [low, high] : [0, 1];
}
