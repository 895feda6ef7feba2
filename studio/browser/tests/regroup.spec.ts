import { AxeBuilder } from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";
import { islands, letters } from "../fixtures/data.ts";
import { openTab, shot } from "../fixtures/look.ts";
import type { Studio } from "../fixtures/studio.ts";
import { expect, test } from "../fixtures/test.ts";

/** plan waits until a dialog shows what is to become of the groups, and sees that axe is content. */
async function plan(page: Page, title: RegExp, words: RegExp): Promise<Locator> {
  const dialog = page.getByRole("dialog", { name: title });
  await expect(dialog.locator(".plan")).toContainText(words);
  await dialog.locator("summary").click();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map((v) => `${v.id}: ${v.nodes[0]?.target.join(" ")}`)).toEqual([]);
  return dialog;
}

/** openMerge opens the dialog that merges the first of the groups. */
async function openMerge(page: Page): Promise<void> {
  const panel = await openTab(page, "Groups");
  await panel
    .getByRole("button", { name: /^Merge / })
    .first()
    .click();
}

/** undoneInOne takes the last step back, after which there are no answers. */
async function undoneInOne(page: Page, studio: Studio, project: string): Promise<void> {
  expect((await studio.state(project)).answers).toBeGreaterThan(0);
  await page.keyboard.press("u");
  await expect.poll(async () => (await studio.state(project)).answers).toBe(0);
}

test("two groups are merged, as is shown before, and one undo parts them", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(3, 20) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "6" });
  const page = await visit(studio, { project, viewport: { width: 1280, height: 900 } });
  const before = await studio.settled(project);
  await openMerge(page);
  const merge = page.getByRole("dialog", { name: "Merge group 1" });
  await expect(merge.getByRole("button", { name: "Merge", exact: true })).toBeDisabled();
  await merge.getByRole("radio", { name: /^group 3\b/ }).check();
  const dialog = await plan(
    page,
    /^Merge group 1$/,
    /Merge group 3 \(\d+ objects\) into group 1 .*That states \d+ “same” in one step/,
  );
  await shot(page, "merge-1280-light");
  expect((await studio.state(project)).answers).toBe(0); // nothing is done yet
  await dialog.getByRole("button", { name: "Merge", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(async () => (await studio.settled(project)).clusters).toBe(before.clusters - 1);
  await expect(page.locator("[data-answers]")).toHaveText(/^1 answer \(\d+ links\)$/);
  const history = await openTab(page, "History");
  await expect(history.getByRole("button", { name: /^\d+ links in one step: / })).toBeVisible();
  await expect(page.getByRole("tab", { name: /^History\b/ })).toContainText("1");
  await undoneInOne(page, studio, project);
  await expect.poll(async () => (await studio.settled(project)).clusters).toBe(before.clusters);
});

test("a group is split between two objects, and questions follow", async ({ serve, visit }) => {
  const studio = await serve();
  const project = await studio.begin("iris", { method: "kin" });
  const page = await visit(studio, {
    project,
    viewport: { width: 390, height: 844 },
    colorScheme: "dark",
  });
  await studio.settled(project);
  const panel = await openTab(page, "Groups");
  await panel
    .getByRole("button", { name: /^Split / })
    .first()
    .click();
  const boxes = page.getByRole("dialog", { name: /^Split group 1/ }).getByRole("checkbox");
  await boxes.first().check();
  await boxes.nth(3).check();
  await boxes.last().check();
  await expect(boxes.first()).not.toBeChecked(); // the last two count
  const dialog = await plan(page, /^Split/, /Part \d+ and \d+ of group 1/);
  await shot(page, "split-390-dark");
  await dialog.getByRole("button", { name: "Split", exact: true }).click();
  await expect.poll(async () => (await studio.state(project)).answers).toBe(1);
  const [event] = (await studio.history(project)).events;
  expect(event?.step).toBe("different");
  await expect(page.locator("section.question")).toBeVisible(); // on a phone, too
  const rows = [event!.a!.row, event!.b!.row].join(",");
  await studio.settled(project);
  const { members } = await studio.call<{ members: { cluster: number }[] }>(
    "GET",
    `/projects/${project}/objects?rows=${rows}`,
  );
  expect(members[0]!.cluster).not.toBe(members[1]!.cluster);
  await expect(
    page.getByText(
      /The two are in different groups now: group \d+ of \d+ objects? and group \d+ of \d+ objects?\. There are \d+ groups\./,
    ),
  ).toBeVisible();
  await undoneInOne(page, studio, project);
});

