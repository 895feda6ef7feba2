import { wrongsInBoth } from "../fixtures/axe.ts";
import { islands } from "../fixtures/data.ts";
import { openTab, saved, shot, tabs, type Tab } from "../fixtures/look.ts";
import { answer, asked } from "../fixtures/person.ts";
import { expect, test } from "../fixtures/test.ts";

test("axe finds nothing wrong with any view in light or dark colours", async ({ serve, visit }) => {
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "20" });
  const page = await visit(studio, { project, newcomer: true });
  const found: Record<string, string[]> = {};
  await expect(page.getByRole("dialog", { name: "How this works" })).toBeVisible();
  found["welcome"] = await wrongsInBoth(page);
  await page.keyboard.press("Escape");
  await asked(page);
  for (const tab of ["Object", "Doubts", "History", "Contradictions"] as Tab[]) {
    await expect(await openTab(page, tab)).not.toContainText(/^…$/);
    found[`${tab}, empty`] = await wrongsInBoth(page);
  }
  await page.keyboard.press("/");
  await page.keyboard.type("nothing has these words");
  await expect(page.getByText("Nothing is found")).toBeVisible();
  found["nothing found"] = await wrongsInBoth(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await answer(page, "different");
  await answer(page, "unknown");
  await studio.settled(project);
  for (const tab of tabs) {
    const panel = await openTab(page, tab);
    await expect(panel).not.toContainText(/^…$/);
    if (tab === "Object") {
      await openTab(page, "History");
      await page
        .getByRole("tabpanel")
        .getByRole("list")
        .getByRole("button", { name: /^[abc]\d+$/ })
        .first()
        .click();
      await expect(
        page.getByRole("tabpanel", { name: "Object" }).getByRole("heading", { level: 3 }),
      ).toBeVisible();
    }
    found[tab] = await wrongsInBoth(page);
  }
  const previews = await openTab(page, "Export");
  for (const fold of await previews.locator("summary").all()) await fold.click();
  await expect(previews.getByRole("columnheader", { name: "certainty" })).toBeVisible();
  found["columns of files"] = await wrongsInBoth(page);
  await page.keyboard.press("h");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  found["help"] = await wrongsInBoth(page);
  await page.keyboard.press("Escape");
  await asked(page);
  await page.keyboard.press("Escape"); // from the panels to the question
  await page.keyboard.press("b");
  await expect(page.getByRole("dialog", { name: "Which of the two is bad data?" })).toBeVisible();
  found["bad data"] = await wrongsInBoth(page);
  await page.keyboard.press("Escape");
  await openTab(page, "Map");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await shot(page, colorScheme);
  }
  await page.goto(`${studio.origin}/api/v1/docs`);
  found["documentation of the API"] = await wrongsInBoth(page);
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((k) => [k, []])));
});

test("axe finds nothing wrong with an evidential question, a contradiction and the list of projects in light or dark colours", async ({
  serve,
  visit,
  guard,
}) => {
  guard.allow(/status of 409/);
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const wine = await studio.begin("wine", {
    label: "class",
    method: "evclus",
    clusters: "3",
    scale: "zscore",
  });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "20" });
  const pairs = [
    { a: 0, b: 1, link: "same" },
    { a: 1, b: 2, link: "same" },
    { a: 0, b: 2, link: "same" },
  ];
  for (const [i, pair] of pairs.entries())
    await studio.call("POST", `/projects/${project}/links`, { id: `given-${i}`, pairs: [pair] });
  const page = await visit(studio);
  await expect(page.getByRole("heading", { name: "Which data?" })).toBeVisible();
  const found = { projects: await wrongsInBoth(page) } as Record<string, string[]>;
  await page.goto(`${studio.origin}/#/${wine}/doubts`);
  await asked(page);
  await expect(page.getByRole("button", { name: /^Ask me about this one/ }).first()).toBeVisible();
  found["evidential"] = await wrongsInBoth(page);
  await page.goto(`${studio.origin}/#/${project}/history`);
  const choice = page.getByRole("combobox", { name: "answer about a0 and a2" });
  await choice.selectOption("different");
  const dialog = page.getByRole("dialog", { name: "This contradicts earlier answers" });
  await expect(dialog).toBeVisible();
  found["contradiction"] = await wrongsInBoth(page);
  await dialog.getByRole("button", { name: "Keep mine as doubt" }).click();
  await openTab(page, "Contradictions");
  await expect(page.getByRole("heading", { name: "Kept as doubt" })).toBeVisible();
  found["doubt"] = await wrongsInBoth(page);
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((k) => [k, []])));
});

