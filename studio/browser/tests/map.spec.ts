import { chromium, type Page } from "@playwright/test";
import { islands, classes } from "../fixtures/data.ts";
import { openTab, shot } from "../fixtures/look.ts";
import { answer, answerAll, asked } from "../fixtures/person.ts";
import { expect, test } from "../fixtures/test.ts";

/** colours counts the different colours of what is on the screen in a place. */
async function colours(page: Page): Promise<number> {
  const picture = await page.getByRole("application").screenshot();
  return page.evaluate(
    async (data) => {
      const image = await createImageBitmap(
        new Blob([Uint8Array.from(data)], { type: "image/png" }),
      );
      const canvas = new OffscreenCanvas(image.width, image.height);
      const to = canvas.getContext("2d")!;
      to.drawImage(image, 0, 0);
      const { data: pixels } = to.getImageData(0, 0, image.width, image.height);
      const found = new Set<number>();
      for (let i = 0; i < pixels.length; i += 4)
        found.add((pixels[i]! << 16) | (pixels[i + 1]! << 8) | pixels[i + 2]!);
      return found.size;
    },
    [...picture],
  );
}

test("the map draws all objects in WebGL2, says in words what it shows, and is moved by keys", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(3, 30) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "9" });
  const page = await visit(studio, { project, panel: "map" });
  const map = page.getByRole("application", { name: /^Map of 90 objects in \d+ groups\./ });
  await expect(map).toBeVisible();
  expect(
    await map
      .locator("canvas")
      .first()
      .evaluate((c: HTMLCanvasElement) => c.getContext("webgl2") !== null),
  ).toBe(true);
  await expect.poll(() => colours(page)).toBeGreaterThan(20);

  await map.focus();
  await page.keyboard.press("Enter"); // the object nearest to the middle
  const selection = page.getByRole("region", { name: "Selected" });
  await expect(selection.getByRole("heading", { level: 3 })).toHaveText(/^[abc]\d+$/);
  await page.keyboard.press("Escape");
  await expect(selection).toBeHidden();
  // Keys of the map are no answers.
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("+");
  await page.keyboard.press("Home");
  expect((await studio.state(project)).answers).toBe(0);
  // The map as a list, for those who do not point at it.
  await page.getByText("Objects in view", { exact: true }).click();
  await page
    .getByRole("group")
    .filter({ hasText: "Objects in view" })
    .getByRole("button")
    .first()
    .click();
  await expect(selection).toBeVisible();
});

test("the map stays as it was left while another panel is looked at", async ({ serve, visit }) => {
  const studio = await serve({ "islands.csv": islands(3, 30) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "9" });
  const page = await visit(studio, { project, panel: "map" });
  const map = page.getByRole("application", { name: /^Map of 90/ });
  await expect.poll(() => colours(page)).toBeGreaterThan(20);
  await map.focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press("+");
  const still = () => expect(map).toHaveAttribute("aria-busy", "false");
  await still();
  await map.blur();
  await page.mouse.move(0, 0);
  await still();
  const before = await map.screenshot();
  // No canvas is made or drawn anew, which takes most of the time of opening the map.
  await page.evaluate(() => {
    const made: string[] = [];
    Object.assign(window, { made });
    const create = Document.prototype.createElement;
    Document.prototype.createElement = function (this: Document, ...args: [string]) {
      if (args[0] === "canvas") made.push("canvas");
      return create.apply(this, args);
    } as typeof create;
    const draw = WebGL2RenderingContext.prototype.drawArrays;
    WebGL2RenderingContext.prototype.drawArrays = function (...args) {
      made.push("points");
      draw.apply(this, args);
    };
  });
  await openTab(page, "History");
  await expect(map).toBeHidden();
  await openTab(page, "Map");
  await expect(map).toBeVisible();
  await page.mouse.move(0, 0);
  await still();
  expect(await map.screenshot()).toEqual(before);
  expect(await page.evaluate(() => (window as unknown as { made: string[] }).made)).toEqual([]);
  // Nothing moves either when the project is left and opened again.
  await page.getByRole("button", { name: /all projects/ }).click();
  await page
    .getByRole("link", { name: project })
    .or(page.getByRole("button", { name: project }))
    .first()
    .click();
  await expect(map).toBeVisible();
  await still();
  await expect(map).not.toHaveAttribute("data-frames");
  expect(await map.screenshot()).toEqual(before);
  // And it obeys as before.
  await map.focus();
  await page.keyboard.press("Home");
  await expect.poll(async () => (await map.screenshot()).equals(before)).toBe(false);
});