test("what a search finds is moved to a group, in one step", async ({ serve, visit }) => {
  const studio = await serve({ "islands.csv": islands(3, 20) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "6" });
  const page = await visit(studio, {
    project,
    viewport: { width: 1280, height: 900 },
    colorScheme: "dark",
  });
  await studio.settled(project);
  const panel = await openTab(page, "Search");
  await expect(panel.getByRole("button", { name: /^Move all/ })).toBeHidden(); // of all objects
  await panel.getByRole("combobox", { name: "Group", exact: true }).selectOption("3");
  await panel.getByRole("button", { name: /^Move all \d+ to a group/ }).click();
  await page
    .getByRole("dialog", { name: /^Move \d+ objects$/ })
    .getByRole("radio", { name: /^group 1\b/ })
    .check();
  const dialog = await plan(page, /^Move/, /Move \d+ objects to group 1 .*: \d+ of group 3\./);
  await shot(page, "move-1280-dark");
  await dialog.getByRole("button", { name: "Move", exact: true }).click();
  await expect.poll(async () => (await studio.state(project)).stated).toBeGreaterThan(2);
  await undoneInOne(page, studio, project);
});

test("of what is like an object, that which is shown or chosen is moved, and not all there is", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(3, 30) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "9" });
  const page = await visit(studio, { project, viewport: { width: 1280, height: 900 } });
  await studio.settled(project);
  const panel = await openTab(page, "Search");
  await panel
    .getByRole("button", { name: /^similar to a0/ })
    .first()
    .click();
  await expect(panel.getByRole("status").first()).toHaveText(/^89 objects, the most alike first/);
  await expect(
    panel.getByRole("button", { name: "Move the first 60, which are shown, to a group …" }),
  ).toBeVisible();
  await expect(panel.getByRole("button", { name: /^Move all/ })).toBeHidden();
  const boxes = panel.getByRole("checkbox", { name: /^choose / });
  await boxes.nth(0).check();
  await boxes.nth(2).check();
  await shot(page, "chosen-1280-light");
  await panel.getByRole("button", { name: "Move the 2 chosen to a group …" }).click();
  await expect(page.getByRole("dialog", { name: "Move 2 objects" })).toBeVisible();
  await page.keyboard.press("Escape");
  await panel.getByRole("button", { name: "choose none" }).click();
  await panel.getByRole("button", { name: "Show more" }).click();
  await expect(panel.getByRole("button", { name: "Move all 89 to a group …" })).toBeVisible();
});

test("a tile is dragged to a group, and what a lasso caught is moved", async ({ serve, visit }) => {
  const studio = await serve({ "islands.csv": islands(3, 30) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "9" });
  const page = await visit(studio, { project, viewport: { width: 1280, height: 1600 } });
  await studio.settled(project);
  let panel = await openTab(page, "Groups");
  const from = panel.getByRole("article").nth(1).locator("[draggable]").last();
  await from.dragTo(panel.getByRole("article").first().locator("header"));
  let dialog = await plan(page, /^Move 1 object$/, /Move 1 object to group 1 .*: 1 of group 2\./);
  await dialog.getByRole("button", { name: "Move", exact: true }).click();
  await expect.poll(async () => (await studio.state(project)).answers).toBeGreaterThan(0);
  await undoneInOne(page, studio, project);

  panel = await openTab(page, "Map");
  const box = (await panel.getByRole("application").boundingBox())!;
  await expect(panel.getByRole("application", { name: /^Map of 90/ })).toBeVisible();
  await panel.getByRole("button", { name: "Lasso" }).click();
  const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const;
  await page.mouse.move(...at(0.02, 0.02));
  await page.mouse.down();
  for (const [x, y] of [
    [0.98, 0.02],
    [0.98, 0.98],
    [0.02, 0.98],
    [0.02, 0.02],
  ] as const)
    await page.mouse.move(...at(x, y), { steps: 4 });
  await page.mouse.up();
  await panel.getByRole("button", { name: /^Move all 90 to a group/ }).click();
  await page
    .getByRole("dialog", { name: "Move 90 objects" })
    .getByRole("radio", { name: /^group 2\b/ })
    .check();
  dialog = await plan(page, /^Move 90 objects$/, /objects are of that group already/);
  await dialog.getByRole("button", { name: "Move", exact: true }).click();
  await expect.poll(async () => (await studio.state(project)).stated).toBeGreaterThan(60);
  await undoneInOne(page, studio, project);
});

