import { signal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { labelOf } from "../names";
import { useNamed } from "../parts/named";
import { useStore } from "../store";
import type { Method, Methods, Param, Strategy } from "../types";

/** What the server can ask by. It does not change while the page is open. */
const known = signal<Methods | null>(null);

/** Those that suit most, first in the list. */
const recommended = ["kin", "cobras", "cobra", "evclus", "kevclus"];

/**
 * What is said of how to ask: the method, and values of its parameters by name; "" or none is as
 * the method has it.
 */
export interface How {
  method: string;
  values: Readonly<Record<string, string>>;
}

export const nothing: How = { method: "", values: {} };

/**
 * A fresh project takes no method: the data choose between kin and the evidential ones,
 * super-instances cobra.
 */
const byData: readonly Param[] = [
  {
    name: "clusters",
    type: "integer",
    help: "how many, where the method needs to know",
    range: "",
    minimum: 2,
    basic: true,
  },
  {
    name: "super-instances",
    type: "integer",
    help: "for COBRA, which is chosen where you say a number: small groups that are asked about",
    range: "",
    minimum: 2,
    basic: true,
  },
];

/** Those that come first, in this order, before what the method calls basic. */
const foremost = ["strategy", "clusters", "super-instances", "error-rate"];

/** paramsOf lists what a method can be told: the basic ones, and the rest. */
export function paramsOf(m: Method | undefined): [basic: Param[], more: Param[]] {
  const all = m?.params ?? byData;
  const rank = (p: Param) => foremost.indexOf(p.name);
  const basic = all.filter((p) => p.basic || rank(p) >= 0);
  const place = (p: Param) => (rank(p) >= 0 ? rank(p) : foremost.length);
  return [basic.sort((a, b) => place(a) - place(b)), all.filter((p) => !basic.includes(p))];
}

/**
 * settingsOf gives the settings to send: those that mean something to the method; "" for those that
 * were said before and no longer are.
 */
export function settingsOf(
  how: How,
  m: Method | undefined,
  before: How = nothing,
): Record<string, string> {
  const settings: Record<string, string> = {};
  if (how.method !== "") settings["method"] = how.method;
  for (const { name } of paramsOf(m).flat()) {
    const value = (how.values[name] ?? "").trim();
    if (value !== "" || (before.values[name] ?? "") !== "") settings[name] = value;
  }
  return settings;
}

/**
 * howOf reads what is said from the settings of a project: nothing of a parameter that has its
 * default.
 */
export function howOf(
  method: string,
  settings: Readonly<Record<string, string>>,
  m: Method | undefined,
): How {
  const values: Record<string, string> = {};
  for (const p of m?.params ?? []) {
    const value = settings[p.name] ?? "";
    if (value !== "" && value !== p.default) values[p.name] = value;
  }
  return { method, values };
}

/** grouped parts the methods into the recommended ones and all others, by title. */
export function grouped(methods: readonly Method[]): [first: Method[], others: Method[]] {
  const first = recommended
    .map((name) => methods.find((m) => m.name === name))
    .filter((m) => m !== undefined);
  const others = methods.filter((m) => !recommended.includes(m.name));
  return [
    first,
    others.sort((a, b) => a.title.localeCompare(b.title, "en", { sensitivity: "base" })),
  ];
}

/** strategiesFor lists the strategies by which a method can ask. */
export function strategiesFor(m: Method, strategies: readonly Strategy[]): Strategy[] {
  return strategies.filter((s) => !s.needsMasses || m.masses);
}

/** The method of a name; undefined for "" and until the server has told. */
export function methodOf(name: string): Method | undefined {
  return known.value?.methods.find((m) => m.name === name);
}

/** useMethods is what can be asked by, and all settings; null until the server has told. */
export function useMethods(trouble: (words: string) => void): Methods | null {
  const store = useStore();
  useEffect(() => {
    if (known.value !== null) return;
    store.api.methods().then(
      (all) => (known.value = all),
      (error: unknown) => trouble(error instanceof Error ? error.message : String(error)),
    );
  }, [store]);
  return known.value;
}

/** What useMethods was told last. */
useMethods.known = (): Methods | null => known.value;

/** Which method asks, and what it is told. With `open` it may be left to the data. */
export function HowFields({
  how,
  change,
  open = false,
  trouble,
}: {
  how: How;
  change(to: How): void;
  open?: boolean;
  trouble(words: string): void;
}) {
  const all = useMethods(trouble);
  const m = methodOf(how.method);
  const [basic, more] = paramsOf(m);
  const set = (name: string) => (value: string) =>
    change({ ...how, values: { ...how.values, [name]: value } });
  const [first, others] = grouped(all?.methods ?? []);
  const there = all?.methods.some((x) => x.name === how.method) ?? false;
  const clusters = (how.values["clusters"] ?? "").trim();
  const field = (p: Param) => {
    const about = { label: labelOf(p.name), value: how.values[p.name] ?? "", set: set(p.name) };
    if (p.name !== "strategy" || m === undefined) {
      return (
        <ParamRow
          key={p.name}
          {...about}
          param={p}
          required={p.name === "clusters" && m?.needsClusters === true}
        />
      );
    }
    return (
      <Row
        key={p.name}
        {...about}
        name={p.name}
        hint="which pairs are asked about, as the method has no questions of its own"
      >
        <option value="">
          {clusters === "" ? "as suits: farthest-first" : "as suits: minmax"}
        </option>
        {strategiesFor(m, all?.strategies ?? []).map((s) => (
          <option key={s.name} value={s.name} disabled={s.needsClusters && clusters === ""}>
            {s.name}: {s.title}
          </option>
        ))}
      </Row>
    );
  };
  return (
    <>
      <Row
        name="method"
        label="Method"
        hint={m === undefined ? "" : `${m.title}. ${m.source}.`}
        value={how.method}
        set={(method) => change({ ...how, method })}
      >
        {open && <option value="">as suits the data</option>}
        {!open && !there && <option value={how.method}>{how.method}</option>}
        <optgroup label="Recommended">{first.map(option)}</optgroup>
        <optgroup label="All others">{others.map(option)}</optgroup>
      </Row>
      {basic.map(field)}
      {more.length > 0 && (
        <details class="more-params">
          <summary>More</summary>
          {more.map(field)}
        </details>
      )}
    </>
  );
}

/** A field for a parameter, by its declaration. */
export function ParamRow({
  param: p,
  label,
  value,
  set,
  required,
}: {
  param: Param;
  label: string;
  value: string;
  set(value: string): void;
  required: boolean;
}) {
  const usual = p.default ?? "";
  const hint = [
    p.help,
    p.unit !== undefined && `unit: ${p.unit}`,
    p.auto !== undefined && !required && `by default: ${p.auto}`,
  ]
    .filter(Boolean)
    .join("; ");
  const about = { name: p.name, label, hint, value, set };
  switch (p.type) {
    case "choice":
    case "boolean":
      return (
        <Row {...about}>
          <option value="">{usual === "" ? "as usual" : `as usual: ${usual}`}</option>
          {(p.type === "boolean" ? ["true", "false"] : (p.choices ?? [])).map((c) => (
            <option key={c} value={c}>
              {c}
            </option>
          ))}
        </Row>
      );
    case "integer":
    case "number":
      return (
        <Row
          {...about}
          number={numbersOf(p)}
          required={required}
          placeholder={required ? undefined : usual}
        />
      );
    default:
      return <Row {...about} words={p.choices ?? []} placeholder={usual} />;
  }
}

/**
 * numbersOf gives the bounds of a field for numbers, which has none that are left out of the range.
 */
export function numbersOf(p: Param): Numbers {
  const step = p.type === "integer" ? 1 : "any";
  const bounds: Numbers = { step };
  const min = p.minimum ?? p.exclusiveMinimum;
  const max = p.maximum ?? p.exclusiveMaximum;
  if (min !== undefined) bounds.min = min;
  if (max !== undefined) bounds.max = max;
  return bounds;
}

/** shortTitle is what a title calls a method, without what it does: that stands below the choice. */
export function shortTitle(title: string): string {
  return title.split(": ")[0]!;
}

const option = (m: Method) => (
  <option key={m.name} value={m.name}>
    {shortTitle(m.title)}
  </option>
);

export interface Numbers {
  min?: number;
  max?: number;
  step: number | "any";
}

/** A choice among options, a number, or a text for which there may be words, with a label on it. */
function Row({
  name,
  label,
  hint,
  value,
  set,
  number,
  words,
  placeholder,
  required = false,
  children,
}: {
  name: string;
  label: string;
  hint: ComponentChildren;
  value: string;
  set(value: string): void;
  number?: Numbers;
  words?: readonly string[];
  placeholder?: string | undefined;
  required?: boolean;
  children?: ComponentChildren;
}) {
  const id = useId();
  const row = useRef<HTMLDivElement>(null);
  const named = useNamed(name, row);
  const about = {
    id,
    value,
    "aria-describedby": `${id}-hint`,
    ...(named && { "aria-invalid": true }),
  };
  const typed = {
    ...about,
    required,
    placeholder,
    onInput: (e: { currentTarget: { value: string } }) => set(e.currentTarget.value),
  };
  return (
    <div ref={row} class={named ? "how named" : "how"} data-setting={name}>
      <label for={id}>{label}</label>
      {number !== undefined ? (
        <input
          type="number"
          {...typed}
          {...number}
          inputMode={number.step === 1 ? "numeric" : "decimal"}
        />
      ) : words !== undefined ? (
        <>
          <input type="text" {...typed} maxLength={1000} autocomplete="off" list={`${id}-words`} />
          <datalist id={`${id}-words`}>
            {words.map((w) => (
              <option key={w} value={w} />
            ))}
          </datalist>
        </>
      ) : (
        <select {...about} onChange={(e) => set(e.currentTarget.value)}>
          {children}
        </select>
      )}
      <span class="small quiet" id={`${id}-hint`}>
        {hint}
      </span>
    </div>
  );
}
