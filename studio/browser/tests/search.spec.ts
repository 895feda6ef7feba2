import { wrongs } from "../fixtures/axe.ts";
import { csv, islands, letters } from "../fixtures/data.ts";
import { openTab, shot } from "../fixtures/look.ts";
import { answer, asked } from "../fixtures/person.ts";
import { expect, test } from "../fixtures/test.ts";

const settings = { id: "name", text: "letter", "super-instances": "6" };

test("the search is opened by a key, and finds by words, phrases and without words", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "letters.csv": letters(12) });
  const project = await studio.begin("letters.csv", settings);
  const page = await visit(studio, { project });
  await asked(page);
  await page.keyboard.press("/");
  const panel = page.getByRole("tabpanel", { name: "Search" });
  const field = panel.getByRole("searchbox", { name: "Words of texts and fields" });
  await expect(field).toBeFocused();
  const found = panel.getByRole("list", { name: "What is found" }).getByRole("listitem");
  await expect(panel.getByRole("status").first()).toHaveText("24 objects altogether");
  await page.keyboard.type("rose"); // no letter of it is an answer
  await expect(panel.getByRole("status").first()).toHaveText(/^9 objects, the best first/);
  await expect(found.first()).toContainText("garden");
  await expect(found.first().locator("mark").first()).toHaveText("roses");
  await field.fill('"apple tree" -roses');
  await expect(panel.getByRole("status").first()).toHaveText(/^3 objects/);
  // What is no word to look for is said, and what is an operator elsewhere is text.
  await field.fill("-roses");
  await expect(panel.getByRole("status").first()).toHaveText(
    "The search only excludes words: add one that is to be there.",
  );
  await field.fill('NEAR(" OR');
  await expect(panel.getByRole("status").first()).toHaveText(/^Nothing is found/);
  await shot(page, "search-nothing");
  // Escape empties the field, and then goes back to the question.
  await page.keyboard.press("Escape");
  await expect(field).toHaveValue("");
  await page.keyboard.press("Escape");
  await expect(field).not.toBeFocused();
  await answer(page, "same");
  await expect.poll(async () => (await studio.state(project)).answers).toBe(1);
});

test("a search that only excludes lists nothing and moves nothing, at once, until its words are right", async ({
  serve,
  visit,
}) => {
  const rows = Array.from({ length: 24 }, (_, i) => [
    `r${i}`,
    i % 2 === 0 ? 5 : -5,
    10 * (i % 2) + i / 24,
    i,
    (i * 7) % 24,
  ]);
  const studio = await serve({ "points.csv": csv(["name", "a", "b", "c", "d"], rows) });
  const project = await studio.begin("points.csv", { id: "name", features: "a,b,c,d" });
  await studio.settled(project);
  const page = await visit(studio, { project, viewport: { width: 1280, height: 900 } });
  const panel = await openTab(page, "Search");
  const field = panel.getByRole("searchbox");
  const status = panel.getByRole("status").first();
  const found = panel.getByRole("list", { name: "What is found" }).getByRole("listitem");
  const move = panel.getByRole("button", { name: /^Move/ });
  await field.fill("r1");
  await expect(status).toHaveText(/^1 object,/);
  await expect(move).toBeVisible();
  // A small table is shown whole.
  await expect(found.first().locator("dl.fields dt")).toHaveText(["a", "b", "c", "d"]);
  await shot(page, "search-table-1280-light");
  // What is written is said to be wrong in the frame after it, without asking anybody.
  const said = await field.evaluate(async (input: HTMLInputElement) => {
    input.value = "-5";
    input.dispatchEvent(new InputEvent("input", { bubbles: true }));
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    const panel = input.closest(".search")!;
    return [panel.querySelector("[role=status]")!.textContent, panel.querySelectorAll("li").length];
  });
  expect(said).toEqual([
    'The search only excludes words: add one that is to be there. A number below zero goes in quotes: "-5", which also finds 5.',
    0,
  ]);
  await expect(move).toBeHidden();
  await shot(page, "search-excludes-1280-light");
  // What is looked for goes on from there when the panel is opened again.
  await openTab(page, "History");
  await openTab(page, "Search");
  await expect(status).toHaveText(/^The search only excludes words/);
  await expect(found).toHaveCount(0);
  await field.fill('"-5"');
  await expect(status).toHaveText(/^\d+ objects, the best first/);
  await expect(move).toBeVisible();
});

