// A look at data before a project is begun: asked for anew when what is said of them changes, and
// the last one counts.

import { useEffect, useState } from "preact/hooks";
import { ApiError, type Look } from "../api";
import type { Store } from "../store";
import type { Column, Parts, Preview, Progress } from "../types";

export interface Looked {
  /** The last look that succeeded; null before the first at these data. */
  seen: Preview | null;
  /** Why the last one did not. */
  trouble: string;
  /** Settings that this names. */
  settings: readonly string[];
  /** Parts of the file, of which one can be chosen. */
  parts: Parts | null;
  /** The next one is under way, or about to be. */
  busy: boolean;
  /** How far it is, once it takes long. */
  progress: Progress | null;
}

const none: Looked = {
  seen: null,
  trouble: "",
  settings: [],
  parts: null,
  busy: false,
  progress: null,
};

const pause = 300; // ms after a change, before data are looked at
const patience = 2000; // ms without a word about progress
const polling = 500;

/** useLook looks at data, unless they are called "". */
export function useLook(store: Store, look: Look): Looked {
  const [looked, setLooked] = useState<Looked & { of: string; at: string }>({
    ...none,
    of: "",
    at: "",
  });
  const at = JSON.stringify(look);
  useEffect(() => {
    if (look.data === "") {
      setLooked({ ...none, of: "", at });
      return;
    }
    const end = new AbortController();
    const other = looked.of !== look.data;
    setLooked((l) => ({ ...(other ? none : l), busy: true, progress: null, of: look.data, at }));
    let polls: ReturnType<typeof setInterval> | undefined;
    const ask = async () => {
      try {
        const progress = await store.api.previewing();
        if (!end.signal.aborted) setLooked((l) => ({ ...l, progress }));
      } catch {
        // the look itself says what is wrong
      }
    };
    const slow = setTimeout(() => {
      void ask();
      polls = setInterval(() => void ask(), polling);
    }, patience);
    const soon = setTimeout(
      () => {
        store.api
          .preview(look, end.signal)
          .then(
            (seen) => ({
              seen,
              trouble: "",
              settings: seen.settings ?? [],
              parts: seen.parts ?? null,
            }),
            (error: unknown) => {
              const problem = error instanceof ApiError ? error.problem : {};
              return {
                trouble: error instanceof Error ? error.message : String(error),
                settings: problem.settings ?? [],
                ...(problem.parts !== undefined && { parts: problem.parts }),
              };
            },
          )
          .then((got) => {
            if (end.signal.aborted) return;
            clearTimeout(slow);
            clearInterval(polls);
            setLooked((l) => ({ ...l, ...got, busy: false, progress: null }));
          });
      },
      other ? 0 : pause,
    );
    return () => {
      end.abort();
      clearTimeout(soon);
      clearTimeout(slow);
      clearInterval(polls);
    };
  }, [store, at]);
  // What was said a moment ago is no longer so.
  if (looked.at !== at)
    return { ...(looked.of === look.data ? looked : none), busy: look.data !== "", progress: null };
  return looked;
}

/** allColumns lists all columns, those that are not shown among them. */
export async function allColumns(
  store: Store,
  look: Look,
  seen: Preview,
  signal: AbortSignal,
): Promise<Column[]> {
  const page = 1000;
  const all = seen.columns.length === seen.width ? [...seen.columns] : [];
  while (all.length < seen.width) {
    const next = await store.api.preview(
      { data: look.data, settings: look.settings, offset: all.length, limit: page },
      signal,
    );
    if (next.columns.length === 0) break;
    all.push(...next.columns);
  }
  return all;
}

/** comparedColumns names all columns that are compared, those that are not shown among them. */
export async function comparedColumns(...of: Parameters<typeof allColumns>): Promise<string[]> {
  const all = await allColumns(...of);
  return all.filter((c) => c.role === "feature" && c.type !== "vectors").map((c) => c.name);
}
