// Each panel, one by one: what a person came there for is there.
import { classes, islands, letters, npy, png } from "../fixtures/data.ts";
import { openTab, saved, type Tab } from "../fixtures/look.ts";
import { answer, answerAll, asked } from "../fixtures/person.ts";
import { expect, test } from "../fixtures/test.ts";

test("each panel has what a person came for, on one line of tabs, and nothing is asked for in vain", async ({
  serve,
  visit,
}) => {
  const truth = classes("digits");
  const studio = await serve();
  const project = await studio.begin("digits");
  const page = await visit(studio, { project, viewport: { width: 1280, height: 800 } });
  const missed: string[] = [];
  page.on("response", (r) => r.status() === 404 && missed.push(r.url()));
  await answerAll(page, (id) => truth.get(id)!, 6);
  await asked(page);
  await saved(page);
  await studio.settled(project);

  const tops = await page
    .getByRole("tab")
    .evaluateAll((all) => all.map((e) => Math.round(e.getBoundingClientRect().top)));
  expect(new Set(tops).size, "tabs are on one line").toBe(1);
  const fits = await page.getByRole("tablist").evaluate((e) => e.scrollWidth <= e.clientWidth + 1);
  expect(fits, "all tabs are in sight").toBe(true);
  await expect(page.getByRole("tab", { name: "People" })).toHaveCount(0);

  const unknown = page.getByRole("button", { name: "Don't know" }).locator("span");
  const lines = await unknown.evaluate(
    (e) => e.getBoundingClientRect().height / parseFloat(getComputedStyle(e).lineHeight),
  );
  expect(Math.round(lines), "Don't know is on one line").toBe(1);
  await expect(page.locator(".question .pair img").first()).toHaveCSS(
    "image-rendering",
    "pixelated",
  );

  const groups = await openTab(page, "Groups");
  await groups
    .getByRole("button", { name: /^the most typical/ })
    .first()
    .click();
  const object = page.getByRole("tabpanel", { name: "Object" });
  await expect(object.getByRole("heading", { level: 3 })).toBeVisible();
  const map = await openTab(page, "Map");
  const [stage, beside] = [
    map.locator(".map-stage"),
    map.getByRole("region", { name: "Selected" }),
  ];
  const [left, right] = [(await stage.boundingBox())!, (await beside.boundingBox())!];
  expect(right.x, "what is chosen is beside the map").toBeGreaterThan(left.x + left.width - 1);
  expect(Math.abs(right.y - left.y)).toBeLessThan(4);

  const search = await openTab(page, "Search");
  await expect(search.getByRole("list", { name: "What is found" })).not.toBeEmpty();
  const doubts = await openTab(page, "Doubts");
  const bar = doubts.getByRole("meter").first();
  await expect(bar).toHaveAttribute("aria-valuetext", /%$/);
  const history = await openTab(page, "History");
  await expect(history.locator(".event")).toHaveCount(6);
  const agree = await openTab(page, "Contradictions");
  await agree.getByRole("button", { name: "See all answers" }).click();
  await expect(history.locator(".event")).toHaveCount(6);

  const exports = await openTab(page, "Export");
  await exports.getByText("Columns of A table for everybody").click();
  const columns = exports.getByRole("region", { name: "Columns: A table for everybody" });
  await expect(columns.getByRole("columnheader")).toHaveText([
    "id",
    "cluster",
    "name",
    "certainty",
  ]);
  await expect(columns.getByRole("row")).toHaveCount(4);
  const settings = await openTab(page, "Settings");
  await expect(settings.getByRole("combobox", { name: "Method" })).toHaveText(/kin/);
  await expect(settings.getByRole("button", { name: "New link" })).toBeVisible();
  expect(missed, "no request is for what is not there").toEqual([]);
});