test("a click on the map selects an object, a second one makes a pair that can be answered", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(3, 30) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "9" });
  const page = await visit(studio, { project, panel: "map" });
  const map = page.getByRole("application", { name: /^Map of 90/ });
  await expect.poll(() => colours(page)).toBeGreaterThan(20); // it is drawn
  const points = await page.evaluate(async (p) => {
    const bytes = await (await fetch(`/api/v1/projects/${p}/map/points`)).arrayBuffer();
    return [...new Float32Array(bytes)];
  }, project);
  // The middle of the map is the middle of all objects; try places on a grid until something is
  // found.
  const selection = page.getByRole("region", { name: "Selected" });
  expect(points).toHaveLength(180);
  const hit = async (modifiers: "Shift"[], wanted: () => Promise<boolean>) => {
    const box = (await map.boundingBox())!; // what is selected stands beside it
    for (let y = 1; y < 8; y++) {
      for (let x = 1; x < 8; x++) {
        await map.click({
          position: { x: (box.width * x) / 8, y: (box.height * y) / 8 },
          modifiers,
        });
        await page.evaluate(
          () =>
            new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
        ); // what it did is shown
        if (await wanted()) return;
      }
    }
    throw new Error("no click found an object");
  };
  await map.focus();
  await page.keyboard.press("Enter");
  await expect(selection).toBeVisible();
  const one = await selection.getByRole("heading", { level: 3 }).textContent();
  await hit(
    ["Shift"],
    async () => (await page.getByRole("heading", { name: "Two objects" }).count()) > 0,
  );
  await expect(selection.getByRole("heading", { level: 4 })).toHaveCount(2);
  const two = await selection.getByRole("heading", { level: 4 }).allTextContents();
  expect(two).toContain(one);
  await selection.getByRole("button", { name: "Look at them as a question" }).click();
  await expect(page.getByText("You chose this pair.")).toBeVisible();
  const q = (await asked(page))!;
  expect([q.a, q.b].sort()).toEqual([...two].sort());
  await answer(page, q.a[0] === q.b[0] ? "same" : "different");
  await expect
    .poll(async () =>
      (await studio.history(project)).events.map((e) => [e.a!.id, e.b!.id].sort().join()),
    )
    .toEqual([[q.a, q.b].sort().join()]);
});

test("a lasso catches many objects, which are confirmed as one group but for the strangers", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(3, 30) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "9" });
  const page = await visit(studio, { project, panel: "map" });
  const map = page.getByRole("application", { name: /^Map of 90/ });
  await expect.poll(() => colours(page)).toBeGreaterThan(20); // it is drawn
  const box = (await map.boundingBox())!;
  await page.getByRole("toolbar", { name: "Map" }).getByRole("button", { name: "Lasso" }).click();
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
  const selection = page.getByRole("region", { name: "Selected" });
  await expect(selection.getByRole("heading", { name: "90 objects" })).toBeVisible();
  await expect(selection.getByRole("checkbox").first()).toBeChecked();
});

test("without WebGL the map is drawn plainly, and all that it shows can be had", async ({
  serve,
  guard,
}) => {
  const studio = await serve({ "islands.csv": islands(3, 30) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "9" });
  const { executablePath, args } = test.info().project.use.launchOptions!;
  const browser = await chromium.launch({
    executablePath: executablePath!,
    args: [
      ...args!.filter((a) => !a.includes("gl") && !a.includes("swiftshader")),
      "--disable-3d-apis",
    ],
  });
  try {
    const context = await browser.newContext({ reducedMotion: "reduce" });
    guard.watch(context, studio.origin);
    const page = await context.newPage();
    await page.goto(await studio.link());
    await page.goto(`${studio.origin}/#/${project}/map`);
    await page.getByRole("dialog").getByRole("button", { name: "Begin" }).click();
    await expect(page.getByRole("application", { name: /^Map of 90 objects/ })).toBeVisible();
    await expect.poll(() => colours(page)).toBeGreaterThan(8);
  } finally {
    await browser.close();
  }
});

test("the map of the digits with their groups", async ({ serve, visit }) => {
  const truth = classes("digits");
  const studio = await serve();
  const project = await studio.begin("digits", { label: "class", "super-instances": "20" });
  const page = await visit(studio, { project, panel: "exports" });
  await answerAll(page, (id) => truth.get(id)!, 25);
  await studio.settled(project);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await openTab(page, "Map");
    await expect.poll(() => colours(page)).toBeGreaterThan(50);
    await shot(page, `map-${colorScheme}`);
    await openTab(page, "Groups");
    await expect(page.getByRole("img", { name: /^object/ }).first()).toBeVisible();
    await shot(page, `groups-${colorScheme}`);
  }
});