test("every control is reached by Tab, shows that it has the focus, and none is a trap", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "20" });
  const page = await visit(studio, { project, panel: "groups" });
  await asked(page);
  await answer(page, "different");
  await saved(page);
  await studio.settled(project);
  for (const tab of ["Groups", "History", "Export", "Settings", "Map"] as Tab[]) {
    const panel = await openTab(page, tab);
    await expect(panel).not.toContainText(/^…$/);
    if (tab === "Map") await expect(panel.getByLabel(/^Map of 36 objects/)).toBeVisible();
    // Radios of one name, and tabs, are one stop; arrows go on within.
    const wanted = await page.evaluate(() => {
      const all = [
        ...document.querySelectorAll<HTMLElement>(
          "a[href], button, input, select, textarea, summary, [tabindex='0']",
        ),
      ];
      const names = new Set<string>();
      return all.filter((e) => {
        if (
          e.matches(":disabled, fieldset:disabled *, [tabindex='-1']") ||
          !e.checkVisibility({ visibilityProperty: true })
        )
          return false;
        if (e instanceof HTMLInputElement && e.type === "radio") {
          if (!e.checked || names.has(e.name)) return false;
          names.add(e.name);
        }
        e.dataset["wanted"] = "";
        return true;
      }).length;
    });
    expect(wanted).toBeGreaterThan(10);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const blind: string[] = [];
    const seen = new Set<string>();
    for (let i = 0; i < wanted + 12; i++) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => {
        const e = document.activeElement as HTMLElement | null;
        if (e === null || e === document.body) return null;
        delete e.dataset["wanted"];
        const s = getComputedStyle(e);
        const ring =
          (s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0) || s.boxShadow !== "none";
        return {
          name: `${e.tagName} ${e.getAttribute("aria-label") ?? e.textContent?.trim().slice(0, 40)}`,
          ring,
        };
      });
      if (at === null) continue;
      seen.add(at.name);
      if (!at.ring) blind.push(at.name);
    }
    const left = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("[data-wanted]")].map((e) => {
        delete e.dataset["wanted"];
        return e.outerHTML.slice(0, 120);
      }),
    );
    expect({ tab, left, blind }).toEqual({ tab, left: [], blind: [] });
  }
});

test("dialogs hold the focus and give it back", async ({ serve, visit }) => {
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const project = await studio.begin("islands.csv", { id: "id" });
  const page = await visit(studio, { project, newcomer: true });
  const welcome = page.getByRole("dialog", { name: "How this works" });
  await expect(welcome).toBeVisible();
  await expect(welcome.getByRole("button", { name: "Begin" })).toBeFocused();
  await page.keyboard.press("s"); // keys mean nothing behind a dialog
  await page.keyboard.press("Enter");
  await expect(welcome).toBeHidden();
  expect((await studio.state(project)).answers).toBe(0);

  const help = page.getByRole("button", { name: "help" });
  await help.focus();
  await page.keyboard.press("Enter");
  const keys = page.getByRole("dialog", { name: "Keys" });
  await expect(keys).toBeVisible();
  for (let i = 0; i < 4; i++) {
    await page.keyboard.press("Tab");
    expect(
      await page.evaluate(
        () =>
          document.activeElement === document.body ||
          document.activeElement?.closest("dialog") !== null,
      ),
    ).toBe(true);
  }
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();
  await expect(help).toBeFocused();
  // Seen once, the explanation does not come again.
  await page.reload();
  await asked(page);
  await expect(welcome).toBeHidden();
});

test("tabs are walked with arrows, and what is said of an answer is announced", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const project = await studio.begin("islands.csv", { id: "id" });
  const page = await visit(studio, { project, panel: "groups" });
  await asked(page);
  await page.getByRole("tab", { name: "Groups" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Search" })).toBeFocused();
  await expect(page.getByRole("tab", { name: "Search" })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("End");
  await expect(page.getByRole("tab", { name: "Settings" })).toBeFocused();
  expect((await studio.state(project)).answers, "arrows on tabs are no answers").toBe(0);
  await asked(page);
  await page.keyboard.press("Escape"); // from the tabs to the question
  await page.keyboard.press("d");
  await expect(
    page
      .getByRole("status")
      .filter({ hasText: /groups|group/i })
      .first(),
  ).toBeVisible();
});

test("whoever wants less motion gets none", async ({ serve, visit }) => {
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const project = await studio.begin("islands.csv", { id: "id" });
  const page = await visit(studio, { project, reducedMotion: "reduce" });
  await asked(page);
  await answer(page, "different");
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter((a) => {
        const timing = a.effect?.getComputedTiming();
        return a.playState === "running" && Number(timing?.duration ?? 0) > 20;
      })
      .map((a) => (a as CSSAnimation).animationName ?? (a as CSSTransition).transitionProperty),
  );
  expect(moving).toEqual([]);
});

test("the colours follow the system until a person chooses", async ({ serve, visit }) => {
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const project = await studio.begin("islands.csv", { id: "id" });
  const page = await visit(studio, { project, colorScheme: "dark" });
  await asked(page);
  const paper = () =>
    page.evaluate(
      () =>
        getComputedStyle(document.body)
          .backgroundColor.match(/[\d.]+/g)!
          .slice(0, 3)
          .reduce((s, v) => s + Number(v), 0) / 3,
    );
  await expect.poll(paper).toBeLessThan(80);
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(paper).toBeGreaterThan(200);
  await page.getByRole("button", { name: "dark colours" }).click();
  await expect.poll(paper).toBeLessThan(80);
  await page.reload();
  await asked(page);
  await expect.poll(paper).toBeLessThan(80);
});

test("a panel that is opened leaves the question where it is", async ({ serve, visit }) => {
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const project = await studio.begin("islands.csv", { id: "id" });
  const page = await visit(studio, { project });
  await asked(page);
  const pane = page.getByRole("region", { name: "Do these two belong together?" });
  await saved(page);
  const box = async () => JSON.stringify(await pane.boundingBox());
  let before = "";
  await expect(async () => {
    // until all that belongs to the question is there
    before = await box();
    await page.waitForTimeout(500);
    expect(await box()).toBe(before);
  }).toPass();
  for (const tab of tabs) {
    await openTab(page, tab);
    await expect.poll(box, tab).toBe(before);
  }
});
