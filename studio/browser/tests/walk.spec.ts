// axe finds nothing wrong with projects of each kind, and with what is shown beside a question.
import { wrongsInBoth } from "../fixtures/axe.ts";
import { classes, islands, letters, npy, pictures, waves } from "../fixtures/data.ts";
import { away } from "../fixtures/guard.ts";
import { openTab, tabs } from "../fixtures/look.ts";
import { answer, answerAll, asked } from "../fixtures/person.ts";
import { expect, test } from "../fixtures/test.ts";

const clean = (found: Record<string, string[]>) =>
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((k) => [k, []])));

const kinds = {
  pictures: { data: "shapes", settings: {}, files: pictures(6) },
  texts: {
    data: "letters.csv",
    settings: { id: "name", text: "letter" },
    files: { "letters.csv": letters(8) },
  },
  series: {
    data: "waves.csv",
    settings: { id: "name", series: "values", method: "evclus", clusters: "2" },
    files: { "waves.csv": waves(8) },
  },
  vectors: {
    data: "v.npy",
    settings: {},
    files: {
      "v.npy": npy(
        Array.from({ length: 24 }, (_, i) => [i % 3, (i % 3) * 2 + i / 90, Math.sin(i)]),
      ),
    },
  },
};

for (const [kind, { data, settings, files }] of Object.entries(kinds)) {
  test(`axe finds nothing wrong with ${kind} on a desk and a phone in light or dark colours`, async ({
    serve,
    visit,
  }) => {
    const studio = await serve(files);
    const project = await studio.begin(data, settings);
    const page = await visit(studio, {
      project,
      viewport: { width: 1280, height: 800 },
    });
    await asked(page);
    await answer(page, "different");
    await asked(page);
    await answer(page, "unknown");
    await page.keyboard.press("u"); // a step that no longer counts
    await asked(page);
    await studio.settled(project);
    const found: Record<string, string[]> = {};
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      for (const tab of ["Groups", "Search", "History", "Map", "Settings"] as const) {
        await expect(await openTab(page, tab)).not.toContainText(/^…$/);
        found[`${tab} ${width}`] = await wrongsInBoth(page);
      }
      if (width === 390) await page.getByRole("button", { name: "Question" }).click();
      found[`question ${width}`] = await wrongsInBoth(page);
    }
    clean(found);
  });
}

test("axe finds nothing wrong with what is selected, explained and confirmed in light or dark colours", async ({
  serve,
  visit,
  guard,
}) => {
  guard.allow(away);
  const truth = classes("wine");
  const studio = await serve();
  const project = await studio.begin("wine", { label: "class", "super-instances": "20" });
  const page = await visit(studio, { project });
  await asked(page);
  const found: Record<string, string[]> = {};
  await page.keyboard.press("g");
  await page.getByText("What makes them close").click();
  await expect(page.locator(".explain tbody tr").first()).toBeVisible();
  found["guessed and explained"] = await wrongsInBoth(page);
  await answerAll(page, (id) => truth.get(id)!, 8);
  await asked(page);
  await studio.settled(project);
  const groups = await openTab(page, "Groups");
  await groups
    .getByRole("button", { name: /^Are these/ })
    .first()
    .click();
  await groups.getByRole("checkbox").nth(1).uncheck();
  found["one group?"] = await wrongsInBoth(page);
  await groups
    .getByRole("button", { name: /^name it/ })
    .first()
    .click();
  found["naming"] = await wrongsInBoth(page);
  await page.keyboard.press("Escape");
  await groups.getByRole("button", { name: "All members" }).last().click();
  await groups.getByRole("button", { name: "Doubtful first" }).click();
  found["all members"] = await wrongsInBoth(page);
  await groups
    .getByRole("button", { name: /^details of/ })
    .first()
    .click();
  await expect(page.getByRole("tabpanel", { name: "Object" })).toBeVisible();
  found["object"] = await wrongsInBoth(page);
  const map = await openTab(page, "Map");
  await expect(map.getByRole("region", { name: "Selected" })).toBeVisible();
  found["an object beside the map"] = await wrongsInBoth(page);
  await answerAll(page, (id) => truth.get(id)!);
  await expect(page.getByRole("heading", { name: /settled|No more questions/ })).toBeVisible();
  found["the end"] = await wrongsInBoth(page);
  await studio.stop("SIGKILL");
  await expect(page.locator("[data-saved]")).toContainText("server away");
  found["server away"] = await wrongsInBoth(page);
  clean(found);
});

test("axe finds nothing wrong with several people in light or dark colours, and their tabs are all in sight", async ({
  serve,
  visit,
  browser,
  guard,
}) => {
  guard.allow(/status of 401/);
  const studio = await serve({ "islands.csv": islands(3, 12) }, ["ann", "bob"]);
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "20" });
  const ann = await visit(studio, {
    person: "ann",
    project,
    viewport: { width: 1280, height: 800 },
  });
  await asked(ann);
  await answer(ann, "same");
  await expect.poll(async () => (await studio.state(project)).answers).toBe(1);
  const { a, b } = (await studio.history(project)).events[0]!;
  const pair = { id: "bob", a: a!.row, b: b!.row, answer: "different" };
  await studio.call("POST", `/projects/${project}/answers`, pair, "bob");
  await expect(ann.getByRole("tab", { name: "Contradictions 1" })).toBeVisible();
  const fits = () => ann.getByRole("tablist").evaluate((e) => e.scrollWidth - e.clientWidth);
  expect(await fits(), "all tabs are in sight").toBeLessThanOrEqual(1);
  const found: Record<string, string[]> = {};
  for (const tab of [...tabs, "People"] as const) {
    await expect(await openTab(ann, tab)).not.toContainText(/^…$/);
    found[tab] = await wrongsInBoth(ann);
  }
  await ann.getByRole("button", { name: /^New link/ }).click();
  await expect(ann.getByRole("textbox", { name: /^new link/ })).toBeVisible();
  found["a link"] = await wrongsInBoth(ann);
  const context = await browser.newContext();
  guard.watch(context, studio.origin);
  const stranger = await context.newPage();
  await stranger.goto(studio.origin);
  await expect(stranger.getByText("open a new link")).toBeVisible();
  found["stranger"] = await wrongsInBoth(stranger);
  await context.close();
  clean(found);
});
