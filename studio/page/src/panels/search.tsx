import { useEffect, useRef, useState } from "preact/hooks";
import { groupName, groups, watchGroups } from "../map/data";
import { called, number, percent, things } from "../map/words";
import { type Store, useStore } from "../store";
import type { Cluster, Found } from "../types";
import { MemberTile, More, useBeginning, usePages } from "./member";
import {
  excludesOnly,
  fieldID,
  findSimilar,
  groupCalled,
  isNothing,
  regrouped,
  marksOf,
  nothing,
  parameters,
  wanted,
  wantedIn,
  type Wanted,
} from "./wanted";
import { canRegroup, mostRows } from "./regroup";
import { MoveButton } from "./regrouping";
import "./panels.css";

/** Milliseconds after the last letter, before what is written is looked for. */
const pause = 250;
/** Milliseconds after which texts that are still being read are asked about again. */
const polling = 500;

/** Objects by their words, their meaning, what they are like, their group and answers. */
export function SearchPanel() {
  const store = useStore();
  useEffect(() => watchGroups(store), [store]);
  const project = store.project.value;
  wantedIn(project);
  const now = wanted.value;
  const wrong = excludesOnly(now);
  const [asked, setAsked] = useState(wrong === "" ? now : { ...now, q: "" });
  useEffect(() => {
    if (wrong !== "") return;
    const timer = setTimeout(() => setAsked(now), now.q === asked.q ? 0 : pause);
    return () => clearTimeout(timer);
  }, [now]);
  const [found, setFound] = useState<(Found & { key: string }) | null>(null);
  const [tick, setTick] = useState(0);
  const marks = marksOf(asked);
  const key = JSON.stringify(parameters(asked));
  const last = useRef(key);
  last.current = key;
  const pages = usePages(
    async (offset, limit) => {
      const f = await store.api.search(project, parameters(asked), offset, limit);
      if (last.current !== key) return f; // of what was asked before
      setFound({ ...f, key });
      if (regrouped(asked, f.group) === null) {
        wanted.value = { ...wanted.value, with: null };
        store.say(
          `The groups were found anew, and ${asked.with!.name} is gone: objects of all groups are shown.`,
          "plain",
        );
      }
      return f;
    },
    [project, key, `${store.state.value?.fitted}/${store.state.value?.revision}/${tick}`],
  );
  const shown = useBeginning(pages.members);
  // Objects that were chosen, of what is found.
  const [ticked, setTicked] = useState<{ key: string; rows: ReadonlySet<number> }>({
    key: "",
    rows: new Set(),
  });
  const chosen = ticked.key === key ? ticked.rows : new Set<number>();
  const choose = (row: number, on: boolean) => {
    const rows = new Set(chosen);
    if (on) rows.add(row);
    else rows.delete(row);
    setTicked({ key, rows });
  };
  const moved = regrouped(asked, found?.group);
  // What is listed may still be that of other words, and none can be had by some.
  const current = found?.key === key && key === JSON.stringify(parameters(now));
  const listed = wrong === "" && (pages.trouble === "" || current);
  const reading =
    found !== null && !found.ready && (found.by === "words" || found.by === "meaning");
  const known = groups.value ?? [];
  const named = pages.total === 0 ? groupCalled(asked, known) : undefined;
  useEffect(() => {
    if (!reading) return;
    const timer = setTimeout(() => setTick(tick + 1), polling);
    return () => clearTimeout(timer);
  }, [reading, tick]);
  return (
    <section class="search" aria-label="Search">
      <Form cluster={found?.group} />
      <div role="status">
        {wrong !== "" ? (
          <p>{wrong}</p>
        ) : pages.trouble !== "" ? (
          <p>{pages.trouble}</p>
        ) : reading ? (
          <p class="quiet">Reading texts and fields … {percent(found.share)}</p>
        ) : named !== undefined ? (
          <p>
            Nothing is found by these words, but a group is called so:{" "}
            <button
              type="button"
              class="link"
              onClick={() => (wanted.value = { ...asked, q: "", ...inGroup(named, known) })}
            >
              choose the group {groupTitle(named.cluster)}
            </button>
          </p>
        ) : (
          found !== null && (
            <p class="small quiet">
              {[
                pages.total === 0
                  ? "Nothing is found. Try fewer words, Meaning, or all groups and answers."
                  : found.far
                    ? ""
                    : `${things(pages.total ?? 0, "object")}${isNothing(asked) ? " altogether" : ""}${orders[found.by]}${found.note || moved ? "." : ""}`,
                found.note,
                moved,
              ]
                .filter(Boolean)
                .join(" ")}
            </p>
          )
        )}
      </div>
      {listed &&
        current &&
        found.ready &&
        pages.total !== null &&
        pages.total > 0 &&
        !isNothing(asked) && (
          <p class="actions">
            {chosen.size > 0 ? (
              <>
                <MoveButton rows={() => [...chosen]}>
                  Move the {number(chosen.size)} chosen to a group …
                </MoveButton>{" "}
                <button
                  type="button"
                  class="link"
                  onClick={() => setTicked({ key, rows: new Set() })}
                >
                  choose none
                </button>
              </>
            ) : found.far ? null : ranked(found.by) && pages.total > pages.members.length ? (
              <MoveButton rows={() => pages.members.map((m) => m.card.row)}>
                Move the first {number(pages.members.length)}, which are shown, to a group …
              </MoveButton>
            ) : (
              <MoveButton rows={() => allFound(store, asked, pages.total ?? 0)}>
                Move {pages.total === 1 ? "it" : `all ${number(pages.total)}`} to a group …
              </MoveButton>
            )}
          </p>
        )}
      <ul class="tiles wide" aria-label="What is found">
        {(listed ? shown : []).map((m) => (
          <MemberTile
            key={m.card.row}
            member={m}
            marks={marks}
            sure={store.state.value?.uncertain !== true}
          >
            <p class="small tile-do">
              {canRegroup(store) && !isNothing(asked) && (
                <label>
                  <input
                    type="checkbox"
                    checked={chosen.has(m.card.row)}
                    onChange={(e) => choose(m.card.row, e.currentTarget.checked)}
                  />{" "}
                  choose<span class="hidden"> {called(m.card.id)}</span>
                </label>
              )}{" "}
              <button type="button" class="link" onClick={() => findSimilar(store, m.card)}>
                similar<span class="hidden"> to {called(m.card.id)}</span>
              </button>
            </p>
          </MemberTile>
        ))}
      </ul>
      {listed && pages.trouble === "" && (pages.total ?? 0) > pages.members.length && (
        <More pages={pages} what="objects" />
      )}
    </section>
  );
}

