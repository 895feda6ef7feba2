// Short tasks by the keyboard alone; the number of keys of each is printed.
import type { Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { classes, readCSV } from "../fixtures/data.ts";
import { answerAll, asked, counter } from "../fixtures/person.ts";
import { expect, test } from "../fixtures/test.ts";

/** Keys presses keys, and counts them. */
class Keys {
  count = 0;
  constructor(private readonly page: Page) {}

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key);
      this.count++;
    }
  }

  /** panel goes to the tabs, and along them to a panel, the shorter way round. */
  async panel(name: string): Promise<void> {
    await this.press("p");
    const names = await this.page.getByRole("tab").allInnerTexts();
    const at = names.findIndex((n) => n.startsWith(name));
    const selected = this.page.getByRole("tab", { selected: true });
    const from = names.indexOf(await selected.innerText());
    const right = (at - from + names.length) % names.length;
    const left = names.length - right;
    const [key, times] = right <= left ? ["ArrowRight", right] : ["ArrowLeft", left];
    for (let i = 0; i < times % names.length; i++) await this.press(key as string);
    await expect(this.page.getByRole("tab", { name })).toHaveAttribute("aria-selected", "true");
  }

  /** to presses Tab until what has the focus is called so. */
  async to(name: RegExp): Promise<void> {
    for (let i = 0; i < 60; i++) {
      await this.press("Tab");
      const now = await this.page.evaluate(
        () =>
          document.activeElement?.getAttribute("aria-label") ??
          document.activeElement?.textContent?.trim() ??
          "",
      );
      if (name.test(now)) return;
    }
    throw new Error(`Tab does not lead to ${name}`);
  }
}

test("short tasks by the keyboard alone: the doubtful, the like, undoing, merging, exporting names", async ({
  serve,
  visit,
}) => {
  const truth = classes("digits");
  const studio = await serve();
  const project = await studio.begin("digits", { "super-instances": "60" });
  const page = await visit(studio, { project, viewport: { width: 1280, height: 800 } });
  await answerAll(page, (id) => truth.get(id)!, 5);
  await asked(page);
  await studio.settled(project);
  const report = (task: string, keys: Keys) => console.log(`${task}: ${keys.count} keys`);

  let keys = new Keys(page);
  await keys.panel("Doubts");
  const doubts = page.getByRole("tabpanel", { name: "Doubts" });
  await expect(
    doubts.getByRole("button", { name: /^Ask me about this one/ }).first(),
  ).toBeVisible();
  report("find the doubtful ones", keys);

  keys = new Keys(page);
  await keys.to(/^details of/);
  await keys.press("Enter");
  await expect(page.getByRole("tabpanel", { name: "Object" })).toContainText("Find similar");
  await keys.to(/^Find similar/);
  await keys.press("Enter");
  const found = page.getByRole("list", { name: "What is found" });
  await expect(page.locator("p.like", { hasText: "Similar to" })).toBeVisible();
  await expect(found.getByRole("listitem").nth(5)).toBeVisible();
  report("find all objects like this one", keys);

  await asked(page);
  await page.keyboard.press("Escape"); // the keys are with the panels until then
  await page.keyboard.press("s");
  await expect(counter(page)).toHaveAttribute("data-answers", "6");
  await asked(page);
  keys = new Keys(page);
  await keys.press("u");
  await expect(counter(page)).toHaveAttribute("data-answers", "5");
  report("undo the last merge", keys);

  const before = (await studio.settled(project)).answers;
  keys = new Keys(page);
  await keys.panel("Groups");
  await keys.press("Tab", "m"); // what has the focus in the panel is of the first group
  const dialog = page.getByRole("dialog", { name: /^Merge / });
  await expect(dialog.getByRole("radio").first()).toBeFocused();
  await keys.press("Space");
  await expect(dialog.locator(".plan")).toContainText("in one step");
  await expect(dialog.getByRole("button", { name: /^Merge/ })).toBeEnabled();
  await keys.press("Enter");
  await expect(dialog).toBeHidden();
  await expect.poll(async () => (await studio.state(project)).answers).toBeGreaterThan(before);
  report("merge two groups", keys);
  keys = new Keys(page);
  await keys.press("u");
  await expect.poll(async () => (await studio.state(project)).answers).toBe(before);
  report("undo that merge", keys);

  await studio.call("POST", `/projects/${project}/names`, { id: "n", row: 0, name: "zeros" });
  keys = new Keys(page);
  await keys.panel("Export");
  await keys.to(/^A table for everybody: CSV/);
  const download = page.waitForEvent("download");
  await keys.press("Enter");
  const rows = readCSV(readFileSync(await (await download).path(), "utf8"));
  expect(rows.find((r) => r["id"] === "1")!["name"]).toBe("zeros");
  report("export names", keys);
});

test("letters that are typed in a panel are no answers, whichever tab a key opened", async ({
  serve,
  visit,
}) => {
  const studio = await serve();
  const project = await studio.begin("iris");
  const page = await visit(studio, { project, viewport: { width: 1280, height: 800 } });
  await asked(page);
  await studio.settled(project);
  const keys = new Keys(page);
  const answers = async () => (await studio.state(project)).answers;
  for (const tab of ["Map", "Groups", "Search", "Doubts", "History", "Export", "Settings"]) {
    await keys.panel(tab);
    await page.keyboard.press("Enter");
    if (tab !== "Search") await page.keyboard.press("Tab");
    await page.keyboard.type("sd b3");
    if (tab === "Search")
      await expect(page.getByRole("searchbox", { name: /^Words/ })).toHaveValue("sd b3");
    await page.keyboard.press("Escape");
    if (tab === "Search") await page.keyboard.press("Escape"); // the words go first
  }
  expect(await answers()).toBe(0);
  expect((await studio.state(project)).skipped).toBe(0);
  await keys.panel("Groups");
  await page.keyboard.press("s");
  await expect(page.getByText(/^Not counted: the keys are with the panels/)).toBeVisible();
  await page.keyboard.press("Escape");
  await asked(page);
  await page.keyboard.press("s");
  await expect.poll(answers).toBe(1);
  // A click in the panels leaves the keys with the question.
  await page.getByRole("tab", { name: "Groups" }).click();
  await asked(page);
  await page.keyboard.press("d");
  await expect.poll(answers).toBe(2);
});
