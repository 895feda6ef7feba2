// The address of a view: #/PROJECT/PANEL.

import type { Panel } from "./types";

export const panels: readonly Panel[] = [
  "map",
  "groups",
  "search",
  "object",
  "doubts",
  "history",
  "contradictions",
  "people",
  "exports",
  "settings",
  "projects",
];

export function readRoute(hash: string): { project: string; panel: Panel | "" } {
  const [project = "", panel = ""] = hash.replace(/^#\/?/, "").split("/").map(decode);
  return { project, panel: panels.find((p) => p === panel) ?? "" };
}

export function writeRoute(project: string, panel: Panel | ""): string {
  if (project === "") return "#/";
  return `#/${encodeURIComponent(project)}${panel === "" ? "" : `/${panel}`}`;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
