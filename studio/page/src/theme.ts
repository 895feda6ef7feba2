// Light or dark: as the system has it, or as the person chose.

import { computed, signal } from "@preact/signals";
import { recall, remember } from "./kept";

export type Choice = "auto" | "light" | "dark";

const key = "kindred/theme";

export class Theme {
  readonly choice = signal<Choice>("auto");
  private readonly system = signal(false);
  readonly dark = computed(() =>
    this.choice.value === "auto" ? this.system.value : this.choice.value === "dark",
  );

  /** Follows the system from now on, and marks the page. */
  watch(): void {
    const query = matchMedia("(prefers-color-scheme: dark)");
    this.system.value = query.matches;
    query.addEventListener("change", () => (this.system.value = query.matches));
    const kept = recall(key);
    if (kept === "light" || kept === "dark") this.choice.value = kept;
    this.dark.subscribe(
      (dark) => (document.documentElement.dataset["theme"] = dark ? "dark" : "light"),
    );
  }

  set(choice: Choice): void {
    this.choice.value = choice;
    remember(key, choice);
  }
}
