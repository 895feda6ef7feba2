// Which question was on the screen at each step, so that undo and redo come back to it at once.

import type { Asked } from "./sight";

/** What is to be shown: a question, the next one that is open, what is shown, or not known here. */
export type Where = Asked | "next" | "stay" | "unknown";

interface Made {
  id: string;
  /** What the step was done about; null: it left the question on the screen. */
  from: Asked | null;
}

interface TakenBack {
  /** Null: a step of before this page. */
  made: Made | null;
  /** What was on the screen when it was taken back. */
  after: Asked | null;
}

export class Trail {
  private made: Made[] = [];
  private back: TakenBack[] = [];

  /** Notes a step by its id, and the question that it goes on from. */
  did(id: string, from: Asked | null): void {
    this.made.push({ id, from });
    this.back = [];
  }

  /**
   * Returns what an undo shows, where now is on the screen. id is that of the step taken back, or
   * "" where the server has it, which takes back the last one.
   */
  undo(id: string, now: Asked | null): Where {
    let made = this.made.at(-1) ?? null;
    if (made !== null && (id === "" || made.id === id)) this.made.pop();
    else made = null;
    this.back.push({ made, after: now });
    if (made !== null) return made.from ?? "stay";
    return id === "" ? "unknown" : "stay";
  }

  /** Returns what a redo shows. */
  redo(): Where {
    const back = this.back.pop();
    if (back === undefined) return "unknown";
    if (back.made !== null) this.made.push(back.made);
    if (back.made !== null && back.made.from === null) return "stay";
    return back.after ?? "next";
  }

  clear(): void {
    this.made = [];
    this.back = [];
  }
}
