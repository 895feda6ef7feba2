// Every panel of projects of each kind, at three widths, light and dark, to be looked at:
// `npm run survey` leaves them in results/survey.
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { classes, customers, islands, letters, npy, pictures, waves } from "../fixtures/data.ts";
import { openTab, tabs } from "../fixtures/look.ts";
import { answer, answerAll, asked } from "../fixtures/person.ts";
import { expect, test } from "../fixtures/test.ts";

const folder = fileURLToPath(new URL("../results/survey/", import.meta.url));

const sizes = [
  [1280, 800],
  [1920, 1080],
  [390, 844],
] as const;

const vectors = npy(
  Array.from({ length: 60 }, (_, i) =>
    Array.from({ length: 12 }, (_, j) => (i % 3) * (j % 4) + Math.sin(i * 7 + j * 3)),
  ),
);

/** matrix is one of dissimilarities between objects of three kinds. */
const matrix = [
  ["id", ...Array.from({ length: 24 }, (_, i) => `${"abc"[i % 3]}${i}`)],
  ...Array.from({ length: 24 }, (_, i) => [
    `${"abc"[i % 3]}${i}`,
    ...Array.from({ length: 24 }, (_, j) =>
      i === j ? 0 : (i % 3 === j % 3 ? 1 : 4) + ((i * j) % 7) / 10,
    ),
  ]),
]
  .map((line) => line.join(","))
  .join("\n");

interface Case {
  data: string;
  files?: Record<string, string | Uint8Array>;
  settings?: Record<string, string>;
  class: (id: string) => string;
  answers: number;
}
const first = (id: string) => id.slice(0, 1);
const cases: Record<string, Case> = {
  digits: { data: "digits", class: (id) => classes("digits").get(id)!, answers: 25 },
  iris: { data: "iris", class: (id) => classes("iris").get(id)!, answers: 8 },
  among: {
    data: "wine",
    settings: { method: "evclus", clusters: "3" },
    class: (id) => classes("wine").get(id)!,
    answers: 5,
  },
  letters: {
    data: "letters.csv",
    files: { "letters.csv": letters(20) },
    settings: { text: "letter" },
    class: first,
    answers: 3,
  },
  vectors: {
    data: "vectors.npy",
    files: { "vectors.npy": vectors },
    class: (id) => `${Number(id) % 3}`,
    answers: 4,
  },
  waves: {
    data: "waves.csv",
    files: { "waves.csv": waves(15) },
    settings: { series: "values", clusters: "2" },
    class: first,
    answers: 3,
  },
  shapes: {
    data: "shapes",
    files: pictures(12),
    class: (id) => (id.includes("disc") ? "disc" : "stripes"),
    answers: 5,
  },
  matrix: {
    data: "matrix.csv",
    files: { "matrix.csv": matrix },
    settings: { dissimilarity: "true", clusters: "3" },
    class: first,
    answers: 3,
  },
  islands: {
    data: "islands.csv",
    files: { "islands.csv": islands(4, 12) },
    class: first,
    answers: 0,
  },
};

const only = process.env["SURVEY"]?.split(",");
const wanted = (name: string) => only === undefined || only.includes(name);

/** looks shows the page at each width in each scheme, and does what is to be done there. */
async function looks(
  page: Page,
  name: string,
  at: (take: (what: string) => Promise<unknown>, width: number) => Promise<void>,
): Promise<void> {
  const schemes = (process.env["SCHEMES"]?.split(",") ?? ["light", "dark"]) as ("light" | "dark")[];
  for (const scheme of schemes) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      const take = async (what: string) => {
        await page.waitForTimeout(300);
        await page.screenshot({ path: `${folder}${name}-${what}-${width}-${scheme}.png` });
      };
      await at(take, width);
    }
  }
}

for (const [name, c] of Object.entries(cases)) {
  if (!wanted(name)) continue;
  test(`survey of ${name}`, async ({ serve, visit, guard }) => {
    guard.allow(/./);
    const studio = await serve(c.files ?? {});
    const project = await studio.begin(c.data, c.settings);
    const page = await visit(studio, { project, viewport: { width: 1280, height: 800 } });
    await answerAll(page, c.class, c.answers);
    await asked(page);
    await studio.settled(project);
    await looks(page, name, async (take, width) => {
      if (width === 390) {
        await page.getByRole("button", { name: "Question" }).click();
        await take("question");
      }
      for (const tab of tabs) {
        await openTab(page, tab);
        await page.waitForTimeout(tab === "Map" ? 1200 : 200);
        if (tab === "Object" && name !== "islands") {
          await openTab(page, "Doubts");
          const tiles = page.locator(".tile-open, .member-table button");
          if ((await tiles.count()) === 0) await openTab(page, "Groups");
          if ((await tiles.count()) > 0) await tiles.first().click();
          await page.waitForTimeout(300);
        }
        await take(tab.toLowerCase());
      }
    });
  });
}

