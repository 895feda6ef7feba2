// Which question is on the screen, given what the server says and what it does not know yet.

import type { Item } from "./queue";
import type { Question, Turn } from "./types";

/** The pair of a question, whichever way round. */
export function pairKey(a: number, b: number): string {
  return a < b ? `${a}-${b}` : `${b}-${a}`;
}

/**
 * Picks the question to show: the one that is shown, while the server still has it in mind, so that
 * it never changes
 * under a person's hands; else the first that no waiting step has dealt with.
 */
export function pick(
  turn: Turn,
  waiting: readonly Item[],
  shown: Question | null,
): Question | null {
  const open = [turn.question, ...turn.ahead].filter(
    (q): q is Question => q !== undefined && !dealtWith(q, waiting),
  );
  const answered = waiting.filter(({ step }) => step.kind === "answer").length;
  if (shown !== null) {
    const key = pairKey(shown.a.row, shown.b.row);
    const same = open.find((q) => pairKey(q.a.row, q.b.row) === key);
    if (same !== undefined)
      return { ...same, number: (turn.question?.number ?? same.number) + answered };
  }
  return open[0] ?? null;
}

function dealtWith(q: Question, waiting: readonly Item[]): boolean {
  return waiting.some(({ step }) => {
    switch (step.kind) {
      case "answer":
        if (pairKey(step.a, step.b) === pairKey(q.a.row, q.b.row)) return true;
        // One reference of an uncertain object is answered: the server now chooses anew.
        return (
          q.group !== undefined &&
          step.a === q.a.row &&
          q.group.references.some((r) => r.card.row === step.b)
        );
      case "skip":
        return pairKey(step.a, step.b) === pairKey(q.a.row, q.b.row);
      case "bad":
        return step.row === q.a.row || step.row === q.b.row;
      default:
        return false;
    }
  });
}
