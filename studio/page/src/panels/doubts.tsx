import { useEffect, useState } from "preact/hooks";
import { groupName, groups, watchGroups } from "../map/data";
import { called, isDoubtful } from "../map/words";
import { CardView, faced } from "../parts/card";
import { GroupDot } from "../parts/dot";
import { Empty } from "../parts/empty";
import { clickable } from "../parts/press";
import { useStore } from "../store";
import type { Cluster, Member } from "../types";
import { Masses, MemberTile, More, useBeginning, usePages } from "./member";
import { Verdict } from "./object";
import "./panels.css";

/** The objects of which the groups are least sure, and why; also where none of them is doubtful. */
export function DoubtsPanel() {
  const store = useStore();
  const [asking, setAsking] = useState<number | null>(null);
  useEffect(() => watchGroups(store), [store]);
  const project = store.project.value;
  const pages = usePages(
    (offset, limit) => store.api.doubts(project, offset, limit),
    [project, store.state.value?.fitted],
    48,
  );
  const shown = useBeginning(pages.members);
  if (pages.total === 0)
    return (
      <Empty
        steps={[
          ["groups", "Look at the groups"],
          ["exports", "Export"],
        ]}
      >
        <p>No object is in doubt: all are certain.</p>
      </Empty>
    );
  const doubtful = isDoubtful(pages.members[0]?.certainty ?? 0);
  return (
    <div class="doubts">
      <p class="quiet">
        {doubtful
          ? "The least certain first. An answer about one of these helps more than others."
          : "No object is doubtful; these are the least certain. An answer helps most about the first."}
      </p>
      <ul class="tiles wide">
        {shown.map((m) => (
          <MemberTile key={m.card.row} member={m} why>
            {m.masses && m.masses.length > 0 && <Masses masses={m.masses.slice(0, 4)} />}
            <button
              type="button"
              aria-expanded={asking === m.card.row}
              {...clickable(() => setAsking(asking === m.card.row ? null : m.card.row))}
            >
              Ask me about this one<span class="hidden"> ({called(m.card.id)})</span>
            </button>
            {asking === m.card.row && <Compare member={m} done={() => setAsking(null)} />}
          </MemberTile>
        ))}
      </ul>
      <More
        pages={pages}
        what={doubtful ? "doubtful objects" : "objects that are less than certain"}
      />
    </div>
  );
}

/**
 * candidates are the groups to compare with: its own and the others it may belong to first, the
 * nearest by number then.
 */
export function candidates(m: Member, known: readonly Cluster[]): Cluster[] {
  const first = [m.cluster, ...(m.others ?? [])];
  const rank = (c: Cluster) => {
    const at = first.indexOf(c.cluster);
    return at < 0 ? first.length + c.cluster : at;
  };
  return known.filter((c) => c.medoid.row !== m.card.row).sort((a, b) => rank(a) - rank(b));
}

/** Which object is it to be compared with? */
function Compare({ member, done }: { member: Member; done: () => void }) {
  const store = useStore();
  const [all, setAll] = useState(false);
  const list = candidates(member, groups.value ?? []);
  const shown = all ? list : list.slice(0, 3);
  if (list.length === 0)
    return <p class="quiet">There is no other group to compare it with yet.</p>;
  return (
    <section class="compare" aria-label={`Compare ${called(member.card.id)}`}>
      <p>Does it belong with the most typical of …</p>
      <ul>
        {shown.map((c) => (
          <li key={c.cluster}>
            <p>
              <GroupDot cluster={c.cluster} name={groupName(c.cluster, groups.value)} />{" "}
              {groupName(c.cluster, groups.value)}
            </p>
            <CardView card={c.medoid} size="small" fields={!faced(c.medoid)} />
            <Verdict a={member.card.row} b={c.medoid.row} done={done} />
            <button
              type="button"
              class="link small"
              onClick={() => void store.pose(member.card.row, c.medoid.row)}
            >
              larger, as a question
            </button>
          </li>
        ))}
      </ul>
      {list.length > shown.length && (
        <button type="button" class="link" onClick={() => setAll(true)}>
          other groups
        </button>
      )}
    </section>
  );
}
