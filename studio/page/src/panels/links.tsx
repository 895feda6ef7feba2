import { useState } from "preact/hooks";
import type { Store } from "../store";
import type { Me, PageLink } from "../types";

/** New links to the page: for everybody where the first person asks, and else for oneself. */
export function Links({ store, me }: { store: Store; me: Me }) {
  const names = me.names ?? [me.name];
  const [person, setPerson] = useState(me.name);
  const [made, setMade] = useState<PageLink | null>(null);
  return (
    <section class="links" aria-labelledby="links">
      <h3 id="links">Links to this page</h3>
      <p class="small quiet">
        A link opens the page in one browser, once. That browser goes on without it.
      </p>
      <p class="row">
        {names.length > 1 && (
          <select
            aria-label="person whom a link is for"
            value={person}
            onChange={(e) => {
              setPerson(e.currentTarget.value);
              setMade(null);
            }}
          >
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
        <button
          type="button"
          onClick={() =>
            void store.api
              .link(person)
              .then(setMade)
              .catch((error: unknown) => store.fail(error))
          }
        >
          New link{person === "" ? "" : ` for ${person}`}
        </button>
      </p>
      {made !== null && <Made made={made} store={store} />}
    </section>
  );
}

function Made({ made, store }: { made: PageLink; store: Store }) {
  const link = reachable(made.link, location);
  const ends = new Date(made.ends).toLocaleString("en-GB", {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  return (
    <>
      <p class="row">
        <input
          readOnly
          value={link}
          aria-label={made.person === "" ? "new link" : `new link for ${made.person}`}
          onFocus={(e) => e.currentTarget.select()}
        />
        {navigator.clipboard !== undefined && (
          <button
            type="button"
            onClick={() =>
              void navigator.clipboard
                .writeText(link)
                .then(() => store.say("The link is copied.", "plain"))
                .catch((error: unknown) => store.fail(error))
            }
          >
            Copy
          </button>
        )}
      </p>
      <p class="small quiet" role="status">
        Send it to {made.person === "" ? "the other browser" : made.person} in private. It ends on{" "}
        {ends}, if nobody has opened it.
      </p>
    </>
  );
}

/**
 * The link under the name that the page itself is reached by, as behind a proxy; unless that is a
 * name of this machine alone, when the server may know a better one.
 */
export function reachable(link: string, here: Pick<Location, "origin" | "hostname">): string {
  const alone = ["localhost", "[::1]"].includes(here.hostname) || /^127\./.test(here.hostname);
  return alone ? link : here.origin + new URL(link).pathname + new URL(link).search;
}
