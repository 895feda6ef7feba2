/** brief shortens a number with many decimals to five digits that count; all else stays. */
export function brief(value: string): string {
  if (!/^[-+]?\d*\.\d{5,}(e[-+]?\d+)?$/i.test(value)) return value;
  return String(Number(Number(value).toPrecision(5)));
}

/** briefly shortens two values of a field, unless they would look alike then. */
export function briefly(a: string, b: string): [a: string, b: string] {
  const [x, y] = [brief(a), brief(b)];
  return x === y && a !== b ? [a, b] : [x, y];
}
