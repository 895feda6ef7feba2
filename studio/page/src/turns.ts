// Which question is on the screen, given what the server says and what it does not know yet.

import type { Item } from "./queue";
import type { Question, Turn } from "./types";

/** The pair of a question, whichever way round. */
export function pairKey(a: number, b: number): string {
  return a < b ? `${a}-${b}` : `${b}-${a}`;
}

/**
 * Picks the question to show. One that is shown stays as it is, so that nothing changes under a
 * person's hands; its number follows, and why its answer is no longer needed, if the server says
 * so. Else it is the first that no waiting step has dealt with.
 */
export function pick(
  turn: Turn,
  waiting: readonly Item[],
  shown: Question | null,
): Question | null {
  const all = [turn.question, ...turn.ahead].filter((q) => q !== undefined);
  if (shown === null)
    return (
      all.find(
        (q) => q.moot === undefined && !dealtWith(q, waiting) && !settled(q, turn, waiting),
      ) ?? null
    );
  const key = pairKey(shown.a.row, shown.b.row);
  const now = all.find((q) => pairKey(q.a.row, q.b.row) === key);
  if (now === undefined) return shown;
  const answered = waiting.filter(({ step }) => step.kind === "answer").length;
  return { ...shown, number: (turn.question?.number ?? now.number) + answered, moot: now.moot };
}

/** Whether a waiting answer to the question of the turn settles another one, too. */
function settled(q: Question, turn: Turn, waiting: readonly Item[]): boolean {
  const first = turn.question;
  if (q.settledBy === undefined || first === undefined) return false;
  const key = pairKey(first.a.row, first.b.row);
  return waiting.some(
    ({ step }) =>
      step.kind === "answer" &&
      pairKey(step.a, step.b) === key &&
      q.settledBy!.includes(step.answer),
  );
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
