// What was on the screen when: a key or a click counts for the pair that was in sight when it was
// pressed.

import type { Card, Question } from "./types";

/** A question, the object that its first one is compared with, and whether the person chose it. */
export interface Asked {
  question: Question;
  about: Card;
  posed: boolean;
}

/** How long a pair must have been in sight to be answered, in ms: nobody judges one sooner. */
export const glance = 300;

/** Why a key or a click counts for nothing. */
export type Refusal = "changed" | "none";

/** How many changes of the screen are remembered. */
const depth = 6;

interface Shown {
  /** Null: there was no pair, or something covered it. */
  asked: Asked | null;
  from: number;
  /** The person went on from it: a second press has nothing to count for. */
  left: boolean;
}

export class Sight {
  private shown: Shown[] = [];

  /** Notes what the screen shows since a time. */
  show(asked: Asked | null, from: number): void {
    const last = this.shown.at(-1);
    if (last !== undefined && samePair(last.asked, asked)) return;
    this.shown.push({ asked, from, left: false });
    if (this.shown.length > depth) this.shown.shift();
  }

  /**
   * Notes that the person chose another reference of the object in sight. All of them are in sight,
   * so that it can be answered about at once.
   */
  turn(asked: Asked): void {
    const last = this.shown.at(-1);
    if (last?.asked?.question.a.row === asked.question.a.row) last.asked = asked;
  }

  /** Notes that the person went on from a pair. */
  leave(asked: Asked): void {
    for (const s of this.shown) if (samePair(s.asked, asked)) s.left = true;
  }

  clear(): void {
    this.shown = [];
  }

  /**
   * Returns what a press at a time was meant for. It is what is asked now, if that was in sight
   * long enough; or the pair before it, if that still was in sight and the page went on from it of
   * itself.
   */
  at(time: number, now: Asked | null): Asked | Refusal {
    const seen = this.shown.findLast((s) => s.from <= time);
    if (seen === undefined || seen.asked === null) return "none";
    if (time - seen.from < glance) return "changed";
    if (now !== null && samePair(seen.asked, now)) return now;
    return seen.left ? "changed" : seen.asked;
  }
}

/** Reports whether both ask about one pair, or neither about any. */
export function samePair(a: Asked | null, b: Asked | null): boolean {
  if (a === null || b === null) return a === b;
  return a.question.a.row === b.question.a.row && a.about.row === b.about.row;
}