test("a list begins with what is in sight, and the map is made once its panel is drawn", async ({
  serve,
  visit,
}) => {
  const rows = Array.from({ length: 80 }, (_, i) => [`r${i}`, 10 * (i % 2) + i / 80, i % 7]);
  const studio = await serve({ "points.csv": csv(["name", "a", "b"], rows) });
  const project = await studio.begin("points.csv", { id: "name" });
  await studio.settled(project);
  const page = await visit(studio, { project, viewport: { width: 1280, height: 900 } });
  await asked(page);
  // Numbers of tiles, and of canvases, as they come to be on the page.
  await page.evaluate(() => {
    const seen: number[] = ((window as unknown as { seen: number[] }).seen = []);
    new MutationObserver(() => {
      const n = document.querySelectorAll("#panel li.tile, #panel canvas").length;
      if (seen.at(-1) !== n) seen.push(n);
    }).observe(document, { childList: true, subtree: true });
  });
  const seen = () =>
    page.evaluate(() => (window as unknown as { seen: number[] }).seen.splice(0, 100));
  const panel = await openTab(page, "Search");
  await expect(panel.getByRole("listitem")).toHaveCount(60);
  expect((await seen()).filter((n) => n > 0)).toEqual([12, 60]);
  await panel.getByRole("button", { name: "Show more" }).click();
  await expect(panel.getByRole("listitem")).toHaveCount(80);
  await openTab(page, "History");
  await seen();
  // As soon as the map has its place on the page there is nothing in it.
  const first = await page.evaluate(async () => {
    const map = [...document.querySelectorAll<HTMLElement>("[role=tab]")].find((t) =>
      t.textContent!.startsWith("Map"),
    )!;
    map.click();
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    while (document.querySelector("#panel .map-stage") === null) await frame();
    return document.querySelectorAll("#panel canvas").length;
  });
  expect(first).toBe(0);
  await expect(page.locator("#panel canvas")).toHaveCount(2);
});

test("what is not found by the name of a group leads to the group", async ({ serve, visit }) => {
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "6" });
  await studio.settled(project);
  const page = await visit(studio, { project, viewport: { width: 1280, height: 900 } });
  const groups = await openTab(page, "Groups");
  await groups
    .getByRole("button", { name: /^name it/ })
    .first()
    .click();
  await page.keyboard.type("versicolor");
  await page.keyboard.press("Enter");
  await expect(groups.getByRole("heading", { name: /^versicolor/ })).toBeVisible();
  const panel = await openTab(page, "Search");
  await panel.getByRole("searchbox").fill("versicolor");
  const status = panel.getByRole("status").first();
  await expect(status).toContainText("Nothing is found by these words, but a group is called so");
  await shot(page, "search-group-called-1280-light");
  await status.getByRole("button", { name: "choose the group 1: versicolor" }).click();
  await expect(panel.getByRole("combobox", { name: "Group", exact: true })).toHaveValue("1");
  await expect(status).toHaveText(/^\d+ objects$/);
  await expect(panel.getByRole("searchbox")).toHaveValue("");
});

test("a tile shows the field or the id that it was found by, marked", async ({ serve, visit }) => {
  const boats = csv(
    ["name", "letter", "harbour", "captain"],
    ["Alma", "Berta", "Cora", "Dora", "Elsa", "Frida"].map((name, i) => [
      `${name} ${i}`,
      `the ${i % 2 ? "red" : "blue"} boat number ${i} came back from the island with full nets`,
      i % 3 === 0 ? "old Husum" : "Kiel",
      "Jansen",
    ]),
  );
  const studio = await serve({ "boats.csv": boats });
  const project = await studio.begin("boats.csv", settings);
  const page = await visit(studio, { project });
  const panel = await openTab(page, "Search");
  const field = panel.getByRole("searchbox", { name: "Words of texts and fields" });
  const found = panel.getByRole("list", { name: "What is found" }).getByRole("listitem");
  await field.fill("husum");
  await expect(panel.getByRole("status").first()).toHaveText(/^2 objects, the best first/);
  for (const tile of [found.nth(0), found.nth(1)]) {
    await expect(tile.locator("mark")).toHaveText("Husum");
    await expect(tile.locator("dl.fields")).toContainText("harbour");
    await expect(tile.locator("dl.fields")).not.toContainText("captain");
  }
  await field.fill("Cora");
  await expect(panel.getByRole("status").first()).toHaveText(/^1 object, the best first/);
  await expect(found.first().locator(".tile-id mark")).toHaveText("Cora");
  await field.fill("captain");
  await expect(panel.getByRole("status").first()).toHaveText(/^6 objects, the best first/);
  await expect(found.first().locator("dl.fields dt mark")).toHaveText("captain");
  await shot(page, "search-fields");
});

