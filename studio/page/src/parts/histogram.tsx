import { brief } from "./brief";

/** Counts as bars, in equal parts of a range, which stands below in words. */
export function Histogram({
  counts,
  low,
  high,
  of,
}: {
  counts: readonly number[];
  low: string;
  high: string;
  /** What is counted, for those who do not see it. */
  of: string;
}) {
  const most = Math.max(1, ...counts);
  const [wide, tall] = [12, 32];
  return (
    <figure class="histogram">
      <svg
        viewBox={`0 0 ${wide * counts.length} ${tall + 1}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${of}: ${counts.join(", ")} in equal parts from ${low} to ${high}`}
      >
        {counts.map((n, i) => {
          const height = n === 0 ? 0 : Math.max(1.5, (tall * n) / most);
          return (
            <rect key={i} x={wide * i + 0.5} y={tall - height} width={wide - 1} height={height} />
          );
        })}
        <line x1="0" y1={tall + 0.5} x2={wide * counts.length} y2={tall + 0.5} />
      </svg>
      <figcaption>
        <span title={low}>{brief(low)}</span> <span class="hidden">to</span>{" "}
        <span title={high}>{brief(high)}</span>
      </figcaption>
    </figure>
  );
}