test("what earlier answers contradict is shown before, and kept on wish", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(3, 20) });
  const project = await studio.begin("islands.csv", {
    id: "id",
    method: "evclus",
    clusters: "3",
  });
  const { clusters } = await studio.call<{ clusters: { medoid: { row: number } }[] }>(
    "GET",
    `/projects/${project}/groups`,
  );
  const [one, two] = clusters.map((c) => c.medoid.row);
  const { members } = await studio.call<{ members: { card: { row: number } }[] }>(
    "GET",
    `/projects/${project}/groups/2/members`,
  );
  const other = members.map((m) => m.card.row).find((row) => row !== two)!;
  await studio.call("POST", `/projects/${project}/links`, {
    id: "given",
    pairs: [
      { a: one, b: two, link: "different" },
      { a: two, b: other, link: "same" },
    ],
  });
  await studio.settled(project);
  const page = await visit(studio, { project, viewport: { width: 390, height: 844 } });
  await openTab(page, "Groups");
  const panel = await openTab(page, "Search");
  await panel.getByRole("combobox", { name: "Answers" }).selectOption("same");
  await panel.getByRole("combobox", { name: "Group", exact: true }).selectOption("2");
  await panel.getByRole("button", { name: /^Move all 2 to a group/ }).click();
  await page
    .getByRole("dialog", { name: /^Move 2 objects$/ })
    .getByRole("radio", { name: /^group 1\b/ })
    .check();
  const dialog = await plan(page, /^Move 2 objects$/, /contradicts? earlier answers/);
  await shot(page, "contradicts-390-light");
  await dialog.getByRole("button", { name: /^Move all the same, keep/ }).click();
  await expect.poll(async () => (await studio.state(project)).contradictions).toBeGreaterThan(0);
});

/** medoids returns the row that stands for each group. */
async function medoids(studio: Studio, project: string): Promise<number[]> {
  const { clusters } = await studio.call<{ clusters: { medoid: { row: number } }[] }>(
    "GET",
    `/projects/${project}/groups`,
  );
  return clusters.map((c) => c.medoid.row);
}

test("a method with a fixed number of groups finds one fewer after a merge, until undo", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(3, 20) });
  const project = await studio.begin("islands.csv", {
    id: "id",
    method: "evclus",
    clusters: "3",
  });
  const page = await visit(studio, { project, viewport: { width: 1280, height: 900 } });
  await openMerge(page);
  await page.getByRole("radio", { name: /^group 2\b/ }).check();
  const dialog = await plan(page, /^Merge/, /evclus finds 3 groups whatever links say/);
  await expect(dialog.getByRole("checkbox", { name: /^Find 2 groups from now on/ })).toBeChecked();
  await shot(page, "merge-fixed");
  await dialog.getByRole("button", { name: "Merge", exact: true }).click();
  const groups = async () => (await studio.settled(project)).clusters;
  await expect.poll(groups).toBe(2);
  await expect(page.getByText(/^They are one group now, of \d+ objects/)).toBeVisible();
  await undoneInOne(page, studio, project);
  await expect.poll(groups).toBe(3);
});

test("a dialog follows the group that it was opened for while groups are found anew", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(3, 20) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "6" });
  const page = await visit(studio, { project, viewport: { width: 1280, height: 900 } });
  const last = (await studio.settled(project)).clusters;
  const heads = await medoids(studio, project);
  let panel = await openTab(page, "Search");
  await panel.getByRole("combobox", { name: "Group", exact: true }).selectOption(`${last}`);
  const move = panel.getByRole("button", { name: /^Move (it|all \d+) to a group/ });
  await expect(move).not.toHaveText(/all 60/); // which are all, until the filter counts
  const before = await move.innerText();
  panel = await openTab(page, "Groups");
  await panel
    .getByRole("button", { name: /^Split / })
    .last()
    .click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toHaveAccessibleName(`Split group ${last}`);
  const boxes = dialog.getByRole("checkbox");
  await boxes.first().check();
  await boxes.last().check();
  await expect(dialog.locator(".plan")).toContainText(`of group ${last} (`);
  // somebody else merges the two largest, so that all numbers after them change
  const links = await studio.call<{ pairs: unknown[] }>("POST", `/projects/${project}/plan`, {
    do: "merge",
    rows: heads.slice(0, 2),
  });
  await studio.call("POST", `/projects/${project}/links`, { id: "m", pairs: links.pairs });
  await expect(dialog).toHaveAccessibleName(`Split group ${last - 1}`);
  await expect(dialog.locator(".plan")).toContainText(`of group ${last - 1} (`);
  await expect(dialog).toContainText(`the group that you chose is group ${last - 1} now`);
  await page.keyboard.press("Escape");
  panel = await openTab(page, "Search");
  await expect(move).toHaveText(before);
  await expect(panel).toContainText(`what was group ${last} is group ${last - 1} now`);
  await expect(panel.getByRole("combobox", { name: "Group", exact: true })).toHaveValue(
    `${last - 1}`,
  );
});

