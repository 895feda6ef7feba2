/** How long ago, in words; later than now counts as now, as clocks differ. */
export function ago(at: string, now: number): string {
  const s = (now - Date.parse(at)) / 1000;
  if (!Number.isFinite(s)) return "";
  if (s < 45) return "just now";
  if (s < 3600) return `${Math.max(1, Math.round(s / 60))} min ago`;
  if (s < 86_400) return plural(Math.round(s / 3600), "hour");
  if (s < 30 * 86_400) return plural(Math.round(s / 86_400), "day");
  return new Date(at).toLocaleDateString("en-GB");
}

function plural(n: number, unit: string): string {
  return `${n} ${n === 1 ? unit : `${unit}s`} ago`;
}
