import { number, things } from "../map/words";
import { labelOf } from "../names";
import { Histogram } from "../parts/histogram";
import type { Column, Preview } from "../types";
import {
  aboutColumns,
  entryOf,
  holdsLists,
  roleName,
  roleOf,
  rolesOf,
  type Role,
  types,
  type Values,
} from "./roles";

interface Say {
  role(c: Column, role: Role): void;
  entry(setting: "types" | "column-weights", column: string, value: string): void;
}

/** The columns of a table: what each was taken for, why, and how to change it. */
export function Columns({
  seen,
  values,
  find,
  setFind,
  typed,
  say,
}: {
  seen: Preview;
  values: Values;
  find: string;
  setFind(find: string): void;
  /** Types can be set in this format. */
  typed: boolean;
  say: Say;
}) {
  const more = seen.found - seen.columns.length;
  return (
    <section class="columns" aria-label="columns" data-setting={aboutColumns.join(" ")}>
      {(seen.width > 20 || find !== "") && (
        <p>
          <input
            type="search"
            aria-label="find a column"
            placeholder="find a column"
            maxLength={200}
            value={find}
            onInput={(e) => setFind(e.currentTarget.value)}
            onKeyDown={(e) => e.key === "Enter" && e.preventDefault()}
          />
        </p>
      )}
      {seen.columns.length === 0 && <p class="quiet">No column is called that.</p>}
      <ul>
        {seen.columns.map((c) => (
          <ColumnItem key={c.name} column={c} values={values} typed={typed} say={say} />
        ))}
      </ul>
      {more > 0 && (
        <p class="small quiet">
          {things(more, "more column")}: write a part of a name to find {more === 1 ? "it" : "one"}.
        </p>
      )}
    </section>
  );
}

function ColumnItem({
  column: c,
  values,
  typed,
  say,
}: {
  column: Column;
  values: Values;
  typed: boolean;
  say: Say;
}) {
  const role = roleOf(c, values);
  const type = entryOf(values, "types", c.name);
  const weight = entryOf(values, "column-weights", c.name);
  const facts = [
    c.missing > 0 && `${number(c.missing)} missing`,
    c.distinct !== undefined && c.distinct > 1 && `${number(c.distinct)} different`,
    c.distinct === 1 && "always the same",
  ].filter(Boolean);
  return (
    <li class={`column ${role}`}>
      <div class="column-name">
        <b dir="auto">{c.name}</b>{" "}
        <span class="small quiet">
          {c.type !== "vectors" && holdsLists(c) ? "lists" : c.type}
          {c.width !== undefined && ` of ${number(c.width)} numbers`}
        </span>
      </div>
      <select
        aria-label={`${c.name} is`}
        value={role}
        onChange={(e) => say.role(c, e.currentTarget.value as Role)}
      >
        {rolesOf(c, values).map((r) => (
          <option key={r} value={r}>
            {roleName(r)}
          </option>
        ))}
      </select>
      <div class="column-values">
        <Held column={c} />
      </div>
      <p class="column-why small quiet">
        {c.why && <span dir="auto">It {c.why}. </span>}
        {facts.length > 0 && <span class="facts">{facts.join(", ")}</span>}
      </p>
      {(c.suspicions ?? []).map((s) => (
        <p key={s} class="suspicion small">
          {s}
        </p>
      ))}
      {(typed || role === "features") && c.type !== "vectors" && (
        <details class="column-more">
          <summary>
            {typed && role === "features"
              ? "Type and weight"
              : typed
                ? labelOf("types")
                : labelOf("column-weights")}
            <span class="hidden"> of {c.name}</span>
          </summary>
          {typed && (
            <label>
              {labelOf("types")}
              <span class="hidden"> of {c.name}</span>{" "}
              <select
                value={type}
                onChange={(e) => say.entry("types", c.name, e.currentTarget.value)}
              >
                <option value="">as it was found</option>
                {types.map((t) => (
                  <option key={t} value={t}>
                    {t}
                  </option>
                ))}
              </select>
            </label>
          )}
          {role === "features" && (
            <label>
              {labelOf("column-weights")}
              <span class="hidden"> of {c.name}</span>{" "}
              <input
                type="number"
                min={0.001}
                max={1e6}
                step="any"
                inputMode="decimal"
                placeholder="1"
                value={weight}
                onInput={(e) => say.entry("column-weights", c.name, e.currentTarget.value)}
              />
            </label>
          )}
        </details>
      )}
    </li>
  );
}

/** What a column holds, at a glance. */
function Held({ column: c }: { column: Column }) {
  if (c.histogram !== undefined && c.low !== undefined && c.high !== undefined)
    return <Histogram counts={c.histogram} low={c.low} high={c.high} of={`values of ${c.name}`} />;
  if (c.low !== undefined && c.high !== undefined)
    return (
      <span class="small">
        {c.low} to {c.high}
      </span>
    );
  const examples = c.examples ?? [];
  if (examples.length === 0) return null;
  return (
    <ul class="examples small">
      {examples.map((e) => (
        <li key={e.value}>
          <span dir="auto">{e.value}</span>
          {e.rows !== undefined && e.rows > 0 && <span class="quiet"> {number(e.rows)}</span>}
        </li>
      ))}
    </ul>
  );
}
