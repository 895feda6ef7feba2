// Every panel of projects of each kind, at three widths, light and dark, to be looked at:
// `npm run survey` leaves them in results/survey.
import { fileURLToPath } from "node:url";
import { classes, islands, letters, npy, waves } from "../fixtures/data.ts";
import { openTab, tabs } from "../fixtures/look.ts";
import { answerAll, asked } from "../fixtures/person.ts";
import { test } from "../fixtures/test.ts";

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
  islands: {
    data: "islands.csv",
    files: { "islands.csv": islands(4, 12) },
    class: first,
    answers: 0,
  },
};

const only = process.env["SURVEY"]?.split(",");
for (const [name, c] of Object.entries(cases)) {
  if (only !== undefined && !only.includes(name)) continue;
  test(`survey of ${name}`, async ({ serve, visit, guard }) => {
    guard.allow(/./);
    const studio = await serve(c.files ?? {});
    const project = await studio.begin(c.data, c.settings);
    const page = await visit(studio, { project, viewport: { width: 1280, height: 800 } });
    await answerAll(page, c.class, c.answers);
    await asked(page);
    await studio.settled(project);
    const schemes = (process.env["SCHEMES"]?.split(",") ?? ["light", "dark"]) as (
      "light" | "dark"
    )[];
    for (const scheme of schemes) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      for (const [width, height] of sizes) {
        await page.setViewportSize({ width, height });
        const take = (what: string) =>
          page.screenshot({ path: `${folder}${name}-${what}-${width}-${scheme}.png` });
        if (width === 390) {
          await page.getByRole("button", { name: "Question" }).click();
          await take("question");
        }
        for (const tab of tabs) {
          await openTab(page, tab);
          await page.waitForTimeout(tab === "Map" ? 1500 : 500);
          if (tab === "Object" && name !== "islands") {
            await openTab(page, "Doubts");
            const tile = page.locator(".tile-open").first();
            if ((await tile.count()) > 0) await tile.click();
            await page.waitForTimeout(500);
          }
          await take(tab.toLowerCase());
        }
      }
    }
  });
}
