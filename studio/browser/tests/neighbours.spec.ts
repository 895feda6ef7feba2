import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Locator, Page } from "@playwright/test";
import { islands } from "../fixtures/data.ts";
import { shot } from "../fixtures/look.ts";
import { expect, test } from "../fixtures/test.ts";

const digits = () =>
  gunzipSync(readFileSync(new URL("../../../data/sample/files/digits.csv.gz", import.meta.url)));

/** drawn waits until a map is drawn as it is to stay, and returns how it looks. */
async function drawn(map: Locator, neighbours: boolean): Promise<string> {
  if (neighbours) await expect(map).toHaveAttribute("data-layout", "neighbours");
  else await expect(map).not.toHaveAttribute("data-layout", "neighbours");
  await expect(map).toHaveAttribute("aria-busy", "false");
  return (await map.screenshot()).toString("base64");
}

/** frames is in how many pictures the objects moved to where they are. */
async function frames(map: Locator): Promise<number> {
  return Number(await map.getAttribute("data-frames"));
}

/** strong lists the strong colours of the map, the most frequent first. */
async function strong(page: Page, picture: string): Promise<string[]> {
  return page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const to = canvas.getContext("2d")!;
    to.drawImage(image, 0, 0);
    const { data: pixels } = to.getImageData(0, 0, image.width, image.height);
    const found = new Map<string, number>();
    for (let i = 0; i < pixels.length; i += 4) {
      const [r, g, b] = [pixels[i]!, pixels[i + 1]!, pixels[i + 2]!];
      if (Math.max(r, g, b) - Math.min(r, g, b) < 90) continue;
      const key = [r, g, b].map((v) => Math.round(v / 32)).join(" ");
      found.set(key, (found.get(key) ?? 0) + 1);
    }
    return [...found].sort((a, b) => b[1] - a[1]).map(([key]) => key);
  }, picture);
}

for (const reducedMotion of ["no-preference", "reduce"] as const) {
  test(`the map moves to nearest neighbours, and back: ${reducedMotion}`, async ({
    serve,
    visit,
  }) => {
    const studio = await serve({ "digits.csv": digits() });
    const project = await studio.begin("digits.csv", { label: "class" });
    await studio.settled(project); // later fits would bring other colours
    const page = await visit(studio, { project, panel: "map", reducedMotion });
    const map = page.getByRole("application", { name: /^Map of/ });
    const button = page.getByRole("button", { name: "Neighbours" });
    // It comes without anything being asked for.
    await expect(button).toHaveAttribute("aria-pressed", "true");
    const notes = page.locator(".map-notes");
    await expect(notes).toContainText(/^Nearest neighbours lie together; axes mean nothing\./);
    await expect(notes).toContainText(/Trustworthiness 0\.9\d\d, continuity 0\.9\d\d/);
    const near = await drawn(map, true);
    await shot(page, `neighbours-${reducedMotion}`);

    await button.click();
    await expect(notes).toContainText(/PC 1 .*Upwards: PC 2/);
    await expect(notes).toContainText(/Trustworthiness 0\.8\d\d/);
    const first = await drawn(map, false);
    await shot(page, `components-${reducedMotion}`);
    expect(first).not.toBe(near);

    await button.click();
    await expect(notes).toContainText("Nearest neighbours lie together");
    const back = await drawn(map, true);
    // The way there is seen, unless motion is not wanted.
    if (reducedMotion === "reduce") expect(await frames(map)).toBe(1);
    // A busy machine may draw little on the way.
    for (let tries = 0; reducedMotion === "no-preference" && (await frames(map)) <= 2; tries++) {
      expect(tries).toBeLessThan(8);
      for (const neighbours of [false, true]) {
        await button.click();
        await drawn(map, neighbours);
      }
    }
    // The groups have the colours that they had.
    const before = (await strong(page, first)).slice(0, 4);
    const after = (await strong(page, back)).slice(0, 20);
    expect(before).toHaveLength(4);
    for (const colour of before) expect(after).toContain(colour);
  });
}

test("columns that fit on the map stay as they are", async ({ serve, visit }) => {
  const studio = await serve({ "islands.csv": islands(3, 30) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "9" });
  const page = await visit(studio, { project, panel: "map" });
  await expect(page.getByRole("application", { name: /^Map of 90/ })).toBeVisible();
  await expect(page.locator(".map-notes")).toContainText("Across:");
  await expect(page.getByRole("button", { name: "Lasso" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Neighbours" })).toHaveCount(0);
});
