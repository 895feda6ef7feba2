import { ApiError } from "../api";
import type { Project } from "../types";

/** How far the opening of a project is. */
export function Opening({ project: p }: { project: Project }) {
  const share = p.share ?? -1;
  return (
    <p class="opening">
      <progress max={1} {...(share >= 0 ? { value: share } : {})} aria-label={`opening ${p.id}`} />{" "}
      <span class="small quiet">{p.what || "opening"}</span>
    </p>
  );
}

/** The sentence of an error. */
export function words(error: unknown): string {
  if (error instanceof ApiError || error instanceof Error) return error.message;
  return String(error);
}
