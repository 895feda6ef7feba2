import { useEffect, useState } from "preact/hooks";
import { caughtRows, groupName, groups, watchGroups, where } from "../map/data";
import { loadCards } from "../map/cards";
import { byCertainty } from "../map/places";
import { answered, called, mixture, number, things } from "../map/words";
import { CardView, Differences, faced, isBare } from "../parts/card";
import { compare } from "../parts/compare";
import { GroupDot } from "../parts/dot";
import { Empty } from "../parts/empty";
import { Explain } from "../parts/explain";
import { clickable } from "../parts/press";
import { seriesRange } from "../parts/series";
import { useStore } from "../store";
import type { Card, Event, Guess, LinkKind, Member } from "../types";
import { Masses, PlaceWords } from "./member";
import { OneGroup } from "./onegroup";
import { MoveButton, SplitButton } from "./regrouping";
import { findSimilar } from "./wanted";
import "./panels.css";

/** Cards that are shown of many objects. */
const LISTED = 200;
const ONCE = 24;

/** What is known of the objects that are selected. */
export function ObjectPanel() {
  const store = useStore();
  useEffect(() => watchGroups(store), [store]);
  if (store.selected.value.length === 0) {
    return (
      <Empty
        steps={[
          ["map", "Open the map"],
          ["search", "Search"],
          ["doubts", "See the doubts"],
        ]}
      >
        <p class="quiet">
          Nothing is selected. Choose an object on the map, in a group or among the doubts; a second
          one on the map with Shift, many with the lasso.
        </p>
      </Empty>
    );
  }
  return <Selection />;
}

export function Selection({ goTo }: { goTo?: (row: number) => void }) {
  const rows = useStore().selected.value;
  if (rows.length === 0) return null;
  if (rows.length === 1) return <One row={rows[0]!} goTo={goTo} />;
  if (rows.length === 2) return <Two a={rows[0]!} b={rows[1]!} />;
  return <Many rows={rows} />;
}

/** useMember reads an object, and again when the groups or the answers change. */
function useMember(row: number): Member | string | null {
  const store = useStore();
  const [member, setMember] = useState<Member | string | null>(null);
  const project = store.project.value;
  const state = store.state.value;
  useEffect(() => {
    let gone = false;
    setMember((old) => (typeof old === "object" && old?.card.row === row ? old : null));
    store.api.object(project, row).then(
      (m) => !gone && setMember(m),
      (error: unknown) =>
        !gone && setMember(error instanceof Error ? error.message : String(error)),
    );
    return () => {
      gone = true;
    };
  }, [project, row, state?.fitted, state?.revision]);
  return member;
}

function One({ row, goTo }: { row: number; goTo?: ((row: number) => void) | undefined }) {
  const store = useStore();
  const m = useMember(row);
  if (m === null)
    return (
      <p class="quiet" role="status">
        …
      </p>
    );
  if (typeof m === "string") return <p role="alert">{m}</p>;
  return (
    <article class="object">
      <header class="object-head">
        <h3>{called(m.card.id)}</h3>
        <button type="button" class="link" onClick={() => store.select([])}>
          close<span class="hidden"> {called(m.card.id)}</span>
        </button>
      </header>
      <div class={goTo && faced(m.card) ? "object-body narrow" : "object-body"}>
        {!isBare(m.card) && <CardView card={m.card} size={goTo ? "medium" : "large"} />}
        <div>
          <About m={m} />
        </div>
      </div>
      <p class="actions">
        {goTo && (
          <button type="button" onClick={() => goTo(row)}>
            Go there on the map
          </button>
        )}
        <button type="button" onClick={() => findSimilar(store, m.card)}>
          Find similar
        </button>
        {!m.bad && <MoveButton rows={() => [row]}>Move to a group …</MoveButton>}
        {!m.bad && (
          <button type="button" {...clickable(() => store.step({ kind: "bad", row }), true)}>
            Bad data: leave it out
          </button>
        )}
      </p>
      <Given m={m} />
    </article>
  );
}

function About({ m }: { m: Member }) {
  return (
    <>
      <PlaceWords member={m} />
      {m.why !== "" && m.masses?.length !== 1 && <p>{m.why}</p>}
      {(m.masses ?? []).length > 0 && <Masses masses={m.masses!} />}
    </>
  );
}

const said: Record<LinkKind, string> = {
  same: "same as",
  different: "different from",
  unknown: "don't know about",
};

/** The answers in effect about an object. */
function Given({ m }: { m: Member }) {
  const store = useStore();
  const answers = m.answers ?? [];
  if (answers.length === 0) return <p class="small quiet">No answer is about it yet.</p>;
  return (
    <section aria-label="Answers about it">
      <h4>
        {answered({
          answers: new Set(answers.map((e) => e.batch || e.seq)).size,
          stated: answers.length,
        })}{" "}
        about it
      </h4>
      <ul class="given">
        {answers.slice(0, 100).map((e) => {
          const other = otherOf(e, m.card);
          return (
            <li key={e.seq}>
              {said[e.step as LinkKind] ?? e.step}{" "}
              {other &&
                (other.row >= 0 ? (
                  <button type="button" class="link" onClick={() => store.select([other.row])}>
                    {called(other.id)}
                  </button>
                ) : (
                  called(other.id)
                ))}
              {e.who && <span class="quiet">, {e.who}</span>}
              {e.doubt && <span class="quiet">, kept as doubt</span>}
            </li>
          );
        })}
      </ul>
      {answers.length > 100 && <p class="small quiet">The first 100; the history has all.</p>}
    </section>
  );
}

function otherOf(e: Event, card: Card): Event["a"] {
  return e.a?.row === card.row ? e.b : e.a;
}

