// What columns are for, as settings have it: each is in one of them, or as it was found.

import { labelOf } from "../names";
import type { Column } from "../types";

/** A role by the setting that gives it; features are compared, drop is left out. */
export type Role = "features" | "id" | "label" | "text" | "series" | "images" | "vectors" | "drop";

export type Values = Readonly<Record<string, string>>;

/** Settings that name one column. */
const single: readonly Role[] = ["id", "label", "text", "series", "images", "vectors"];

/** Settings of columns by their names, which mean nothing to other columns. */
export const aboutColumns: readonly string[] = [
  ...single,
  "features",
  "drop",
  "types",
  "column-weights",
];

export const types = ["number", "category", "boolean", "time", "text"] as const;

/** roleOf is what a column is for now. */
export function roleOf(c: Column, values: Values): Role {
  for (const name of single) if (values[name] === c.name) return name;
  switch (c.role) {
    case "feature":
      return c.type === "vectors" ? "vectors" : "features";
    case "id":
    case "label":
    case "text":
    case "series":
    case "images":
      return c.role;
  }
  return "drop";
}

const listLike = /^\[?\s*[-+\d.eE]+(?:[\s,;]+[-+\d.eE]+){2,}\s*\]?$/;
const pictureLike = /\.(?:png|jpe?g|gif|webp)$/i;

/** holdsLists reports whether the values of a column are lists, which are no text. */
export function holdsLists(c: Column): boolean {
  return c.type === "vectors" || /\blists?\b/.test(c.why ?? "");
}

/** rolesOf lists what a column can be for; what it is now is among them. */
export function rolesOf(c: Column, values: Values): Role[] {
  const now = roleOf(c, values);
  const all = (test: RegExp) =>
    c.examples !== undefined &&
    c.examples.length > 0 &&
    c.examples.every((e) => test.test(e.value));
  const lists = holdsLists(c);
  const can = new Set<Role>(lists ? [] : ["features", "id", "label"]);
  if (!lists && (c.type === "text" || c.type === "category")) can.add("text");
  if (lists) can.add("vectors");
  if (lists || all(listLike)) can.add("series");
  if (all(pictureLike)) can.add("images");
  can.add("drop");
  can.add(now);
  return (
    ["features", "vectors", "id", "label", "text", "series", "images", "drop"] as const
  ).filter((r) => can.has(r));
}

/** roleName calls a role as the page does. */
export function roleName(role: Role): string {
  return labelOf(role).toLowerCase();
}

/**
 * withRole gives the settings under which a column has a role; compared are the names of all
 * columns that are compared now, needed where one more is to be.
 */
export function withRole(
  values: Values,
  c: Column,
  role: Role,
  compared: readonly string[],
): Record<string, string> {
  const next: Record<string, string> = { ...values };
  const was = roleOf(c, values);
  for (const name of single) if (next[name] === c.name) delete next[name];
  const dropped = readList(next["drop"]).filter((n) => n !== c.name);
  let asked = readList(next["features"]).filter((n) => n !== c.name);
  switch (role) {
    case "features":
      // features are compared in place of what is compared alone
      for (const name of ["text", "series", "images"]) delete next[name];
      if (was !== "features") asked = [...(asked.length > 0 ? asked : compared), c.name];
      break;
    case "drop":
      dropped.push(c.name);
      break;
    case "text":
    case "series":
    case "images":
    case "vectors":
      // one of them is compared, in place of all else
      for (const name of ["text", "series", "images", "vectors"]) delete next[name];
      next[role] = c.name;
      break;
    default:
      next[role] = c.name;
  }
  put(next, "drop", writeList(dropped));
  put(
    next,
    "features",
    writeList([...new Set(asked)].filter((n) => !single.some((s) => next[s] === n))),
  );
  return next;
}

/**
 * meaningful gives the settings without what was said of features where none are compared, which is
 * kept for when they are again.
 */
export function meaningful(values: Values): Values {
  const square = values["dissimilarity"] === "true";
  const alone = ["text", "series", "images", "embedding"].some((name) => values[name]);
  const useless = [
    ...(square || alone ? ["features", "column-weights"] : []),
    ...(square ? ["drop"] : []),
  ];
  return Object.fromEntries(Object.entries(values).filter(([name]) => !useless.includes(name)));
}

/** ofColumns gives those of the settings that are about columns. */
export function ofColumns(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => aboutColumns.includes(name)));
}

/**
 * withKept gives the settings together with what was said of columns before, as far as there still
 * are columns of these names, and nothing else was said since.
 */
export function withKept(
  values: Values,
  kept: Values,
  columns: readonly string[],
): Record<string, string> {
  const there = new Set(columns);
  const next: Record<string, string> = { ...values };
  const whole = ["text", "series", "images", "vectors"];
  const named = new Set(aboutColumns.flatMap((name) => readList(values[name])));
  for (const [name, value] of Object.entries(kept)) {
    if (next[name] !== undefined) continue;
    if ((single as readonly string[]).includes(name)) {
      const other = whole.includes(name) && whole.some((n) => values[n] !== undefined);
      if (there.has(value) && !named.has(value) && !other) next[name] = value;
    } else {
      const of = (entry: string) =>
        name === "types" || name === "column-weights"
          ? entry.slice(0, entry.lastIndexOf("="))
          : entry;
      put(
        next,
        name,
        writeList(readList(value).filter((e) => there.has(of(e)) && !named.has(of(e)))),
      );
    }
  }
  return next;
}

/** entryOf is what a setting such as types says of a column; "" for nothing. */
export function entryOf(values: Values, setting: string, column: string): string {
  const own = readList(values[setting]).find((e) => e.startsWith(`${column}=`));
  return own === undefined ? "" : own.slice(column.length + 1);
}

/** withEntry gives the settings in which one such as types says something of a column. */
export function withEntry(
  values: Values,
  setting: string,
  column: string,
  value: string,
): Record<string, string> {
  const next: Record<string, string> = { ...values };
  const others = readList(next[setting]).filter((e) => !e.startsWith(`${column}=`));
  if (value !== "") others.push(`${column}=${value}`);
  put(next, setting, writeList(others));
  return next;
}

function put(values: Record<string, string>, name: string, value: string): void {
  if (value === "") delete values[name];
  else values[name] = value;
}

/** readList reads names from one line of CSV. */
export function readList(text = ""): string[] {
  if (text === "") return [];
  const out: string[] = [];
  let at = 0;
  for (;;) {
    let cell = "";
    if (text[at] === '"') {
      for (at++; at < text.length; at++) {
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') cell += text[at++];
        else break;
      }
      at++;
    } else {
      const end = text.indexOf(",", at);
      cell = text.slice(at, end < 0 ? text.length : end);
      at += cell.length;
    }
    out.push(cell);
    if (at >= text.length) return out;
    at++;
  }
}

/** writeList writes names as one line of CSV. */
export function writeList(names: readonly string[]): string {
  return names
    .map((n) => (/[",\n\r]|^\s|^$/.test(n) ? `"${n.replaceAll('"', '""')}"` : n))
    .join(",");
}