if (wanted("begin"))
  test("survey of the beginning", async ({ serve, visit, guard }) => {
    guard.allow(/./);
    const studio = await serve({
      "kunden.csv": customers(),
      "letters.csv": letters(10),
      "vectors.npy": vectors,
      "broken.csv": "a,b\n1,2,3\n",
      ...pictures(4),
    });
    const page = await visit(studio);
    await looks(page, "begin", async (take) => {
      await page.reload();
      await take("list");
      for (const data of ["kunden.csv", "letters.csv", "vectors.npy", "broken.csv", "shapes"]) {
        await page.getByRole("radio", { name: new RegExp(`^${data}`) }).check();
        await page.waitForTimeout(700);
        await page
          .locator(".seen, .trouble")
          .first()
          .evaluate((e) => e.scrollIntoView());
        await take(data.replace(/\..*/, ""));
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        await take(`${data.replace(/\..*/, "")}-end`);
      }
      await page.getByRole("radio", { name: /^kunden/ }).check();
      await page.waitForTimeout(500);
      await page
        .locator("details")
        .evaluateAll((all) => all.forEach((e) => ((e as HTMLDetailsElement).open = true)));
      await page.screenshot({ path: `${folder}begin-folds.png`, fullPage: true });
    });
  });

if (wanted("dialogs"))
  test("survey of dialogs, contradictions, and what the page says at the end", async ({
    serve,
    visit,
    guard,
  }) => {
    guard.allow(/./);
    const studio = await serve({ "islands.csv": islands(3, 12) });
    const project = await studio.begin("islands.csv", { id: "id", "super-instances": "20" });
    const pairs = [
      { a: 0, b: 1, link: "same" },
      { a: 1, b: 2, link: "same" },
      { a: 0, b: 2, link: "same" },
    ];
    for (const [i, pair] of pairs.entries())
      await studio.call("POST", `/projects/${project}/links`, { id: `given-${i}`, pairs: [pair] });
    const page = await visit(studio, { project, newcomer: true });
    await looks(page, "dialogs", async (take, width) => {
      await page.evaluate(() => localStorage.removeItem("kindred/welcomed"));
      await page.reload();
      await expect(page.getByRole("dialog", { name: "How this works" })).toBeVisible();
      await take("welcome");
      await page.keyboard.press("Escape");
      if (width === 390) await page.getByRole("button", { name: "Question" }).click();
      await asked(page);
      await page.keyboard.press("h");
      await take("help");
      await page.keyboard.press("Escape");
      await asked(page);
      await page.keyboard.press("b");
      await take("bad");
      await page.keyboard.press("Escape");
      await openTab(page, "History");
      const choice = page.getByRole("combobox", { name: "answer about a0 and a2" });
      await choice.selectOption("different");
      const dialog = page.getByRole("dialog", { name: "This contradicts earlier answers" });
      await expect(dialog).toBeVisible();
      await take("contradiction");
      await dialog.getByRole("button", { name: "Take mine back" }).click();
      await expect(dialog).toBeHidden();
    });
    const choice = page.getByRole("combobox", { name: "answer about a0 and a2" });
    await choice.selectOption("different");
    await page.getByRole("button", { name: "Keep mine as doubt" }).click();
    await page.getByRole("button", { name: "Question" }).click();
    await answerAll(page, first, 60);
    await looks(page, "end", async (take, width) => {
      await openTab(page, "Contradictions");
      await take("contradictions");
      for (const tab of ["Doubts", "Groups", "Map"] as const) {
        await openTab(page, tab);
        await page.waitForTimeout(tab === "Map" ? 1200 : 200);
        await take(tab.toLowerCase());
      }
      if (width === 390) await page.getByRole("button", { name: "Question" }).click();
      await take("question");
    });
    await studio.stop("SIGKILL");
    await page.keyboard.press("u");
    await looks(page, "away", (take) => take("page"));
  });

if (wanted("people"))
  test("survey of several people", async ({ serve, visit, guard }) => {
    guard.allow(/./);
    const studio = await serve({ "islands.csv": islands(4, 12) }, ["ann", "bob"]);
    const project = await studio.begin("islands.csv", { id: "id", "super-instances": "24" });
    const ann = await visit(studio, { person: "ann", project });
    await asked(ann);
    await answer(ann, "same");
    await studio.call("PUT", `/projects/${project}/sharing`, {
      overlap: 1,
      repeat: 0,
      discount: true,
    });
    const bob = await visit(studio, { person: "bob", project });
    await answer(bob, "different");
    await answerAll(bob, first, 4);
    await looks(ann, "people", async (take, width) => {
      for (const tab of ["People", "Contradictions", "History", "Settings"] as const) {
        await openTab(ann, tab);
        await take(tab.toLowerCase());
      }
      if (width === 390) await ann.getByRole("button", { name: "Question" }).click();
      await take("question");
    });
  });

if (wanted("api"))
  test("survey of the documentation of the API", async ({ serve, visit, guard }) => {
    guard.allow(/./);
    const studio = await serve();
    const page = await visit(studio);
    await page.goto(`${studio.origin}/api/v1/docs`);
    await looks(page, "api", async (take) => {
      await page.evaluate(() => scrollTo(0, 0));
      await take("top");
      await page.evaluate(() => scrollTo(0, 1500));
      await take("calls");
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await take("end");
    });
  });