/** Two objects: are they the same? */
function Two({ a, b }: { a: number; b: number }) {
  const store = useStore();
  const members = [useMember(a), useMember(b)];
  const trouble = members.find((m): m is string => typeof m === "string");
  if (trouble !== undefined) return <p role="alert">{trouble}</p>;
  const [one, two] = members as (Member | null)[];
  const fields = one && two ? compare(one.card, two.card) : undefined;
  const range =
    one?.card.series && two?.card.series
      ? seriesRange(one.card.series, two.card.series)
      : undefined;
  return (
    <article class="two">
      <header class="object-head">
        <h3>Two objects</h3>
        <button type="button" class="link" onClick={() => store.select([])}>
          close<span class="hidden"> both</span>
        </button>
      </header>
      <div class="pair">
        {[one, two].map(
          (m) =>
            m && (
              <section key={m.card.row} aria-label={called(m.card.id)}>
                <h4>
                  <button type="button" class="link" onClick={() => store.select([m.card.row])}>
                    {called(m.card.id)}
                  </button>
                </h4>
                <CardView card={m.card} size="medium" range={range} fields={fields === undefined} />
                <About m={m} />
              </section>
            ),
        )}
      </div>
      {fields && <Differences fields={fields} a={one!.card.id} b={two!.card.id} />}
      <Explain a={a} b={b} names={[one?.card.id ?? "", two?.card.id ?? ""]} />
      <Verdict a={a} b={b} done={() => store.select([])} />
      <p class="actions">
        <button type="button" onClick={() => void store.pose(a, b)}>
          Look at them as a question
        </button>
        {one && two && one.cluster > 0 && one.cluster === two.cluster && (
          <SplitButton a={a} b={b} />
        )}
      </p>
      <Guessed a={a} b={b} key={`${a}-${b}`} />
    </article>
  );
}

/** Three buttons for one pair. */
export function Verdict({ a, b, done }: { a: number; b: number; done?: () => void }) {
  const store = useStore();
  const give = (link: LinkKind) => {
    store.step({ kind: "links", pairs: [{ a, b, link }] });
    store.say("Answered; undo takes it back.", "plain");
    done?.();
  };
  return (
    <div class="verdict" role="group" aria-label="Do they belong to one group?">
      <button type="button" class="answer same" {...clickable(() => give("same"), true)}>
        Same
      </button>
      <button type="button" class="answer different" {...clickable(() => give("different"), true)}>
        Different
      </button>
      <button type="button" class="answer unknown" {...clickable(() => give("unknown"), true)}>
        Don't know
      </button>
    </div>
  );
}

/** What the groups say of the pair, hidden until asked for. */
function Guessed({ a, b }: { a: number; b: number }) {
  const store = useStore();
  const [guess, setGuess] = useState<Guess | null>(null);
  const ask = () => {
    store.api
      .guess(store.project.value, a, b)
      .then(setGuess, (error: unknown) => store.fail(error));
  };
  if (guess === null)
    return (
      <button type="button" class="link" onClick={ask}>
        What do the groups say of them?
      </button>
    );
  return <p role="status">{guess.words}</p>;
}

/** Many objects, as a lasso catches them. */
function Many({ rows }: { rows: readonly number[] }) {
  const store = useStore();
  const [order, setOrder] = useState<"typical" | "doubtful">("typical");
  const [cards, setCards] = useState<Card[] | null>(null);
  const [shown, setShown] = useState(ONCE);
  const all = caughtRows.value;
  const p = where.value;
  const listed = all && p ? byCertainty(p, all, order, LISTED) : rows.slice(0, LISTED);
  const key = listed.join(",");
  useEffect(() => {
    let gone = false;
    loadCards(store, listed).then(
      (found) => !gone && setCards(found),
      (error: unknown) => !gone && store.fail(error),
    );
    return () => {
      gone = true;
    };
  }, [key]);
  const total = all?.length ?? rows.length;
  const mix = p ? mixture(p, all ?? rows) : [];
  // What is confirmed is what is in sight: no answer about an object that nobody has looked at.
  const inSight = (cards ?? []).slice(0, shown);
  return (
    <article class="many">
      <header class="object-head">
        <h3>{things(total, "object")}</h3>
        <button
          type="button"
          class="link"
          onClick={() => {
            caughtRows.value = null;
            store.select([]);
          }}
        >
          close<span class="hidden"> the list</span>
        </button>
      </header>
      {mix.length > 0 && (
        <p class="mixture">
          {mix.slice(0, 8).map((m) => (
            <span key={m.cluster}>
              <GroupDot cluster={m.cluster} name={groupName(m.cluster, groups.value)} />{" "}
              {number(m.count)}{" "}
            </span>
          ))}
          {mix.length > 8 && <span class="quiet">and {things(mix.length - 8, "group")} more</span>}
        </p>
      )}
      <p class="actions">
        <MoveButton rows={() => [...(all ?? rows)]}>
          Move {total === 1 ? "it" : `all ${number(total)}`} to a group …
        </MoveButton>
      </p>
      {all && (
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
      )}
      {cards === null ? (
        <p class="quiet" role="status">
          …
        </p>
      ) : (
        <>
          <p class="small quiet">
            {number(inSight.length)} of {number(total)} shown
            {total > LISTED &&
              `; the list has the ${order === "typical" ? "most certain" : "most doubtful"} ${LISTED}`}
            . Are they one group? Untick the strangers.
          </p>
          <OneGroup key={key} cards={inSight} />
          {shown < cards.length && (
            <button type="button" onClick={() => setShown(shown + 2 * ONCE)}>
              Show more
            </button>
          )}
        </>
      )}
    </article>
  );
}
