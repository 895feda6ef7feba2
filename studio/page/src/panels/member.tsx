import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Members } from "../api";
import { groupName, groups } from "../map/data";
import { called, percent, sureWords } from "../map/words";
import { CardView, faced, isBare, Marked, useFold } from "../parts/card";
import { clusterColour } from "../parts/colour";
import { GroupDot, hueOf } from "../parts/dot";
import { afterFrames } from "../parts/frames";
import { useStore } from "../store";
import type { Mass, Member } from "../types";
import { drag } from "./regroup";

/**
 * An object in a list: how it looks, where it is, and why. A click shows all that is known of it.
 */
export function MemberTile({
  member,
  why = false,
  marks = null,
  sure = true,
  children,
}: {
  member: Member;
  why?: boolean;
  marks?: RegExp | null;
  /** How certain its group is, is said. */
  sure?: boolean;
  children?: ComponentChildren;
}) {
  const store = useStore();
  const { card } = member;
  const [whole, more] = useFold(card, "small");
  return (
    <li class="tile" {...drag(card.row)}>
      <button
        type="button"
        class="tile-open"
        aria-label={`details of ${called(card.id)}`}
        onClick={() => store.openObject(card.row)}
      >
        <CardView
          card={card}
          size="small"
          fields={!faced(card)}
          whole={whole}
          marks={marks}
          telling={tellingOf(member.cluster)}
        />
      </button>
      {more}
      <p class="tile-id">
        <GroupDot cluster={member.cluster} />{" "}
        {!isBare(card) && <Marked text={called(card.id)} marks={marks} />}{" "}
        <span class="quiet">{certaintyWords(member, sure)}</span>
      </p>
      {why && <p class="small why">{member.why}</p>}
      {children}
    </li>
  );
}

/** The fields that tell a group apart, as far as the groups are known. */
function tellingOf(cluster: number): string[] {
  return groups.value?.find((g) => g.cluster === cluster)?.traits.map((t) => t.feature) ?? [];
}

/** How certain the group of an object is, unless that is not to be said, and what else it is. */
export function certaintyWords(m: Member, sure = true): string {
  const parts: string[] = [];
  if (m.bad) return "left out as bad data";
  if (m.cluster > 0 && sure) parts.push(sureWords(m.certainty));
  if (m.outlier) parts.push("perhaps an outlier");
  return parts.join(", ");
}

/** Groups that belief is shown in the colours of; of more it is grey, as that of none. */
const DOTS = 4;

/** Belief as words and lengths, the largest first. */
export function Masses({ masses }: { masses: readonly Mass[] }) {
  const shown = masses.filter((m) => m.mass >= 0.005).slice(0, 12);
  const words = ({ clusters, words }: Mass) =>
    clusters.length === 1 ? groupName(clusters[0]!, groups.value) : words;
  return (
    <ul class="masses" aria-label="Belief">
      {shown.map((m) => (
        <li key={m.clusters.join(" ")}>
          <span class="words">
            {m.clusters.length <= DOTS && m.clusters.map((c) => <GroupDot key={c} cluster={c} />)}{" "}
            {words(m)}
          </span>
          <Share share={m.mass} clusters={m.clusters} label={words(m)} />
          <span class="value">{percent(m.mass)}</span>
        </li>
      ))}
    </ul>
  );
}

/** A share as a length, in the colours of the groups that it is of. */
export function Share({
  share,
  clusters,
  label,
}: {
  share: number;
  clusters: readonly number[];
  label: string;
}) {
  const store = useStore();
  const of = clusters.length === 0 || clusters.length > DOTS ? [0] : clusters;
  const colours = of.map((c) => clusterColour(hueOf(c, store.state.value), store.dark.value));
  const stripes = colours.map(
    (c, i) => `${c} ${(100 * i) / colours.length}% ${(100 * (i + 1)) / colours.length}%`,
  );
  return (
    <span
      class="share-bar"
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(100 * share)}
      aria-valuetext={percent(share)}
    >
      <i
        style={{
          width: `${100 * Math.min(1, share)}%`,
          backgroundImage: `linear-gradient(to right, ${stripes.join(", ")})`,
        }}
      />
    </span>
  );
}

/** Where an object is, with the other groups it may belong to. */
export function PlaceWords({ member }: { member: Member }) {
  const known = groups.value;
  return (
    <p class="place">
      <GroupDot cluster={member.cluster} name={groupName(member.cluster, known)} />{" "}
      <b>{groupName(member.cluster, known)}</b> <span class="quiet">{certaintyWords(member)}</span>
      {(member.others ?? []).length > 0 && (
        <>
          {" "}
          · perhaps{" "}
          {member.others!.slice(0, 5).map((c, i) => (
            <span key={c}>
              {i > 0 && " or "}
              <GroupDot cluster={c} name={groupName(c, known)} /> {groupName(c, known)}
            </span>
          ))}
        </>
      )}
    </p>
  );
}

export interface Pages {
  members: Member[];
  total: number | null; // null: nothing has come yet
  trouble: string;
  busy: boolean;
  more(): void;
}

/**
 * usePages reads a list of objects page by page, from the start again when what it is of changes.
 */
export function usePages(
  read: (offset: number, limit: number) => Promise<Members>,
  of: readonly unknown[],
  size = 60,
): Pages {
  const [at, setAt] = useState({
    members: [] as Member[],
    total: null as number | null,
    trouble: "",
    busy: true,
  });
  const [wanted, setWanted] = useState(size);
  useEffect(() => setWanted(size), of.slice(0, -1));
  useEffect(() => {
    let gone = false;
    setAt((old) => ({ ...old, trouble: "", busy: true }));
    (async () => {
      const members: Member[] = [];
      let total = 0;
      // Pages after a change of the groups are read anew, as the order has changed.
      for (let offset = 0; offset < wanted; offset += size) {
        const page = await read(offset, size);
        members.push(...page.members);
        total = page.total;
        if (gone || page.members.length < size) break;
      }
      if (!gone) setAt({ members, total, trouble: "", busy: false });
    })().catch((error: unknown) => {
      if (!gone)
        setAt((old) => ({
          ...old,
          busy: false,
          trouble: error instanceof Error ? error.message : String(error),
        }));
    });
    return () => {
      gone = true;
    };
  }, [...of, wanted]);
  return { ...at, more: () => setWanted(wanted + size) };
}

/** Objects that a list begins with: no more are in sight on most screens. */
const BEGINNING = 12;

/** useBeginning gives the first members of a list, and all once these have been drawn. */
export function useBeginning(all: readonly Member[]): readonly Member[] {
  const [whole, setWhole] = useState(false);
  const any = all.length > 0;
  useEffect(() => {
    if (any) return afterFrames(2, () => setWhole(true));
  }, [any]);
  return whole ? all : all.slice(0, BEGINNING);
}

/** What stands below a list that has more. */
export function More({ pages, what }: { pages: Pages; what: string }) {
  if (pages.trouble !== "") return <p role="alert">{pages.trouble}</p>;
  if (pages.total === null)
    return (
      <p class="quiet" role="status">
        …
      </p>
    );
  return (
    <p class="more">
      <span class="small quiet" role="status">
        {pages.members.length} of {pages.total} {what}
      </span>{" "}
      {pages.members.length < pages.total && (
        <button type="button" disabled={pages.busy} onClick={pages.more}>
          Show more
        </button>
      )}
    </p>
  );
}
