import { useEffect, useState } from "preact/hooks";
import { groups, watchGroups } from "../map/data";
import { called, number, percent, things } from "../map/words";
import { brief } from "../parts/brief";
import { where } from "../keys";
import { CardView, comparedFirst, faced, useFold } from "../parts/card";
import { useCue } from "../parts/cue";
import { GroupDot } from "../parts/dot";
import { Empty } from "../parts/empty";
import { useStore } from "../store";
import type { Card, Cluster } from "../types";
import { MemberTile, More, usePages } from "./member";
import { HowMany, MANY } from "./number";
import { OneGroup } from "./onegroup";
import { canRegroup, drag, useDrop, wish } from "./regroup";
import { RegroupButtons } from "./regrouping";
import "./panels.css";

/** The groups: what stands for each, its members, its name. */
export function GroupsPanel() {
  const store = useStore();
  const [open, setOpen] = useState<number | null>(null); // a row of the group
  const [all, setAll] = useState(false);
  useEffect(() => watchGroups(store), [store]);
  const known = groups.value;
  if (known === null)
    return (
      <p class="quiet" role="status">
        The groups are being found …
      </p>
    );
  if (known.length === 0)
    return (
      <Empty
        steps={[
          ["question", "Answer a question"],
          ["settings", "Choose another method"],
        ]}
      >
        <p>There are no groups yet. They come with the first fit.</p>
      </Empty>
    );
  if (open !== null) return <AllMembers row={open} known={known} back={() => setOpen(null)} />;
  const remarks = store.state.value?.remarks ?? [];
  const listed = all ? known : known.slice(0, MANY);
  return (
    <div class="groups">
      {remarks.length > 0 && (
        <ul class="remarks small quiet" aria-label="What the method says of the groups">
          {remarks.map((r) => (
            <li key={r}>{r}</li>
          ))}
        </ul>
      )}
      <HowMany />
      {listed.map((g) => (
        <GroupCard
          key={g.cluster}
          group={g}
          open={() => setOpen(g.medoid.row)}
          others={known.length > 1}
        />
      ))}
      {known.length > MANY && !all && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {number(known.length)} groups
        </button>
      )}
    </div>
  );
}

