import { useEffect, useState } from "preact/hooks";
import { Empty } from "../parts/empty";
import { useStore, type Store } from "../store";
import { things } from "../map/words";
import type { Person, Sharing, State } from "../types";
import { Links } from "./links";

/** hasSeveral reports whether several people answer, or did. */
export function hasSeveral(state: State | null): boolean {
  return state?.people.some((p) => p.name !== "") ?? false;
}

/**
 * Who answers, how far they agree with others and with themselves, and how questions are spread.
 */
export function PeoplePanel() {
  const store = useStore();
  const state = store.state.value;
  if (state === null)
    return (
      <p class="quiet" role="status">
        …
      </p>
    );
  const me = store.me.value;
  const admin = me?.admin !== false;
  const people = state.people;
  return (
    <div class="people">
      {people.length === 0 && (
        <Empty steps={[["question", "Answer the first question"]]}>
          <p class="quiet">Nobody has answered yet.</p>
        </Empty>
      )}
      <ul>
        {people.map((p) => (
          <PersonCard
            key={p.name}
            store={store}
            person={p}
            admin={admin}
            discounted={state.sharing.discount}
          />
        ))}
      </ul>
      {me !== null && <Links store={store} me={me} />}
      <SharingForm store={store} sharing={state.sharing} admin={admin} several />
    </div>
  );
}

function PersonCard({
  store,
  person: p,
  admin,
  discounted,
}: {
  store: Store;
  person: Person;
  admin: boolean;
  discounted: boolean;
}) {
  const me = store.me.value?.name ?? "";
  const name = p.name === "" ? "you" : p.name;
  return (
    <li class="person" data-person={p.name}>
      <header>
        <h3>
          {name}
          {p.name !== "" && p.name === me && <span class="quiet"> (you)</span>}
        </h3>
        <span class={p.active ? "here" : "quiet"}>{p.active ? "● here now" : "○ away"}</span>
      </header>
      <dl class="figures">
        <div>
          <dt>answers</dt>
          <dd>
            {p.answers}
            {p.stated > p.answers && <span class="quiet"> ({things(p.stated, "link")})</span>}
          </dd>
        </div>
        <div>
          <dt>agreement with others</dt>
          <dd>
            {p.agreement === undefined ? (
              <span class="quiet">no shared pairs yet</span>
            ) : (
              <>
                {share(p.agreement)} <span class="quiet">of {p.shared}</span>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>consistency</dt>
          <dd>
            {p.consistency === undefined ? (
              <span class="quiet">nothing asked twice yet</span>
            ) : (
              <>
                {share(p.consistency)} <span class="quiet">of {p.repeated}</span>
              </>
            )}
          </dd>
        </div>
      </dl>
      <Slider
        label={`reliability of ${name}`}
        shown="reliability"
        value={p.reliability}
        min={0.05}
        disabled={!admin}
        hint={discounted ? "" : "has no effect until answers are discounted, below"}
        set={(value) => store.api.reliability(store.project.value, p.name, value)}
        store={store}
      />
    </li>
  );
}

export function SharingForm({
  store,
  sharing,
  admin,
  several,
}: {
  store: Store;
  sharing: Sharing;
  admin: boolean;
  several: boolean;
}) {
  const set = (change: Partial<Sharing>) =>
    store.api.sharing(store.project.value, { ...sharing, ...change });
  return (
    <section class="sharing" aria-labelledby="sharing">
      <h3 id="sharing">How questions are spread</h3>
      {!admin && <p class="small quiet">Only the first of the people can change this.</p>}
      {several && (
        <Slider
          label="questions that others answered, too"
          value={sharing.overlap}
          min={0}
          disabled={!admin}
          store={store}
          hint="shows how far people agree"
          set={(overlap) => set({ overlap })}
        />
      )}
      <Slider
        label="questions asked a second time"
        value={sharing.repeat}
        min={0}
        disabled={!admin}
        store={store}
        hint="shows how consistent a person is"
        set={(repeat) => set({ repeat })}
      />
      <label class="switch">
        <input
          type="checkbox"
          role="switch"
          checked={sharing.discount}
          disabled={!admin}
          onChange={(e) =>
            void set({ discount: e.currentTarget.checked }).catch((error: unknown) =>
              store.fail(error),
            )
          }
        />
        <span>Discount answers by reliability</span>
      </label>
      <p class="small quiet">
        Off, all answers count fully. On, an answer counts as far as you believe the person.
      </p>
    </section>
  );
}

/** A share from min to 1, sent when the hand lets go. */
function Slider({
  label,
  shown,
  value,
  min,
  disabled,
  hint,
  set,
  store,
}: {
  label: string;
  shown?: string;
  value: number;
  min: number;
  disabled: boolean;
  hint: string;
  set(value: number): Promise<unknown>;
  store: Store;
}) {
  const [at, setAt] = useState(value);
  useEffect(() => setAt(value), [value]);
  return (
    <label class="slider">
      <span>
        {shown ?? label} <output>{share(at)}</output>
      </span>
      <input
        type="range"
        min={min}
        max={1}
        step={0.05}
        value={at}
        disabled={disabled}
        aria-label={label}
        aria-valuetext={share(at)}
        onInput={(e) => setAt(e.currentTarget.valueAsNumber)}
        onChange={(e) => {
          const to = e.currentTarget.valueAsNumber;
          set(to).catch((error: unknown) => {
            setAt(value);
            store.fail(error);
          });
        }}
      />
      {hint !== "" && <span class="small quiet">{hint}</span>}
    </label>
  );
}

function share(x: number): string {
  return `${Math.round(100 * x)} %`;
}
