// Steps that a person has made and the server has not yet confirmed, in order. They lie in the
// browser's storage,
// one entry a step, so that a reload, or a second tab, loses none.

import type { Step } from "./types";

export interface Item {
  id: string;
  step: Step;
  /** The server may have it: it was sent once, and no reply came. */
  tried: boolean;
}

interface Entry extends Item {
  key: string;
  /** It lies in the storage, and not in memory alone. */
  stored: boolean;
}

/** What the queue needs of localStorage. */
export type Shelf = Pick<Storage, "length" | "key" | "getItem" | "setItem" | "removeItem">;

export class Queue {
  private entries: Entry[] = [];
  /** What was taken back, the last one last; null for what the server was asked to take back. */
  private back: (Item | null)[] = [];
  private readonly prefix: string;

  constructor(
    private readonly shelf: Shelf | null,
    project: string,
    private readonly now: () => number = Date.now,
  ) {
    this.prefix = `kindred/queue/${encodeURIComponent(project)}/`;
    this.reload();
  }

  get items(): readonly Item[] {
    return this.entries;
  }

  get length(): number {
    return this.entries.length;
  }

  /**
   * Goes by what lies in the storage: other tabs, or this page before a reload, may have put steps
   * there, or sent some.
   */
  reload(): void {
    if (this.shelf === null) return;
    const found = new Map<string, Entry>();
    try {
      for (let i = 0; i < this.shelf.length; i++) {
        const key = this.shelf.key(i);
        if (key === null || !key.startsWith(this.prefix)) continue;
        const item = parse(this.shelf.getItem(key));
        if (item !== null) found.set(item.id, { ...item, key, stored: true });
      }
    } catch {
      return;
    }
    const kept = this.entries.filter((e) => !e.stored && !found.has(e.id));
    this.entries = [...kept, ...found.values()].sort((a, b) =>
      a.key < b.key ? -1 : a.key > b.key ? 1 : 0,
    );
  }

  has(id: string): boolean {
    return this.entries.some((e) => e.id === id);
  }

  add(id: string, step: Step): Item {
    if (step.kind === "undo") this.back.push(null);
    else if (step.kind !== "redo") this.back = [];
    return this.put({ id, step, tried: false });
  }

  private put(item: Item): Item {
    // Keys order the entries even when the clock is set back.
    const last = this.entries.at(-1)?.key.slice(this.prefix.length).split("-")[0] ?? "0";
    const order = Math.max(this.now(), Number(last) + 1);
    const entry = {
      ...item,
      key: `${this.prefix}${String(order).padStart(15, "0")}-${item.id}`,
      stored: false,
    };
    this.entries.push(entry);
    this.write(entry);
    return entry;
  }

  first(): Item | undefined {
    return this.entries[0];
  }

  mark(id: string): void {
    const entry = this.entries.find((e) => e.id === id);
    if (entry === undefined || entry.tried) return;
    entry.tried = true;
    this.write(entry);
  }

  remove(id: string): void {
    const at = this.entries.findIndex((e) => e.id === id);
    if (at < 0) return;
    const [entry] = this.entries.splice(at, 1);
    try {
      this.shelf?.removeItem(entry!.key);
    } catch {
      // storage is off: the entry was in memory alone
    }
  }

  /** Takes back the last step if it certainly never left the page. */
  takeBack(): Item | null {
    const last = this.entries.at(-1);
    if (last === undefined || last.tried || last.step.kind === "undo" || last.step.kind === "redo")
      return null;
    this.remove(last.id);
    this.back.push({ id: last.id, step: last.step, tried: false });
    return last;
  }

  /**
   * Brings back what was taken back last, until something new is done. It returns null where that
   * has to be asked of the server.
   */
  bringBack(): Item | null {
    const item = this.back.pop() ?? null;
    return item === null ? null : this.put(item);
  }

  get canBringBack(): boolean {
    return this.back.length > 0;
  }

  /**
   * Removes a step that the server refused, and the undo that was meant for it if one waits further
   * on.
   * It tells whether there was such an undo: then nobody need be asked what to do.
   */
  refuse(id: string): boolean {
    const at = this.entries.findIndex((e) => e.id === id);
    if (at < 0) return false;
    let depth = 1;
    for (const entry of this.entries.slice(at + 1)) {
      if (entry.step.kind === "redo") return false;
      depth += entry.step.kind === "undo" ? -1 : 1;
      if (depth === 0) {
        this.remove(entry.id);
        this.remove(id);
        return true;
      }
    }
    return false;
  }

  private write(entry: Entry): void {
    try {
      this.shelf?.setItem(
        entry.key,
        JSON.stringify({ id: entry.id, step: entry.step, tried: entry.tried }),
      );
      entry.stored = this.shelf !== null;
    } catch {
      // storage is full or off: the entry lives as long as the page
    }
  }
}

function parse(text: string | null): Item | null {
  try {
    const item = JSON.parse(text ?? "") as Partial<Item>;
    if (typeof item.id !== "string" || typeof item.step?.kind !== "string") return null;
    return { id: item.id, step: item.step, tried: item.tried === true };
  } catch {
    return null;
  }
}
