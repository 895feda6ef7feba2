// Keys of the question, as data: what each does, how it is printed on its button and in the help.

export type Action =
  | "same"
  | "different"
  | "unknown"
  | "skip"
  | "bad"
  | "undo"
  | "redo"
  | "guess"
  | "search"
  | "panels"
  | "question"
  | "help";
export type KeyAction = { do: Action } | { do: "reference"; index: number };

export interface KeyHelp {
  keys: string[];
  text: string;
}

export const help: readonly KeyHelp[] = [
  { keys: ["s", "→"], text: "same: both belong to one group" },
  { keys: ["d", "←"], text: "different: they belong to different groups" },
  { keys: ["Space", "?"], text: "don't know; the pair is not asked again" },
  { keys: ["k"], text: "skip: ask me later; or go on from a pair that needs no answer" },
  { keys: ["b"], text: "bad data: leave one of the two out" },
  { keys: ["u", "Ctrl z"], text: "undo, as often as you like" },
  { keys: ["r", "Ctrl Shift z"], text: "redo" },
  { keys: ["g"], text: "show or hide what kindred guesses" },
  { keys: ["/"], text: "search objects; Esc goes back to the question" },
  {
    keys: ["p"],
    text: "to the panels, where keys answer nothing: ← and → choose one, Tab goes in",
  },
  { keys: ["m"], text: "in a group of the panel Groups: merge it with another" },
  { keys: ["1 … 9"], text: "answer about that reference, where an object stands among several" },
  { keys: ["h"], text: "this help" },
  { keys: ["Esc"], text: "close a dialog; from the panels back to the question" },
];

/** What matters of a KeyboardEvent. */
export interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  repeat: boolean;
  defaultPrevented: boolean;
  /** Where the focus is: in a field, on something that Space and Enter press, or elsewhere. */
  on: "field" | "control" | "page";
  /** The focus is in the panels, where a key led it: what is typed there is no answer. */
  aside?: boolean;
}

/** What is about the pair in sight, which nobody looks at who goes through the panels by keys. */
export function answers(action: KeyAction["do"]): boolean {
  return ["same", "different", "unknown", "skip", "bad", "reference"].includes(action);
}

const letters = new Map<string, Action>(
  Object.entries({
    s: "same",
    d: "different",
    k: "skip",
    b: "bad",
    u: "undo",
    r: "redo",
    g: "guess",
    p: "panels",
    h: "help",
    "/": "search",
    ArrowRight: "same",
    ArrowLeft: "different",
    "?": "unknown",
  } as const),
);

/**
 * The action of a key press, or null for a key that means nothing here. A key held down acts once.
 */
export function keyAction(p: Press): KeyAction | null {
  if (p.defaultPrevented || p.repeat || p.altKey) return null;
  if (p.key === "Escape") return p.aside === true ? { do: "question" } : null;
  if (p.on === "field") return null;
  if (p.ctrlKey || p.metaKey) {
    const key = p.key.toLowerCase();
    if (key === "z") return { do: p.shiftKey ? "redo" : "undo" };
    if (key === "y" && !p.shiftKey) return { do: "redo" };
    return null;
  }
  if (p.key === " ") return p.on === "control" ? null : { do: "unknown" };
  if (/^[1-9]$/.test(p.key)) return { do: "reference", index: Number(p.key) - 1 };
  // Capitals count too, for those who write with caps lock on.
  const action = letters.get(p.key.length === 1 ? p.key.toLowerCase() : p.key);
  return action === undefined ? null : { do: action };
}

/** Where the focus is. */
export function where(target: EventTarget | null): Press["on"] {
  if (!(target instanceof Element)) return "page";
  if (target.closest("select, textarea, [contenteditable]:not([contenteditable=false])"))
    return "field";
  const input = target.closest("input");
  if (input !== null)
    return ["checkbox", "radio", "button"].includes(input.type) ? "control" : "field";
  if (target.closest("button, a, summary, [role=button], [role=tab]")) return "control";
  return "page";
}
