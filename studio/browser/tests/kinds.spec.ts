import type { Locator } from "@playwright/test";
import { letters, pictures, waves } from "../fixtures/data.ts";
import { openTab, shot } from "../fixtures/look.ts";
import { answer, answerAll, asked } from "../fixtures/person.ts";
import { expect, test } from "../fixtures/test.ts";

const first = (id: string) =>
  id.split(/[ /-]/).find((w) => /disc|stripes|sine|saw|garden|sea/.test(w)) ?? id;

test("an evidential question shows the uncertain object among one reference of each group, and the answers settle it", async ({
  serve,
  visit,
}) => {
  const studio = await serve();
  const project = await studio.begin("wine", {
    label: "class",
    method: "evclus",
    clusters: "3",
    scale: "zscore",
  });
  const page = await visit(studio, { project, panel: "map" });
  await asked(page);
  await expect(
    page.getByRole("heading", { name: /^Is \d+ the same as \d+ of group \d\?$/ }),
  ).toBeVisible();
  const references = page.getByRole("group", { name: "the reference that you answer about" });
  const all = references.getByRole("button");
  await expect.poll(() => all.count()).toBeGreaterThan(1);
  await expect(all.first()).toContainText("nearest");
  await expect(all.first()).toHaveAttribute("aria-pressed", "true");
  await shot(page, "evidential");

  // A figure chooses another reference; the sentence says which.
  await expect(async () => {
    // the question may change once more, and refuse the key
    await page.keyboard.press("2");
    await expect(all.nth(1)).toHaveAttribute("aria-pressed", "true", { timeout: 2500 });
  }).toPass();
  const q = (await asked(page))!;
  await expect(all.nth(1)).toContainText(q.b);
  await answer(page, "different");
  await expect.poll(async () => (await studio.state(project)).answers).toBe(1);
  expect((await studio.history(project)).events[0]).toMatchObject({
    step: "different",
    a: { id: q.a },
    b: { id: q.b },
  });
  // What the groups believe of an object is said in words.
  const doubts = await openTab(page, "Doubts");
  await expect(doubts.getByText(/group \d or \d/i).first()).toBeVisible();
});

test("pictures in a folder are shown as pictures", async ({ serve, visit }) => {
  const studio = await serve(pictures(10));
  const project = await studio.begin("shapes");
  const page = await visit(studio, { project });
  const q = (await asked(page))!;
  for (const id of [q.a, q.b]) {
    const picture = page.getByRole("img", { name: `object ${id}`, exact: true }).first();
    await expect(picture).toBeVisible();
    expect(
      await picture.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth)),
    ).toBeGreaterThanOrEqual(64);
  }
  // A picture is as wide as it is high, however much room there is: what is beside it is no part.
  const square = async (picture: Locator) => {
    const { width, height } = (await picture.boundingBox())!;
    expect(Math.abs(width - height)).toBeLessThan(1);
    return width;
  };
  for (const size of [
    { width: 1280, height: 800 },
    { width: 1920, height: 1080 },
    { width: 800, height: 1400 },
  ]) {
    await page.setViewportSize(size);
    for (const picture of await page.locator(".question .picture").all())
      expect(await square(picture)).toBeGreaterThan(150);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  const groups = await openTab(page, "Groups");
  await groups
    .getByRole("button", { name: /^the most typical/ })
    .first()
    .click();
  expect(await square(page.locator(".object .picture").first())).toBeGreaterThan(150);
  const given = await answerAll(page, first, 40);
  expect(given).toBeGreaterThan(0);
  await shot(page, "pictures");
});

test("texts are shown as texts", async ({ serve, visit }) => {
  const studio = await serve({ "letters.csv": letters(16) });
  const project = await studio.begin("letters.csv", {
    id: "name",
    text: "letter",
    method: "cobra",
    "super-instances": "8",
  });
  const page = await visit(studio, { project });
  await asked(page);
  await expect(page.getByRole("figure").first()).toContainText(
    /roses|beans|apple|weeds|ship|waves|captain|boats/,
  );
  await answerAll(page, first, 30);
  await expect(page.getByRole("heading", { name: /settled|No more questions/ })).toBeVisible();
  await shot(page, "texts");
});

test("series are drawn as lines on one scale", async ({ serve, visit }) => {
  const studio = await serve({ "waves.csv": waves(14) });
  const project = await studio.begin("waves.csv", {
    id: "name",
    series: "values",
    method: "evclus",
    clusters: "2",
  });
  const page = await visit(studio, { project });
  const q = await asked(page);
  if (q !== null) {
    const lines = page.getByRole("img", { name: /a series of 40 points/ });
    await expect(lines.first()).toBeVisible();
    expect(await lines.first().locator("path").getAttribute("d")).toMatch(
      /^M0\.0 [\d.]+(L[\d.]+ [\d.]+){39}$/,
    );
  }
  await shot(page, "series");
});