function GroupCard({
  group,
  open,
  others,
}: {
  group: Cluster;
  open: () => void;
  others: boolean; // there are other groups
}) {
  const store = useStore();
  const { over, target } = useDrop(group.medoid.row);
  const [confirm, setConfirm] = useState(false);
  const [whole, more] = useFold(group.medoid, "medium");
  const title = `group-${group.cluster}`;
  const texts = group.medoid.text !== undefined && !group.medoid.image;
  const cards = [group.medoid, ...group.members.filter((m) => m.row !== group.medoid.row)].slice(
    0,
    12,
  );
  return (
    <article
      class={over ? "group over" : "group"}
      aria-labelledby={title}
      onKeyDown={(e) => {
        const free = !e.ctrlKey && !e.metaKey && !e.altKey && where(e.target) !== "field";
        if (e.key.toLowerCase() !== "m" || !free || !others || !canRegroup(store)) return;
        e.preventDefault();
        wish(store, { do: "merge", rows: [group.medoid.row] });
      }}
      {...target}
    >
      <header>
        <GroupDot cluster={group.cluster} big />
        <Name group={group} id={title} />
        <p class="small quiet">
          {things(group.size, "object")}
          {group.doubtful > 0 && `, ${percent(group.doubtful / Math.max(1, group.size))} doubtful`}
        </p>
      </header>
      {confirm ? (
        <>
          <p>Untick the strangers.</p>
          <OneGroup cards={cards} done={() => setConfirm(false)} />
        </>
      ) : !faced(group.medoid) && (group.medoid.fields ?? []).length > 0 ? (
        <MemberTable group={group} cards={cards} />
      ) : (
        <div class="members">
          <div class="medoid">
            <button
              type="button"
              class="tile-open"
              aria-label={`the most typical: details of ${called(group.medoid.id)}`}
              onClick={() => store.openObject(group.medoid.row)}
            >
              <CardView
                card={group.medoid}
                size="medium"
                fields={!faced(group.medoid)}
                whole={whole}
              />
            </button>
            {more}
          </div>
          <ul class="thumbs" aria-label="Some members">
            {cards.slice(1, texts ? 7 : 12).map((card) => (
              <li key={card.row} {...drag(card.row)}>
                <button
                  type="button"
                  class="tile-open"
                  aria-label={`details of ${called(card.id)}`}
                  onClick={() => store.openObject(card.row)}
                >
                  <CardView card={card} size={texts ? "small" : "thumb"} fields={false} />
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      {group.traits.length > 0 && (
        <ul class="traits small" aria-label="What tells it from the rest">
          {group.traits.slice(0, 4).map((t) => (
            <li key={t.feature}>{t.words}</li>
          ))}
        </ul>
      )}
      <p class="actions">
        {cards.length > 1 && (
          <button type="button" aria-expanded={confirm} onClick={() => setConfirm(!confirm)}>
            {confirm ? "Not now" : `Are these ${cards.length} one group?`}
          </button>
        )}
        <button type="button" onClick={open}>
          All members
        </button>
        <RegroupButtons group={group} others={others} />
      </p>
    </article>
  );
}

/** Members that have fields alone, as lines of a table; the most telling fields first. */
function MemberTable({ group, cards }: { group: Cluster; cards: readonly Card[] }) {
  const store = useStore();
  const columns = telling(group, 5);
  const cue = useCue<HTMLDivElement>();
  return (
    <div
      ref={cue}
      class="member-table"
      tabIndex={0}
      role="region"
      aria-label={`Some members of group ${group.cluster}`}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">object</span>
            </th>
            {columns.map((c) => (
              <th key={c} scope="col">
                {c}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cards.slice(0, 6).map((card, i) => (
            <tr key={card.row} class={i === 0 ? "typical" : undefined} {...drag(card.row)}>
              <th scope="row">
                <button type="button" class="link" onClick={() => store.openObject(card.row)}>
                  {called(card.id)}
                </button>
              </th>
              {columns.map((c) => (
                <td key={c}>{brief(card.fields?.find((f) => f.name === c)?.value ?? "")}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** telling gives up to `most` fields, those that tell the group from the rest first. */
export function telling(group: Cluster, most: number): string[] {
  const names = comparedFirst(group.medoid.fields ?? []).map((f) => f.name);
  const first = group.traits.map((t) => t.feature).filter((f) => names.includes(f));
  return [...new Set([...first, ...names])].slice(0, most);
}

/** The name of a group, written in place. */
function Name({ group, id }: { group: Cluster; id: string }) {
  const store = useStore();
  const [editing, setEditing] = useState(false);
  const [given, setGiven] = useState<string | null>(null); // until the server says it, too
  const names = group.names.join(" + ");
  useEffect(() => setGiven(null), [names]);
  const name = given ?? names;
  const suggested = name === "" ? (group.suggested ?? "") : "";
  if (editing) {
    return (
      <form
        class="name"
        onSubmit={(e) => {
          e.preventDefault();
          const text = new FormData(e.currentTarget).get("name");
          const trimmed = typeof text === "string" ? text.trim() : "";
          if (trimmed !== name) {
            store.step({ kind: "name", row: group.medoid.row, name: trimmed });
            setGiven(trimmed);
          }
          setEditing(false);
        }}
      >
        <input
          name="name"
          maxLength={100}
          aria-label={`name of group ${group.cluster}`}
          defaultValue={name || suggested}
          autocomplete="off"
          ref={(field) => {
            if (!field || document.activeElement === field) return;
            field.focus();
            field.select(); // what is typed takes the place of what was suggested
          }}
          onKeyDown={(e) => {
            if (e.key === "Escape") {
              e.stopPropagation();
              setEditing(false);
            }
          }}
        />
        <button type="submit">Save</button>
      </form>
    );
  }
  return (
    <h3 id={id}>
      {name || (suggested === "" ? `Group ${group.cluster}` : <i dir="auto">{suggested}</i>)}{" "}
      <button type="button" class="link small" onClick={() => setEditing(true)}>
        {name ? "rename" : "name it"}
        <span class="hidden"> group {group.cluster}</span>
      </button>
    </h3>
  );
}

/** All members of a group, page by page. */
function AllMembers({
  row,
  known,
  back,
}: {
  row: number; // of the group, whose number changes as groups are found anew
  known: readonly Cluster[];
  back: () => void;
}) {
  const store = useStore();
  const [order, setOrder] = useState<"typical" | "doubtful">("typical");
  const [cluster, setCluster] = useState(
    () => known.find((g) => g.medoid.row === row)?.cluster ?? 0,
  );
  const project = store.project.value;
  const pages = usePages(
    async (offset, limit) => {
      const found = await store.api.members(project, row, order, offset, limit);
      if (found.cluster > 0) setCluster(found.cluster);
      else {
        back();
        store.say("The groups were found anew, and this one is gone.", "plain");
      }
      return found;
    },
    [project, row, order, store.state.value?.fitted],
  );
  const group = known.find((g) => g.cluster === cluster);
  return (
    <section aria-label={`Members of group ${cluster}`}>
      <p class="actions">
        <button type="button" onClick={back}>
          ← All groups
        </button>
      </p>
      <header class="group-head">
        <GroupDot cluster={cluster} big />
        {group !== undefined && <Name group={group} id="group-open" />}
      </header>
      <div class="choice" role="group" aria-label="Order">
        <button
          type="button"
          aria-pressed={order === "typical"}
          onClick={() => setOrder("typical")}
        >
          Typical first
        </button>
        <button
          type="button"
          aria-pressed={order === "doubtful"}
          onClick={() => setOrder("doubtful")}
        >
          Doubtful first
        </button>
      </div>
      <ul class="tiles">
        {pages.members.map((m) => (
          <MemberTile key={m.card.row} member={m} why={order === "doubtful"} />
        ))}
      </ul>
      <More pages={pages} what="members" />
    </section>
  );
}
