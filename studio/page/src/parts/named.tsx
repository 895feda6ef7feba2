import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { RefObject } from "preact";
import { labelOf } from "../names";

/** The settings that a sentence of the form names, which are marked in it. */
export const Named = createContext<readonly string[]>([]);

/** useNamed reports whether a setting is named, and shows its field where it is folded away. */
export function useNamed(name: string, field: RefObject<HTMLElement | null>): boolean {
  const named = useContext(Named).includes(name);
  useEffect(() => {
    if (!named) return;
    let fold = field.current?.closest("details") ?? null;
    while (fold) {
      fold.open = true;
      fold = fold.parentElement?.closest("details") ?? null;
    }
  }, [named]);
  return named;
}

/** fieldOf finds the field of a setting in a form; columns have all the settings about them. */
function fieldOf(form: HTMLElement | null, name: string): HTMLElement | undefined {
  const all = form?.querySelectorAll<HTMLElement>(`[data-setting~="${CSS.escape(name)}"]`) ?? [];
  return [...all]
    .map((e) => e.querySelector<HTMLElement>("select, input:checked, input:not([type=radio])"))
    .find((e) => e !== null);
}

/** toField moves the focus to the first of the settings that has a field. */
export function toField(form: HTMLElement | null, names: readonly string[]): void {
  for (const name of names) {
    const field = fieldOf(form, name);
    if (field === undefined) continue;
    field.focus();
    field.scrollIntoView({ block: "center" });
    return;
  }
}

/** Ways from a sentence to the settings that it names. */
export function Ways({
  form,
  names,
}: {
  form: RefObject<HTMLElement | null>;
  names: readonly string[];
}) {
  const [there, setThere] = useState<readonly string[]>([]);
  const at = names.join(" ");
  useEffect(
    () => setThere(names.filter((n) => fieldOf(form.current, n) !== undefined).slice(0, 4)),
    [at],
  );
  if (there.length === 0) return null;
  return (
    <p class="ways">
      {there.map((name) => (
        <button key={name} type="button" onClick={() => toField(form.current, [name])}>
          Go to “{labelOf(name)}”
        </button>
      ))}
    </p>
  );
}
