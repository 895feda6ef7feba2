import { signal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { useStore } from "../store";
import type { Method, Methods, Strategy } from "../types";

/** What the server can ask by. It does not change while the page is open. */
const known = signal<Methods | null>(null);

/** Those that suit most, first in the list. */
const recommended = ["kin", "cobras", "cobra", "evclus", "kevclus"];

/** What is said of how to ask, by the names of settings; "" is as the method has it. */
export interface How {
  method: string;
  clusters: string;
  "super-instances": string;
  strategy: string;
  "error-rate": string;
}

export type Field = Exclude<keyof How, "method">;

export const nothing: How = { method: "", clusters: "", "super-instances": "", strategy: "", "error-rate": "" };

/** A fresh project takes no method: the data choose between kin and the evidential ones, super-instances cobra. */
const byData: readonly Field[] = ["clusters", "super-instances"];

/** fieldsOf lists what a method can be told on the page. */
export function fieldsOf(m: Method | undefined): readonly Field[] {
  if (m === undefined) return byData;
  const fields: Field[] = [];
  if (m.strategic) fields.push("strategy");
  if (m.clusters) fields.push("clusters");
  if (m.superInstances) fields.push("super-instances");
  if (m.takes.includes("error-rate")) fields.push("error-rate");
  return fields;
}

/** What stands for "nothing said" once something was, of settings that have no empty value: 0 is what the method does by itself. */
const usual: Partial<Record<Field, string>> = { "super-instances": "0", "error-rate": "0" };

/** settingsOf gives the settings to send: those that mean something to the method, and of those that were said before and no longer are the usual value. */
export function settingsOf(how: How, m: Method | undefined, before: How = nothing): Record<string, string> {
  const settings: Record<string, string> = {};
  if (how.method !== "") settings["method"] = how.method;
  for (const field of fieldsOf(m)) {
    const value = how[field].trim();
    if (value !== "") settings[field] = value;
    else if (before[field] !== "") settings[field] = usual[field] ?? "";
  }
  return settings;
}

/** howOf reads what is said from the settings of a project. */
export function howOf(method: string, settings: Readonly<Record<string, string>>): How {
  const said = (field: Field) => (settings[field] === "0" ? "" : (settings[field] ?? ""));
  return {
    method, clusters: said("clusters"), "super-instances": said("super-instances"), strategy: said("strategy"), "error-rate": said("error-rate"),
  };
}

/** grouped parts the methods into the recommended ones and all others, by title. */
export function grouped(methods: readonly Method[]): [first: Method[], others: Method[]] {
  const first = recommended.map((name) => methods.find((m) => m.name === name)).filter((m) => m !== undefined);
  const others = methods.filter((m) => !recommended.includes(m.name));
  return [first, others.sort((a, b) => a.title.localeCompare(b.title, "en", { sensitivity: "base" }))];
}

/** strategiesFor lists the strategies by which a method can ask. */
export function strategiesFor(m: Method, strategies: readonly Strategy[]): Strategy[] {
  return strategies.filter((s) => !s.needsMasses || m.masses);
}

/** The method of a name; undefined for "" and until the server has told. */
export function methodOf(name: string): Method | undefined {
  return known.value?.methods.find((m) => m.name === name);
}

/** Which method asks, and what it is told. With `open` it may be left to the data. */
export function HowFields({ how, change, open = false, trouble }: {
  how: How;
  change(to: How): void;
  open?: boolean;
  trouble(words: string): void;
}) {
  const store = useStore();
  useEffect(() => {
    if (known.value !== null) return;
    store.api.methods().then((all) => (known.value = all), (error: unknown) => trouble(error instanceof Error ? error.message : String(error)));
  }, [store]);
  const all = known.value;
  const m = methodOf(how.method);
  const fields = fieldsOf(m);
  const set = (field: keyof How) => (value: string) => change({ ...how, [field]: value });
  const [first, others] = grouped(all?.methods ?? []);
  const there = all?.methods.some((x) => x.name === how.method) ?? false;
  return (
    <>
      <Row label="Method" hint={m === undefined ? "" : <>{m.source}. By default: {m.default}.</>} value={how.method} set={set("method")}>
        {open && <option value="">as suits the data</option>}
        {!open && !there && <option value={how.method}>{how.method}</option>}
        <optgroup label="Recommended">{first.map(option)}</optgroup>
        <optgroup label="All others">{others.map(option)}</optgroup>
      </Row>
      {m !== undefined && fields.includes("strategy") && (
        <Row label="Strategy" hint="which pairs are asked about, as the method has no questions of its own" value={how.strategy} set={set("strategy")}>
          <option value="">{how.clusters.trim() === "" ? "as suits: farthest-first" : "as suits: minmax"}</option>
          {strategiesFor(m, all?.strategies ?? []).map((s) => (
            <option key={s.name} value={s.name} disabled={s.needsClusters && how.clusters.trim() === ""}>{s.name}: {s.title}</option>
          ))}
        </Row>
      )}
      {fields.includes("clusters") && (
        <Row label="Number of groups" hint={groupsHint(m)} value={how.clusters} set={set("clusters")}
          number={{ min: m?.needsClusters === true ? 1 : 2, max: 5000, step: 1 }} required={m?.needsClusters === true} />
      )}
      {fields.includes("super-instances") && (
        <Row label="Super-instances" hint={superHint(m)}
          value={how["super-instances"]} set={set("super-instances")} number={{ min: 2, max: 100000, step: 1 }} placeholder={m === undefined ? undefined : "as the method has it"} />
      )}
      {fields.includes("error-rate") && (
        <Row label="Wrong answers" hint="the share of them that the method reckons with" value={how["error-rate"]} set={set("error-rate")}
          number={{ min: 0.001, max: 0.499, step: "any" }} placeholder="as the method has it" />
      )}
    </>
  );
}

function superHint(m: Method | undefined): string {
  const what = "small groups that are asked about; more are finer, and take more answers";
  return m === undefined ? `for COBRA, which is chosen where you say a number: ${what}` : what;
}

function groupsHint(m: Method | undefined): string {
  if (m === undefined) return "how many, where the method needs to know";
  if (m.needsClusters) return "how many; the method needs to know";
  return "for strategies that need to know";
}

const option = (m: Method) => <option key={m.name} value={m.name}>{m.title}</option>;

interface Numbers {
  min: number;
  max: number;
  step: number | "any";
}

/** A choice among options, or a number, with a word on it. */
function Row({ label, hint, value, set, number, placeholder, required = false, children }: {
  label: string;
  hint: ComponentChildren;
  value: string;
  set(value: string): void;
  number?: Numbers;
  placeholder?: string | undefined;
  required?: boolean;
  children?: ComponentChildren;
}) {
  const id = useId();
  const about = { id, value, "aria-describedby": `${id}-hint` };
  return (
    <div class="how">
      <label for={id}>{label}</label>
      {number === undefined
        ? <select {...about} onChange={(e) => set(e.currentTarget.value)}>{children}</select>
        : <input type="number" {...about} {...number} inputMode={number.step === 1 ? "numeric" : "decimal"} required={required} placeholder={placeholder} onInput={(e) => set(e.currentTarget.value)} />}
      <span class="small quiet" id={`${id}-hint`}>{hint}</span>
    </div>
  );
}
