import type { Page } from "@playwright/test";
import { islands } from "../fixtures/data.ts";
import { openTab, savedMark, shot } from "../fixtures/look.ts";
import type { Studio } from "../fixtures/studio.ts";
import { expect, test } from "../fixtures/test.ts";

// a0 = a1 and a1 = a2 are known, and a0 = a2; whoever changes the last to "different" contradicts
// the first two.
async function ring(studio: Studio): Promise<string> {
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "20" });
  const pairs = [
    { a: 0, b: 1, link: "same" },
    { a: 1, b: 2, link: "same" },
    { a: 0, b: 2, link: "same" },
  ];
  for (const [i, pair] of pairs.entries())
    await studio.call("POST", `/projects/${project}/links`, { id: `given-${i}`, pairs: [pair] });
  return project;
}

async function contradict(page: Page) {
  const panel = await openTab(page, "History");
  await panel.getByRole("combobox", { name: "answer about a0 and a2" }).selectOption("different");
  const dialog = page.getByRole("dialog", { name: "This contradicts earlier answers" });
  await expect(dialog).toBeVisible();
  return dialog;
}

async function linksOf(studio: Studio, project: string): Promise<string[]> {
  const { links } = await studio.call<{
    links: { a: { id: string }; b: { id: string }; link: string }[];
  }>("GET", `/projects/${project}/links`);
  return links.map((l) => `${l.a.id} ${l.link} ${l.b.id}`).sort();
}

test.beforeEach(({ guard }) => guard.allow(/status of 409/));

test("a contradiction is shown as the chain that it breaks, and taking the answer back leaves all as it was", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const project = await ring(studio);
  const page = await visit(studio, { project });
  const dialog = await contradict(page);
  await expect(dialog.getByText("a0 = a1")).toBeVisible();
  await expect(dialog.getByRole("listitem").filter({ has: page.getByRole("figure") })).toHaveCount(
    3,
  );
  for (const id of ["a0", "a1", "a2"])
    await expect(dialog.getByRole("figure", { name: id })).toBeVisible();
  await shot(page, "contradiction");
  await page.keyboard.press("Escape"); // one of the buttons must be pressed
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "Take mine back" }).click();
  await expect(dialog).toBeHidden();
  expect(await linksOf(studio, project)).toEqual(["a0 same a1", "a0 same a2", "a1 same a2"]);
  await expect(savedMark(page)).toHaveText(/^saved/);
});

test("an answer of the chain is the wrong one, and is turned round", async ({ serve, visit }) => {
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const project = await ring(studio);
  const page = await visit(studio, { project });
  const dialog = await contradict(page);
  await dialog.getByRole("button", { name: /^They differ ?: a1 and a2$/ }).click();
  await expect(dialog).toBeHidden();
  await expect
    .poll(() => linksOf(studio, project))
    .toEqual(["a0 different a2", "a0 same a1", "a1 different a2"]);
});

test("an answer of the chain is dropped", async ({ serve, visit }) => {
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const project = await ring(studio);
  const page = await visit(studio, { project });
  const dialog = await contradict(page);
  await dialog.getByRole("button", { name: "Drop the answer about a0 and a1" }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => linksOf(studio, project)).toEqual(["a0 different a2", "a1 same a2"]);
});

test("an answer is kept as doubt, listed, and counts once the chain is mended", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const project = await ring(studio);
  const page = await visit(studio, { project });
  const dialog = await contradict(page);
  await dialog.getByRole("button", { name: "Keep mine as doubt" }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(async () => (await studio.state(project)).contradictions).toBe(1);
  expect(await linksOf(studio, project)).toEqual(["a0 same a1", "a1 same a2"]);

  const panel = await openTab(page, "Contradictions");
  await expect(panel.getByRole("heading", { name: "Kept as doubt" })).toBeVisible();
  await shot(page, "doubt");
  await panel.getByRole("button", { name: "Drop the answer about a1 and a2" }).click();
  await expect(panel.getByText("All answers agree.")).toBeVisible();
  await expect.poll(() => linksOf(studio, project)).toEqual(["a0 different a2", "a0 same a1"]);
});

test("a doubtful answer is dropped, or gives in to the chain", async ({ serve, visit }) => {
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const project = await ring(studio);
  const page = await visit(studio, { project });
  for (const [button, left] of [
    ["Agree with the chain", ["a0 same a1", "a0 same a2", "a1 same a2"]],
    ["Drop the doubtful answer", ["a0 same a1", "a1 same a2"]],
  ] as const) {
    await (await contradict(page)).getByRole("button", { name: "Keep mine as doubt" }).click();
    const panel = await openTab(page, "Contradictions");
    await panel.getByRole("button", { name: button }).click();
    await expect(panel.getByText("All answers agree.")).toBeVisible();
    await expect.poll(() => linksOf(studio, project)).toEqual(left);
  }
});

test("several answers at once that contradict others are refused together", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const project = await ring(studio);
  await studio.call("POST", `/projects/${project}/links`, {
    id: "apart",
    pairs: [{ a: 0, b: 12, link: "different" }],
  });
  const page = await visit(studio, { project });
  await page.evaluate(() => {
    // As left behind by a page that was closed before it could send.
    const step = {
      kind: "links",
      pairs: [
        { a: 3, b: 4, link: "same" },
        { a: 2, b: 12, link: "same" },
      ],
    };
    const project = location.hash.split("/")[1]!;
    localStorage.setItem(
      `kindred/queue/${project}/000000000000001-left`,
      JSON.stringify({ id: "left-behind", step, tried: false }),
    );
  });
  await page.reload();
  const dialog = page.getByRole("dialog", { name: "This contradicts earlier answers" });
  await dialog.getByRole("button", { name: "Take mine back" }).click();
  await expect(dialog).toBeHidden();
  expect(await linksOf(studio, project)).not.toContain("a3 same a4");
});

test("a chain kept as doubt wraps in its panel, and does not scroll sideways", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "20" });
  for (let i = 0; i < 4; i++)
    await studio.call("POST", `/projects/${project}/links`, {
      id: `given-${i}`,
      pairs: [{ a: i, b: i + 1, link: "same" }],
    });
  await studio.call("POST", `/projects/${project}/links`, {
    id: "doubt",
    pairs: [{ a: 0, b: 4, link: "different" }],
    keep: true,
  });
  const page = await visit(studio, { project });
  const panel = await openTab(page, "Contradictions");
  await expect(panel.getByRole("listitem").filter({ has: page.getByRole("figure") })).toHaveCount(
    5,
  );
  for (const width of [1024, 1500]) {
    await page.setViewportSize({ width, height: 900 });
    for (const part of [panel, panel.locator(".chain-frame")])
      expect(await part.evaluate((e) => e.scrollWidth - e.clientWidth)).toBeLessThanOrEqual(0);
  }
});
