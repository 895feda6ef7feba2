import type { Page } from "@playwright/test";
import { classes } from "../fixtures/data.ts";
import { shot, tabs } from "../fixtures/look.ts";
import { asked, counter, respond } from "../fixtures/person.ts";
import { expect, test } from "../fixtures/test.ts";

const phone = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
};

/** wide names what is wider than the screen. */
function wide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement;
    if (root.scrollWidth <= root.clientWidth) return [];
    return [...document.querySelectorAll("body *")]
      .filter((e) => e.getBoundingClientRect().right > root.clientWidth + 1)
      .map((e) => `${e.tagName}.${e.className}: ${Math.round(e.getBoundingClientRect().right)}`)
      .slice(0, 8);
  });
}

test("on a phone a session goes by touch: the question, its buttons, and undo, without scrolling sideways", async ({
  serve,
  visit,
}) => {
  const truth = classes("digits");
  const studio = await serve();
  const project = await studio.begin("digits", { label: "class", "super-instances": "20" });
  const page = await visit(studio, { project, ...phone });
  for (let i = 0; i < 6; i++) {
    const q = (await asked(page))!;
    const same = truth.get(q.a) === truth.get(q.b);
    const button = page.getByRole("button", { name: same ? "Same" : "Different", exact: true });
    const box = (await button.boundingBox())!;
    expect(box.height, "as large as a thumb").toBeGreaterThanOrEqual(44);
    expect(box.y + box.height, "in reach without scrolling").toBeLessThanOrEqual(740);
    await respond(page, q, () => button.tap());
    await expect(counter(page)).toHaveAttribute("data-answers", String(i + 1));
    await page.waitForTimeout(450); // taps in quick succession on one button count as one
  }
  await expect.poll(() => wide(page)).toEqual([]);
  await shot(page, "phone");
  await page.getByRole("button", { name: "Undo", exact: true }).tap();
  await expect(counter(page)).toHaveAttribute("data-answers", "5");
});

test("on a phone no view is wider than the screen, neither of pictures nor of a table", async ({
  serve,
  visit,
}) => {
  const studio = await serve();
  const wine = await studio.begin("wine", {
    label: "class",
    method: "evclus",
    clusters: "3",
    scale: "zscore",
  });
  const digits = await studio.begin("digits", { label: "class", "super-instances": "20" });
  for (const [project, picture] of [
    [wine, "phone-table"],
    [digits, "phone-pictures"],
  ] as const) {
    const page = await visit(studio, { project, ...phone });
    await asked(page);
    await expect.poll(() => wide(page), `${project}: question`).toEqual([]);
    await shot(page, picture);
    for (const name of tabs) {
      await page.getByRole("tab", { name }).tap();
      const panel = page.getByRole("tabpanel", { name });
      await expect(panel).toBeVisible();
      await expect(panel).not.toContainText(/^…$/);
      await expect.poll(() => wide(page), `${project}: ${name}`).toEqual([]);
      if (name === "Map" || name === "Groups") await shot(page, `${picture}-${name.toLowerCase()}`);
    }
    await page.getByRole("button", { name: "Question", exact: true }).tap();
    await expect(page.getByRole("button", { name: "Same", exact: true })).toBeVisible();
    await page.close();
  }
});
