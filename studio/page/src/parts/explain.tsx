import { useEffect, useState } from "preact/hooks";
import { percent, things } from "../map/words";
import { useStore } from "../store";
import type { Explained } from "../types";

/** Whether explanations are open: who wants one wants that of the next pair, too. */
let opened = false;

/** Columns that are listed before all are asked for. */
const FIRST = 8;

/** What makes two objects close or far, folded until it is asked for. */
export function Explain({ a, b, names }: { a: number; b: number; names: [string, string] }) {
  const store = useStore();
  const project = store.project.value;
  const [open, setOpen] = useState(opened);
  const [found, setFound] = useState<Explained | string | null>(null);
  const [all, setAll] = useState(false);
  useEffect(() => {
    setFound(null);
    setAll(false);
    if (!open) return;
    let current = true;
    store.api.explain(project, a, b).then(
      (e) => current && setFound(e),
      (error: unknown) =>
        current && setFound(error instanceof Error ? error.message : String(error)),
    );
    return () => {
      current = false;
    };
  }, [open, project, a, b]);
  return (
    <details
      class="explain"
      open={open}
      onToggle={(e) => {
        opened = e.currentTarget.open;
        setOpen(opened);
      }}
    >
      <summary>What makes them close</summary>
      {open && found === null && (
        <p class="quiet" role="status">
          …
        </p>
      )}
      {typeof found === "string" && <p role="alert">{found}</p>}
      {found !== null && typeof found === "object" && (
        <Apart found={found} names={names} all={all} showAll={() => setAll(true)} />
      )}
    </details>
  );
}

function Apart({
  found,
  names,
  all,
  showAll,
}: {
  found: Explained;
  names: [string, string];
  all: boolean;
  showAll(): void;
}) {
  const shown = all ? found.columns : found.columns.slice(0, FIRST);
  return (
    <>
      <p class="small quiet">
        They are {Number(found.distance.toPrecision(4))} apart: {found.by}.
        {found.columns.length > 0
          ? " The bars are shares of the distance: a short one brings them together."
          : found.words.length === 0 && " They are compared as wholes, and not by columns."}
      </p>
      {found.columns.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">column</th>
              <th scope="col" dir="auto">
                {names[0]}
              </th>
              <th scope="col" dir="auto">
                {names[1]}
              </th>
              <th scope="col">share</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((c) => (
              <tr key={c.column}>
                <th scope="row" dir="auto">
                  {c.column}
                </th>
                <td dir="auto">{c.a || "–"}</td>
                <td dir="auto">{c.b || "–"}</td>
                <td>
                  <div class="share">
                    <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                      <rect class="whole" width="100" height="8" />
                      <rect width={100 * c.share} height="8" />
                    </svg>
                    <span>{percent(c.share)}</span>
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {shown.length < found.columns.length ? (
        <button type="button" class="link" onClick={showAll}>
          {things(found.columns.length + found.more - shown.length, "more column")}
        </button>
      ) : (
        found.more > 0 && (
          <p class="small quiet">{things(found.more, "more column")} with smaller shares.</p>
        )
      )}
      {found.words.length > 0 && <p>Words of both: {found.words.join(", ")}.</p>}
    </>
  );
}
