// Nothing is cut off, and nothing stands twice.
import type { Page } from "@playwright/test";
import { classes, islands, letters } from "../fixtures/data.ts";
import { openTab, tabs } from "../fixtures/look.ts";
import { answerAll, asked } from "../fixtures/person.ts";
import { expect, test } from "../fixtures/test.ts";

/**
 * cutOff lists what ends beyond the right edge of what it is in, unless that has a cue that there
 * is more, or an ellipsis.
 */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const out: string[] = [];
    for (const e of document.querySelectorAll("section.question *, #panel *")) {
      if (!e.checkVisibility() || e.closest("svg, canvas, .hidden, .map-stage") !== null) continue;
      const box = e.getBoundingClientRect();
      if (box.width < 2) continue;
      for (let at = e.parentElement; at !== null && at !== document.body; at = at.parentElement) {
        const style = getComputedStyle(at);
        if (style.overflowX === "visible") continue;
        if (
          at.id !== "panel" &&
          (at.hasAttribute("data-more") || style.textOverflow === "ellipsis")
        )
          break;
        if (style.clipPath !== "none") break;
        if (box.right > at.getBoundingClientRect().right + 1)
          out.push(`${e.tagName}.${e.className}: ${e.textContent!.trim().slice(0, 40)}`);
        break;
      }
    }
    return out.slice(0, 5);
  });
}

const sizes = [
  [1280, 800],
  [1920, 1080],
  [390, 844],
] as const;

test("nothing is cut off in any panel, with an object beside the map, at any width", async ({
  serve,
  visit,
}) => {
  const truth = classes("digits");
  const studio = await serve({ "letters.csv": letters(10), "islands.csv": islands(3, 12) });
  const projects = [
    await studio.begin("digits"),
    await studio.begin("letters.csv", { text: "letter" }),
    await studio.begin("islands.csv", { id: "id" }),
  ];
  const page = await visit(studio, {
    project: projects[0]!,
    viewport: { width: 1280, height: 800 },
  });
  await answerAll(page, (id) => truth.get(id)!, 6);
  const found: Record<string, string[]> = {};
  for (const project of projects) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${studio.origin}/#/${encodeURIComponent(project)}/groups`);
    await asked(page);
    await studio.settled(project);
    const groups = await openTab(page, "Groups");
    await groups.locator(".tile-open, .member-table button").first().click();
    await expect(page.locator("#panel .place")).toBeVisible();
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      for (const tab of tabs) {
        const panel = await openTab(page, tab);
        await expect(panel).not.toContainText(/^…$/);
        if (tab === "Map") await expect(panel.locator(".masses, .place").first()).toBeVisible();
        found[`${project}: ${tab} ${width}`] = await cutOff(page);
      }
      if (width === 390) await page.getByRole("button", { name: "Question" }).click();
      found[`${project}: question ${width}`] = await cutOff(page);
    }
  }
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((k) => [k, []])));
});

test("two objects of a step stand beside each other, and the reason below them", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "letters.csv": letters(10) });
  const project = await studio.begin("letters.csv", { text: "letter" });
  const page = await visit(studio, { project, viewport: { width: 1280, height: 800 } });
  await answerAll(page, () => "one", 1);
  const history = await openTab(page, "History");
  const faces = history.locator(".face");
  await expect(faces).toHaveCount(2);
  const [one, two] = [(await faces.nth(0).boundingBox())!, (await faces.nth(1).boundingBox())!];
  expect(Math.abs(one.y - two.y)).toBeLessThan(4);
  expect(two.x).toBeGreaterThan(one.x + one.width);
  // Texts have the room; what is not compared is folded.
  await expect(page.locator(".question .differences")).toBeHidden();
  await page.getByText("Columns that are not compared").click();
  await expect(page.locator(".question .differences")).toBeVisible();
});

test("an object of which an id alone is known has it once, and a table has the ids as its titles", async ({
  serve,
  visit,
}) => {
  const rows = Array.from({ length: 18 }, (_, i) =>
    Array.from({ length: 18 }, (_, j) =>
      i === j ? 0 : (i % 3 === j % 3 ? 1 : 4) + ((i * j) % 7) / 9,
    ),
  );
  const names = rows.map((_, i) => `${"abc"[i % 3]}${i}`);
  const lines = [["id", ...names], ...rows.map((r, i) => [names[i]!, ...r])];
  const studio = await serve({
    "matrix.csv": lines.map((l) => l.join(",")).join("\n"),
    "islands.csv": islands(3, 12),
  });
  const matrix = await studio.begin("matrix.csv", { dissimilarity: "true", clusters: "3" });
  const page = await visit(studio, { project: matrix, panel: "search" });
  const q = (await asked(page))!;
  await expect(page.locator(".among .middle").getByText(q.a)).toHaveCount(1);
  const panel = await openTab(page, "Search");
  const tile = panel.getByRole("listitem").first();
  await expect(tile.getByRole("button", { name: "details of a0" })).toHaveText("a0");
  await expect(tile.locator(".tile-id")).not.toContainText("a0");

  const table = await studio.begin("islands.csv", { id: "id" });
  await page.goto(`${studio.origin}/#/${table}/history`);
  await expect(page.locator(".pair.slim")).toBeAttached();
  const two = (await asked(page))!;
  await expect(page.getByRole("columnheader", { name: two.a, exact: true })).toBeVisible();
  expect((await page.locator(".pair.slim").boundingBox())!.height).toBeLessThan(2);
});