test("objects are found by what they mean, and by what they are like", async ({ serve, visit }) => {
  const studio = await serve({ "letters.csv": letters(12) });
  const project = await studio.begin("letters.csv", settings);
  const page = await visit(studio, { project });
  const panel = await openTab(page, "Search");
  await panel.getByRole("searchbox").fill("storm sail");
  await panel.getByRole("button", { name: "Meaning" }).click();
  const found = panel.getByRole("list", { name: "What is found" }).getByRole("listitem");
  await expect(panel.getByRole("status").first()).toHaveText(/^24 objects, the most alike first/);
  for (let i = 0; i < 6; i++) await expect(found.nth(i)).toContainText("sea");
  await shot(page, "search-meaning");
  await found
    .first()
    .getByRole("button", { name: /^similar to sea/ })
    .click();
  await expect(panel.locator(".like")).toBeVisible();
  await expect(panel.getByRole("status").first()).toHaveText(/^23 objects, the most alike first/);
  await expect(found.first()).toContainText("sea");
  // So it is from an object itself.
  await found
    .nth(1)
    .getByRole("button", { name: /^details of/ })
    .click();
  const object = page.getByRole("tabpanel", { name: "Object" });
  await object.getByRole("button", { name: "Find similar" }).click();
  await expect(panel.locator(".like")).toBeVisible();
  await panel.getByRole("button", { name: "Clear" }).click();
  await expect(panel.getByRole("status").first()).toHaveText("24 objects altogether");
});

test("where nothing comes close to what is meant, that is said", async ({ serve, visit }) => {
  const studio = await serve({ "letters.csv": letters(12) });
  const project = await studio.begin("letters.csv", { ...settings, encoder: "builtin" });
  const page = await visit(studio, { project });
  const panel = await openTab(page, "Search");
  const status = panel.getByRole("status").first();
  await panel.getByRole("searchbox").fill("zzzz");
  await panel.getByRole("button", { name: "Meaning" }).click();
  await expect(status).toHaveText(/^Nothing comes close: no object has these words/);
  await expect(status).not.toContainText("24 objects");
  await expect(panel.getByRole("button", { name: /^Move/ })).toBeHidden();
  await shot(page, "search-far");
  await panel.getByRole("searchbox").fill("storm sail");
  await expect(status).toHaveText(/^24 objects, the most alike first(\. [A-Z].*\.)?$/);
  await expect(panel.getByRole("button", { name: /^Move/ })).toBeVisible();
});