test("a dialog and a filter of a group that can no longer be told say so, and go", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(3, 20) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "6" });
  const page = await visit(studio, { project, viewport: { width: 1280, height: 900 } });
  await studio.settled(project);
  const [first] = await medoids(studio, project);
  let panel = await openTab(page, "Search");
  const group = panel.getByRole("combobox", { name: "Group", exact: true });
  await group.selectOption("1");
  await openMerge(page);
  await expect(page.getByRole("dialog", { name: "Merge group 1" })).toBeVisible();
  await studio.call("POST", `/projects/${project}/bad`, { id: "b", row: first });
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByText(/this one is gone: its object is in no group now/)).toBeVisible();
  expect((await studio.state(project)).answers).toBe(0);
  await openTab(page, "Search");
  await expect(page.getByText(/group 1 is gone: objects of all groups are shown/)).toBeVisible();
  await expect(group).toHaveValue("");
});

test("an own answer that a merge stands against is taken back with it, if that is wanted", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(3, 20) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "6" });
  const before = (await studio.settled(project)).clusters;
  const [a, b] = await medoids(studio, project);
  await studio.call("POST", `/projects/${project}/answers`, {
    id: "no",
    a,
    b,
    answer: "different",
  });
  await studio.settled(project);
  const page = await visit(studio, { project, viewport: { width: 1280, height: 900 } });
  await openMerge(page);
  await page.getByRole("radio", { name: /^group 2\b/ }).check();
  const dialog = await plan(page, /^Merge group 1$/, /You answered otherwise about/);
  const merge = dialog.getByRole("button", { name: "Merge", exact: true });
  await expect(merge).toBeDisabled();
  await dialog.getByRole("checkbox", { name: /^Take back that answer in the same step/ }).check();
  await shot(page, "merge-against");
  await expect(merge).toBeEnabled();
  await merge.click();
  await expect(page.getByText(/^They are one group now, of \d+ objects/)).toBeVisible();
  const groups = async () => (await studio.settled(project)).clusters;
  expect(await groups()).toBe(before - 1);
  await page.keyboard.press("u");
  await expect.poll(async () => (await studio.state(project)).answers).toBe(1);
  await expect.poll(groups).toBe(before);
});

test("groups cannot be changed by hand where the method takes no links", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(3, 20) });
  const project = await studio.begin("islands.csv", { id: "id", method: "ssnb", clusters: "3" });
  const page = await visit(studio, { project });
  const panel = await openTab(page, "Groups");
  await expect(panel.getByRole("button", { name: "All members" }).first()).toBeVisible();
  await expect(panel.getByRole("button", { name: /^(Merge|Split) / })).toHaveCount(0);
});

test("one of many groups is found by its words, and ticks cover no text", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "letters.csv": letters(12) });
  const project = await studio.begin("letters.csv", {
    id: "name",
    text: "letter",
    method: "pckmeans",
    clusters: "14",
  });
  const page = await visit(studio, { project, viewport: { width: 1280, height: 900 } });
  await studio.settled(project);
  await openMerge(page);
  const merge = page.getByRole("dialog", { name: /^Merge / });
  const radios = merge.getByRole("radio");
  await expect(radios).toHaveCount(13);
  const words = merge.getByRole("searchbox", { name: "Narrow the groups by words" });
  await page.keyboard.press("Shift+Tab"); // from the groups, which come first
  await expect(words).toBeFocused();
  await page.keyboard.type("ROSES water");
  await expect(radios).not.toHaveCount(13);
  for (const label of await merge.locator(".choose-group label").all())
    await expect(label).not.toContainText(/ship|waves|captain|boats/);
  await radios.first().check();
  await words.fill("no such words");
  await expect(radios).toHaveCount(1); // what is chosen stays in sight
  await words.fill("");
  await expect(radios).toHaveCount(13);
  // On a phone, names have room for words, and nothing is cut off at the side.
  await page.setViewportSize({ width: 390, height: 844 });
  for (const name of await merge.locator(".choose-group .name").all())
    expect((await name.boundingBox())!.width).toBeGreaterThan(100);
  const list = merge.locator(".choose-group");
  expect(await list.evaluate((e) => e.scrollWidth - e.clientWidth)).toBe(0);
  await shot(page, "merge-many-390");
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.keyboard.press("Escape");
  const panel = await openTab(page, "Groups");
  await panel
    .getByRole("button", { name: /^Split / })
    .first()
    .click();
  const tile = page
    .getByRole("dialog", { name: /^Split / })
    .locator(".tile")
    .first();
  const [tick, text] = [
    (await tile.getByRole("checkbox").boundingBox())!,
    (await tile.locator(".text").boundingBox())!,
  ];
  expect(text.y).toBeGreaterThanOrEqual(tick.y + tick.height);
});
