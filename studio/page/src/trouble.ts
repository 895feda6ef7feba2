// Trouble with the files of the server, such as a full disk: what the page says of it, and what
// waits until it has passed.

import { signal } from "@preact/signals";
import { ApiError } from "./api";

/** The kinds of problems that pass once somebody has put the disk or the file right. */
const kinds = new Set(["disk-full", "unwritable", "moved", "disk-failed", "in-use", "damaged"]);

/** Whether an error is trouble with files: it stands for as long as nobody puts it right. */
export function isTrouble(error: unknown): boolean {
  return error instanceof ApiError && kinds.has(error.kind);
}

export interface Trouble {
  title: string;
  /** What is wrong, and what to do about it. */
  text: string;
  /** The name of the request, which the log of the server has, too. */
  request: string;
}

/** What the page says of an error, null for one that says nothing of the server's disk. */
export function troubleOf(error: unknown): Trouble | null {
  if (!(error instanceof ApiError) || !(isTrouble(error) || error.status === 500)) return null;
  const { title = "", request = "" } = error.problem;
  return { title, text: error.message, request };
}

/** Trouble that is in the way now. */
export class Troubled {
  readonly now = signal<Trouble | null>(null);

  /** Goes by an error; the same trouble once more is no news. */
  by(error: unknown): void {
    const next = troubleOf(error);
    const old = this.now.value;
    if (next !== null && old !== null && unnamed(next) === unnamed(old)) return;
    this.now.value = next;
  }

  /** It has passed. */
  over(): void {
    this.now.value = null;
  }
}

/** The text of a trouble without the name of the request, which is another each time. */
function unnamed(t: Trouble): string {
  return t.request === "" ? t.text : t.text.replaceAll(t.request, "");
}
