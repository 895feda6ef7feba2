import { useState } from "preact/hooks";
import { clusterColour } from "../parts/colour";
import { GroupDot, hueOf } from "../parts/dot";
import { useStore } from "../store";
import { useDrop } from "../panels/regroup";
import { counts, groupName, groups, hidden } from "./data";
import { number, percent, things } from "./words";

const FIRST = 24;

/** The groups by colour: a click flies to one, a box hides it. */
export function Legend({
  fly,
  focus,
}: {
  fly: (cluster: number) => void;
  focus: (cluster: number) => void;
}) {
  const store = useStore();
  const [all, setAll] = useState(false);
  const state = store.state.value;
  const c = counts.value;
  if (c === null) return null;
  const present = c.groups.map((size, cluster) => ({ cluster, size })).filter((g) => g.size > 0);
  const listed = present.filter((g) => g.cluster > 0);
  const none = present.find((g) => g.cluster === 0);
  const shown = all ? listed : listed.slice(0, FIRST);
  if (none) shown.push(none);
  const show = (cluster: number, on: boolean) => {
    const next = new Set(hidden.value);
    if (on) next.delete(hueOf(cluster, state));
    else next.add(hueOf(cluster, state));
    hidden.value = next;
  };
  return (
    <section class="map-legend" aria-label="Groups on the map">
      <ul>
        {shown.map(({ cluster, size }) => {
          const name = groupName(cluster, groups.value);
          const known = groups.value?.find((g) => g.cluster === cluster);
          const on = !hidden.value.has(hueOf(cluster, state));
          return (
            <Target
              key={cluster}
              to={known?.medoid.row}
              onMouseEnter={() => focus(on ? cluster : 0)}
              onMouseLeave={() => focus(0)}
            >
              <input
                type="checkbox"
                checked={on}
                aria-label={`draw ${name}`}
                title={on ? "hide" : "draw"}
                onChange={(e) => show(cluster, e.currentTarget.checked)}
              />
              <button
                type="button"
                class="map-group"
                title={`go to ${name}`}
                onClick={() => fly(cluster)}
                onFocus={() => focus(on ? cluster : 0)}
                onBlur={() => focus(0)}
              >
                <GroupDot cluster={cluster} />
                <span class="name">{name}</span>
                <span class="count">
                  {number(size)}
                  <span class="hidden">{size === 1 ? " object" : " objects"}</span>
                </span>
                {known && known.size > 0 && known.doubtful > 0 && (
                  <span class="doubt">{percent(known.doubtful / known.size)} doubtful</span>
                )}
              </button>
            </Target>
          );
        })}
      </ul>
      {listed.length > FIRST && (
        <button type="button" class="link" onClick={() => setAll(!all)}>
          {all ? `the first ${FIRST} alone` : `all ${number(listed.length)} groups`}
        </button>
      )}
      {hidden.value.size > 0 && (
        <button type="button" class="link" onClick={() => (hidden.value = new Set())}>
          draw all groups
        </button>
      )}
      <Signs dark={store.dark.value} />
      <p class="small quiet">
        {[
          c.doubtful > 0 && `${number(c.doubtful)} doubtful`,
          c.ambiguous > 0 && `${number(c.ambiguous)} between groups`,
          c.outliers > 0 && things(c.outliers, "outlier"),
          c.bad > 0 && `${number(c.bad)} left out as bad data`,
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
    </section>
  );
}

/** A group that objects are dropped on. */
function Target({
  to,
  children,
  ...rest
}: {
  to: number | undefined;
  children: preact.ComponentChildren;
  onMouseEnter(): void;
  onMouseLeave(): void;
}) {
  const { over, target } = useDrop(to);
  return (
    <li class={over ? "over" : undefined} {...rest} {...target}>
      {children}
    </li>
  );
}

/** What the signs of the map mean. */
function Signs({ dark }: { dark: boolean }) {
  const [a, b, none] = [1, 2, 0].map((hue) => clusterColour(hue, dark));
  const sign = (drawing: preact.ComponentChildren, words: string) => (
    <li>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        {drawing}
      </svg>{" "}
      {words}
    </li>
  );
  return (
    <ul class="map-signs" aria-label="What the signs mean">
      {sign(<circle cx="8" cy="8" r="6" fill={a} />, "certain")}
      {sign(<circle cx="8" cy="8" r="4" fill={a} opacity="0.4" />, "less certain")}
      {sign(
        <>
          <path d="M8 2a6 6 0 0 0 0 12z" fill={a} />
          <path d="M8 2a6 6 0 0 1 0 12z" fill={b} />
        </>,
        "between groups",
      )}
      {sign(<circle cx="8" cy="8" r="5" fill="none" stroke={a} stroke-width="1.6" />, "outlier")}
      {sign(<path d="M4 4l8 8M12 4l-8 8" stroke={none} stroke-width="1.4" />, "bad data")}
      {sign(
        <>
          <circle cx="8" cy="8" r="3" fill={a} />
          <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" />
        </>,
        "asked about",
      )}
    </ul>
  );
}
