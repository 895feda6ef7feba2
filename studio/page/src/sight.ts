// What was on the screen when: a key or a click counts for the pair that was in sight when it was
// pressed.

import type { Card, Question } from "./types";

/** A question, the object that its first one is compared with, and whether the person chose it. */
export interface Asked {
  question: Question;
  about: Card;
  posed: boolean;
}

/**
 * A press sooner than this after one that counted is the same press again, in ms: a key that
 * bounces, or two keys hit at once. Nobody answers twice on purpose so fast.
 */
export const bounce = 60;

/** Why nothing is in sight: a dialog, another view, the next question is yet to come, or the end. */
export type Hidden = "covered" | "away" | "looking" | "none";

/** Why a key or a click counts for nothing. */
export type Refusal =
  Hidden | "left" | "twice" | "double" | "held" | "changed" | "closed" | "aside";

/** How many changes of the screen are remembered. */
const depth = 12;

interface Shown {
  /** Null: there was no pair, or something covered it. */
  asked: Asked | null;
  hidden: Hidden;
  from: number;
  /** The person went on from it: a second press has nothing to count for. */
  left: boolean;
}

export class Sight {
  private shown: Shown[] = [];
  private last = -Infinity;

  /** Notes what the screen shows since a time; without a pair, why there is none. */
  show(asked: Asked | null, from: number, hidden: Hidden = "none"): void {
    const last = this.shown.at(-1);
    if (last !== undefined && !last.left && samePair(last.asked, asked)) {
      last.hidden = hidden;
      return;
    }
    this.shown.push({ asked, hidden, from, left: false });
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

  /** Notes that a press at a time counted. */
  counted(time: number): void {
    this.last = time;
  }

  clear(): void {
    this.shown = [];
    this.last = -Infinity;
  }

  /**
   * Returns what a press at a time was meant for: the pair that was in sight then, unless the
   * person went on from it before.
   */
  at(time: number, now: Asked | null): Asked | Refusal {
    if (time >= this.last && time - this.last < bounce) return "twice";
    const seen = this.shown.findLast((s) => s.from <= time);
    if (seen === undefined) return now === null ? "none" : "looking";
    if (seen.asked === null) return seen.hidden;
    if (seen.left) return "left";
    return now !== null && samePair(seen.asked, now) ? now : seen.asked;
  }
}

/** Reports whether both ask about one pair, or neither about any. */
export function samePair(a: Asked | null, b: Asked | null): boolean {
  if (a === null || b === null) return a === b;
  return a.question.a.row === b.question.a.row && a.about.row === b.about.row;
}