/**
 * ranked reports whether what is found is all there is, the likest first: then what stands far down
 * the list is not what was looked for.
 */
function ranked(by: Found["by"]): boolean {
  return by === "likeness" || by === "meaning";
}

/** The rows of all that is found; more than a step takes are cut off beyond one too many. */
async function allFound(store: Store, asked: Wanted, total: number): Promise<number[]> {
  const page = 1000;
  const rows: number[] = [];
  for (let offset = 0; offset < Math.min(total, mostRows + 1); offset += page) {
    const f = await store.api.search(store.project.value, parameters(asked), offset, page);
    rows.push(...f.members.map((m) => m.card.row));
    if (f.members.length < page) break;
  }
  return rows;
}

const orders: Record<Found["by"], string> = {
  words: ", the best first",
  meaning: ", the most alike first",
  likeness: ", the most alike first",
  certainty: ", the least certain first",
  rows: "",
};

const answers = [
  ["", "Any answers"],
  ["any", "Answered"],
  ["none", "Not answered"],
  ["same", "Answered same"],
  ["different", "Answered different"],
  ["unknown", "Answered don't know"],
] as const;

function groupTitle(cluster: number): string {
  const name = groupName(cluster, groups.value);
  return name === `group ${cluster}` ? name : `${cluster}: ${name}`;
}

