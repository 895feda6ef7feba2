import { csv, islands } from "../fixtures/data.ts";
import { openTab, shot } from "../fixtures/look.ts";
import { expect, test } from "../fixtures/test.ts";

test("a group is named, and keeps its name; the name is gone with undo", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(3, 20) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "6" });
  const page = await visit(studio, { project });
  const panel = await openTab(page, "Groups");
  await panel
    .getByRole("button", { name: /^name it/ })
    .first()
    .click();
  const field = panel.getByRole("textbox", { name: /^name of group/ });
  await expect(field).toBeFocused();
  await page.keyboard.type("sand banks"); // no letter of it is an answer
  await page.keyboard.press("Enter");
  await expect(panel.getByRole("heading", { name: /^sand banks/ })).toBeVisible();
  await expect
    .poll(async () => (await studio.history(project)).events.map((e) => [e.step, e.text]))
    .toEqual([["name", "sand banks"]]);
  await page.reload();
  await openTab(page, "Groups");
  await expect(
    page.getByRole("tabpanel").getByRole("heading", { name: /^sand banks/ }),
  ).toBeVisible();
  await page.getByRole("button", { name: /^Undo/ }).click();
  await expect(
    page.getByRole("tabpanel").getByRole("heading", { name: /^sand banks/ }),
  ).toBeHidden();
});

test("these are one group, but for a stranger: all is said in one step, and taken back in one", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(3, 20) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "6" });
  const page = await visit(studio, { project });
  const panel = await openTab(page, "Groups");
  const group = panel.getByRole("article").first();
  const offer = group.getByRole("button", { name: /^Are these \d+ one group\?/ });
  await offer.click();
  const boxes = group.getByRole("checkbox");
  await expect(boxes.first()).toBeVisible();
  const n = await boxes.count();
  expect(n).toBeGreaterThan(3);
  await boxes.nth(2).uncheck();
  await shot(page, "confirm");
  await group
    .getByRole("button", { name: "Those ticked are one group, the other is a stranger" })
    .click();
  await expect.poll(async () => (await studio.history(project)).events.length).toBe(n - 1);
  const steps = (await studio.history(project)).events.map((e) => e.step);
  expect(steps.filter((s) => s === "different")).toHaveLength(1);
  expect(steps.filter((s) => s === "same")).toHaveLength(n - 2);
  await page.getByRole("button", { name: /^Undo/ }).click();
  await expect.poll(async () => (await studio.state(project)).answers).toBe(0);
});

test("a doubtful object is asked about where it is listed", async ({ serve, visit }) => {
  const studio = await serve({ "islands.csv": islands(3, 20) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "6" });
  const page = await visit(studio, { project });
  const panel = await openTab(page, "Doubts");
  await panel
    .getByRole("button", { name: /^Ask me about this one/ })
    .first()
    .click();
  const compare = panel.getByRole("region", { name: /^Compare/ });
  await compare.getByRole("button", { name: "Don't know" }).first().click();
  await expect
    .poll(async () => (await studio.history(project)).events.map((e) => e.step))
    .toEqual(["unknown"]);
});

test("where no object is doubtful the least certain are listed, and nothing where all are certain", async ({
  serve,
  visit,
}) => {
  const rows = Array.from({ length: 60 }, (_, i) => [`r${i}`, 10 * (i % 3) + (i % 2)]);
  const studio = await serve({
    "near.csv": csv(["id", "x"], [...rows, ["n1", 5.7], ["n2", 5.6]]),
  });
  const settings = { id: "id", method: "pckmeans" };
  const near = await studio.begin("near.csv", { ...settings, clusters: "3" });
  await studio.settled(near);
  const page = await visit(studio, { project: near, viewport: { width: 1280, height: 900 } });
  let panel = await openTab(page, "Doubts");
  await expect(panel).toContainText("No object is doubtful; these are the least certain.");
  const tiles = panel.getByRole("listitem");
  await expect(tiles).toHaveCount(2);
  for (const tile of [tiles.nth(0), tiles.nth(1)]) await expect(tile).toContainText("fairly sure");
  await expect(panel.getByRole("status").last()).toHaveText(
    "2 of 2 objects that are less than certain",
  );
  await shot(page, "doubts-least-1280-light");
  const one = await studio.begin("near.csv", { ...settings, clusters: "1" });
  await studio.settled(one);
  await page.goto(`${studio.origin}/#/${one}/doubts`);
  panel = page.getByRole("tabpanel", { name: "Doubts" });
  await expect(panel).toContainText("No object is in doubt: all are certain.");
});

test("where there are far more groups than a person can name, their number can be said, and is taken back", async ({
  serve,
  visit,
}) => {
  const points: (string | number)[][] = [];
  for (let g = 0; g < 40; g++)
    for (let i = 0; i < 12; i++)
      points.push([
        `g${g}-${i}`,
        20 * (g % 8) + ((i * 7) % 12) / 12,
        20 * Math.floor(g / 8) + ((i * 5 + g) % 12) / 12,
      ]);
  const studio = await serve({ "grid.csv": csv(["id", "length", "width"], points) });
  const project = await studio.begin("grid.csv", { id: "id" });
  const page = await visit(studio, { project, viewport: { width: 1280, height: 900 } });
  const before = (await studio.settled(project)).clusters;
  expect(before).toBeGreaterThan(30);
  const panel = await openTab(page, "Groups");
  const form = panel.getByRole("form", { name: "How many groups there are" });
  await expect(form).toContainText(`${before} groups are many to look at.`);
  await shot(page, "how-many-1280-light");
  await form.getByRole("spinbutton", { name: "Groups" }).fill("12");
  await form.getByRole("button", { name: "Find so many" }).click();
  await expect.poll(async () => (await studio.settled(project)).clusters).toBe(12);
  await expect(form).toBeHidden();
  expect((await studio.state(project)).answers).toBe(0); // it is no answer
  const history = await openTab(page, "History");
  await expect(history).toContainText("said how many groups there are");
  await expect(history).toContainText("12 groups to find from then on");
  await page.getByRole("button", { name: /^Undo/ }).click();
  await expect.poll(async () => (await studio.settled(project)).clusters).toBe(before);
  await openTab(page, "Groups");
  await expect(form).toBeVisible();
});