test("what is found is narrowed by group, doubt, answer and person", async ({ serve, visit }) => {
  const studio = await serve({ "letters.csv": letters(12) }, ["ann", "bob"]);
  const project = await studio.begin("letters.csv", settings);
  const page = await visit(studio, { project, person: "ann" });
  await asked(page);
  await answer(page, "different");
  await studio.settled(project);
  const panel = await openTab(page, "Search");
  const status = panel.getByRole("status").first();
  const answers = panel.getByRole("combobox", { name: "Answers" });
  await answers.selectOption("Answered different");
  await expect(status).toHaveText(/^2 objects/);
  await panel.getByRole("combobox", { name: "Answered by" }).selectOption("ann");
  await expect(status).toHaveText(/^2 objects/);
  await answers.selectOption("Answered same");
  await expect(status).toHaveText(/^Nothing is found/);
  await panel.getByRole("button", { name: "Clear" }).click();
  const { clusters } = await studio.call<{
    clusters: { cluster: number; size: number; suggested: string }[];
  }>("GET", `/projects/${project}/groups`);
  // Groups of texts are called by their keywords.
  expect(clusters[0]!.suggested).not.toBe("");
  await panel
    .getByRole("combobox", { name: "Group", exact: true })
    .selectOption(`1: ${clusters[0]!.suggested}`);
  await expect(status).toHaveText(new RegExp(`^${clusters[0]!.size} objects`));
  await panel.getByRole("checkbox", { name: "Doubtful alone" }).check();
  await expect(status).toHaveText(/the least certain first|^Nothing/);
  const groups = await openTab(page, "Groups");
  await expect(
    groups.getByRole("heading", { name: new RegExp(`^${clusters[0]!.suggested}`) }),
  ).toBeVisible();
  await shot(page, "search-groups");
  // A name that a person gives counts over it.
  await groups
    .getByRole("button", { name: /^name it/ })
    .first()
    .click();
  await expect(groups.getByRole("textbox")).toHaveValue(clusters[0]!.suggested);
  await page.keyboard.type("my own"); // in the place of what was suggested
  await expect(groups.getByRole("textbox")).toHaveValue("my own");
  await page.keyboard.press("Enter");
  await expect(groups.getByRole("heading", { name: /^my own/ })).toBeVisible();
});

test("what is typed after a click on the search's tab are words, and no answers", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "letters.csv": letters(12) });
  const project = await studio.begin("letters.csv", settings);
  const page = await visit(studio, { project });
  await asked(page);
  const panel = await openTab(page, "Search");
  await expect(panel.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("sd");
  await expect(panel.getByRole("searchbox")).toHaveValue("sd");
  expect((await studio.state(project)).answers).toBe(0);
});

/** long are texts that take a page each. */
function long(): string {
  const rows: string[][] = [];
  for (let i = 0; i < 12; i++) {
    const word = i % 2 === 0 ? "garden roses in summer" : "harbour boats at sea";
    rows.push([`${i}`, `${`${word} and more of it, number ${i}. `.repeat(40)}The very end.`]);
  }
  return csv(["name", "letter"], rows);
}

for (const [where, options] of [
  ["a desk", { viewport: { width: 1280, height: 860 } }],
  ["a phone", { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }],
] as const) {
  test(`long texts fold on ${where}, in the question and in lists, and nothing of it is wrong to axe`, async ({
    serve,
    visit,
  }) => {
    const studio = await serve({ "long.csv": long() });
    const project = await studio.begin("long.csv", { ...settings, "super-instances": "4" });
    const page = await visit(studio, { project, ...options });
    await asked(page);
    const wide = () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
    const question = page.locator("section.question");
    await expect(question.getByText("The very end.")).toHaveCount(0);
    const more = question.getByRole("button", { name: /^more of the text of/ }).first();
    await more.click();
    await expect(question.getByText("The very end.")).toHaveCount(1);
    await expect(question.getByRole("button", { name: /^less of the text/ })).toBeVisible();
    await shot(page, `fold-question-${where.replace(" ", "-")}`);
    expect(await wrongs(page)).toEqual([]);
    // A click on it does not take the keys of the question away.
    await answer(page, "same");
    await expect(question.getByText("The very end.")).toHaveCount(0);
    const panel = await openTab(page, "Search");
    const first = panel.getByRole("list", { name: "What is found" }).getByRole("listitem").first();
    await expect(first).not.toContainText("The very end.");
    await first.getByRole("button", { name: /^more of the text/ }).click();
    await expect(first).toContainText("The very end.");
    await first.getByRole("button", { name: /^less of the text/ }).click();
    await expect(first).not.toContainText("The very end.");
    expect(await wide()).toBeLessThanOrEqual(0);
    await shot(page, `search-${where.replace(" ", "-")}`);
    expect(await wrongs(page)).toEqual([]);
    const groups = await openTab(page, "Groups");
    await expect(groups.getByRole("button", { name: /^more of the text/ }).first()).toBeVisible();
    expect(await wide()).toBeLessThanOrEqual(0);
    await shot(page, `fold-groups-${where.replace(" ", "-")}`);
    expect(await wrongs(page)).toEqual([]);
  });
}
