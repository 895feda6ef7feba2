import type { Card, Difference, Field } from "../types";

/**
 * Fields of both objects, marked where their texts differ; undefined where one of them has none.
 */
export function compare(a: Card, b: Card): Difference[] | undefined {
  if (!a.fields?.length || !b.fields?.length) return undefined;
  const other = new Map(b.fields.map((f) => [f.name, f.value]));
  const names = new Set(a.fields.map((f) => f.name));
  const rows = a.fields.map((f) => difference(f, f.value, other.get(f.name) ?? ""));
  for (const f of b.fields) if (!names.has(f.name)) rows.push(difference(f, "", f.value));
  return rows;
}

function difference({ name, aside = false }: Field, a: string, b: string): Difference {
  return { name, a, b, ...(a !== b && { mark: "≠" }), ...(aside && { aside }) };
}
