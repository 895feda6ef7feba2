// What the browser keeps for the page, where it allows it.

/** The browser's storage; null where it is off. */
export function shelf(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** Keeps a small setting of the page. */
export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // full or off: not kept
  }
}

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Runs f while no other tab runs something under this name. */
export async function alone(name: string, f: () => Promise<void>): Promise<void> {
  // Only secure addresses have locks; without, a step sent by two tabs is known by its id.
  if (navigator.locks === undefined) return f();
  await navigator.locks.request(name, f);
}