test("a question about rows has what is compared first, and what is not below it", async ({
  serve,
  visit,
}) => {
  const rows = islands(3, 12)
    .split("\n")
    .map((line, i) => (i === 0 ? `"note",${line}` : line === "" ? "" : `"aside ${i}",${line}`));
  const studio = await serve({ "islands.csv": rows.join("\n") });
  const project = await studio.begin("islands.csv", { id: "id", features: "length,width" });
  const page = await visit(studio, { project });
  await asked(page);
  const fields = page.getByRole("region", { name: "fields of both objects" });
  await expect(fields.getByRole("rowheader")).toHaveCount(3);
  await expect(fields.getByRole("rowheader").last()).toHaveText("note");
  await expect(fields.getByText("not compared")).toBeVisible();
});

test("texts have their words marked, vectors say what to attach, and small pictures are no blur", async ({
  serve,
  visit,
}) => {
  const vectors = npy(
    Array.from({ length: 30 }, (_, i) => [i % 3, (i % 3) * 2 + i / 90, Math.sin(i)]),
  );
  const icons = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [
      `icons/${i}.png`,
      png(16, 16, (x) => (i % 2 ? 250 : x * 12)),
    ]),
  );
  const studio = await serve({ "letters.csv": letters(12), "v.npy": vectors, ...icons });
  const texts = await studio.begin("letters.csv", { text: "letter" });
  const page = await visit(studio, { project: texts });
  await asked(page);
  await expect(page.locator(".question .pair .word.shared").first()).toBeVisible();
  await expect(page.locator(".word-signs")).toHaveText("words of both words of one");
  const numbers = await studio.begin("v.npy");
  await page.goto(`${studio.origin}/#/${numbers}/history`);
  await expect(page.getByText("--embedding v.npy").first()).toBeVisible();
});

test("views that are empty offer the next step", async ({ serve, visit }) => {
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const project = await studio.begin("islands.csv", { id: "id" });
  const page = await visit(studio, { project });
  await asked(page);
  for (const [tab, step] of [
    ["Object", "Open the map"],
    ["History", "Answer the first question"],
    ["Contradictions", "Go on answering"],
  ] as [Tab, string][]) {
    const panel = await openTab(page, tab);
    await expect(panel.getByRole("button", { name: step })).toBeVisible();
  }
  const panel = await openTab(page, "History");
  await panel.getByRole("button", { name: "Answer the first question" }).click();
  await expect(page.getByRole("button", { name: "Different", exact: true })).toBeFocused();
  await answer(page, "different");
  await page.getByRole("searchbox").fill("no such step");
  await page.getByRole("button", { name: "Show all steps" }).click();
  await expect(panel.locator(".event")).toHaveCount(1);
});

test("what scrolls says so, on the side where there is more", async ({ serve, visit }) => {
  const studio = await serve();
  const project = await studio.begin("wine", { "super-instances": "20" });
  const page = await visit(studio, { project, viewport: { width: 1280, height: 700 } });
  await asked(page);
  const table = page.getByRole("region", { name: "fields of both objects" });
  await expect(table).toHaveAttribute("data-more", "down");
  await table.evaluate((e) => e.scrollTo(0, e.scrollHeight));
  await expect(table).toHaveAttribute("data-more", "up");
  const panel = await openTab(page, "Settings");
  await expect(panel).toHaveAttribute("data-more", "down");
  const strip = () =>
    page.locator("section.side").evaluate((e) => getComputedStyle(e, "::after").backgroundImage);
  expect(await strip(), "a panel fades where it has more").toMatch(/^linear-gradient/);
  await panel.evaluate((e) => e.scrollTo(0, e.scrollHeight));
  await expect(panel).toHaveAttribute("data-more", "up");
  expect(await strip()).toBe("none");
});

test("the menu of the demonstration leads to the other samples", async ({
  serve,
  visit,
  guard,
}) => {
  guard.allow(/status of 409/);
  const studio = await serve({}, [], true);
  const page = await visit(studio);
  await asked(page);
  await page.getByRole("button", { name: /all projects/ }).click();
  await page.getByRole("radio", { name: /^iris/ }).check();
  await page.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByRole("button", { name: /^iris: all projects/ })).toBeVisible();
  await asked(page);
});