/** The number of the group that is looked in, among groups that may be of another fit. */
function groupWith(w: Wanted, known: readonly Cluster[], found: number | undefined): number {
  const { row, cluster } = w.with!;
  return known.find((g) => g.medoid.row === row)?.cluster ?? found ?? cluster;
}

/** A filter by the group of a number: from then on by a row of it, as numbers change. */
function grouped(value: string, known: readonly Cluster[]): Pick<Wanted, "group" | "with"> {
  const group = known.find((g) => `${g.cluster}` === value);
  if (group === undefined) return { group: value === "0" ? "0" : "", with: null };
  return inGroup(group, known);
}

function inGroup(
  { cluster, medoid }: Cluster,
  known: readonly Cluster[],
): Pick<Wanted, "group" | "with"> {
  return { group: "", with: { row: medoid.row, cluster, name: groupName(cluster, known) } };
}

/** What is looked for. */
function Form({ cluster }: { cluster: number | undefined }) {
  const store = useStore();
  const w = wanted.value;
  const known = groups.value ?? [];
  const people = (store.state.value?.people ?? []).filter((p) => p.name !== "");
  const set = (more: Partial<Wanted>) => (wanted.value = { ...wanted.value, ...more });
  return (
    <form role="search" onSubmit={(e) => e.preventDefault()}>
      {w.like === null ? (
        <p class="words">
          <label class="hidden" for={fieldID}>
            Words of texts and fields
          </label>
          <input
            id={fieldID}
            type="search"
            maxLength={500}
            placeholder="words, “a phrase”, -without"
            autocomplete="off"
            spellcheck={false}
            aria-keyshortcuts="/"
            value={w.q}
            onInput={(e) => set({ q: e.currentTarget.value })}
            onKeyDown={(e) => {
              if (e.key !== "Escape") return;
              e.preventDefault();
              // First the words go, then the way back to the question is free.
              if (w.q !== "") set({ q: "" });
              else {
                e.currentTarget.blur();
                store.view.value = "question";
              }
            }}
          />
          <kbd aria-hidden="true">/</kbd>
        </p>
      ) : (
        <p class="like">
          Similar to{" "}
          <button type="button" class="link" onClick={() => store.openObject(w.like!.row)}>
            {called(w.like.id)}
          </button>{" "}
          <button type="button" onClick={() => set({ like: null })}>
            Search by words
          </button>
        </p>
      )}
      <div class="filters">
        {w.like === null && (
          <div class="choice" role="group" aria-label="Search by">
            {(["words", "meaning"] as const).map((by) => (
              <button key={by} type="button" aria-pressed={w.by === by} onClick={() => set({ by })}>
                {by === "words" ? "Words" : "Meaning"}
              </button>
            ))}
          </div>
        )}
        <select
          aria-label="Group"
          value={w.with === null ? w.group : `${groupWith(w, known, cluster)}`}
          onChange={(e) => set(grouped(e.currentTarget.value, known))}
        >
          <option value="">All groups</option>
          {known.map((g) => (
            <option key={g.cluster} value={`${g.cluster}`}>
              {groupTitle(g.cluster)}
            </option>
          ))}
          <option value="0">No group</option>
        </select>
        <select
          aria-label="Answers"
          value={w.answered}
          onChange={(e) => set({ answered: e.currentTarget.value })}
        >
          {answers.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        {people.length > 0 && (
          <select
            aria-label="Answered by"
            value={w.person}
            onChange={(e) => set({ person: e.currentTarget.value })}
          >
            <option value="">Anybody</option>
            {people.map((p) => (
              <option key={p.name} value={p.name}>
                {p.name}
              </option>
            ))}
          </select>
        )}
        <label class="tick">
          <input
            type="checkbox"
            checked={w.doubtful}
            onChange={(e) => set({ doubtful: e.currentTarget.checked })}
          />{" "}
          Doubtful alone
        </label>
        {!isNothing(w) && (
          <button type="button" class="link" onClick={() => (wanted.value = nothing)}>
            Clear
          </button>
        )}
      </div>
    </form>
  );
}
