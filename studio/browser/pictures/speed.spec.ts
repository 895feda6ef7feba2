// How fast the page is: `npm run speed` prints the first paint, and how long a panel takes to be
// switched to, at 100 000 objects. Quiet machines alone give figures that mean something.
import type { Page } from "@playwright/test";
import type { Tab } from "../fixtures/look.ts";
import { asked } from "../fixtures/person.ts";
import { test } from "../fixtures/test.ts";

// What records a test for inspection takes pictures of the page at each call, in its own time.
test.use({ trace: "off", screenshot: "off" });

const rows = Number(process.env["ROWS"] ?? 100_000);
const times = 5;

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;

/** painted is when a page first had something on it, in ms after it was asked for. */
function painted(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const first = list.getEntriesByName("first-contentful-paint")[0];
          if (first !== undefined) resolve(first.startTime);
        }).observe({ type: "paint", buffered: true });
      }),
  );
}

/** switched opens a panel, and returns the ms until the frame with it is drawn, and filled. */
function switched(page: Page, tab: Tab): Promise<[shown: number, filled: number]> {
  return page.evaluate(async (tab) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const button = [...document.querySelectorAll<HTMLElement>("[role=tab]")].find((t) =>
      t.textContent!.startsWith(tab),
    )!;
    const began = performance.now();
    button.click();
    await frame();
    await frame();
    const shown = performance.now() - began;
    const waits = () =>
      /^(…|The groups are being found …)$/.test(
        document.querySelector("#panel > :not(h2)")?.textContent?.trim() ?? "…",
      );
    while (waits() && performance.now() - began < 20_000) await frame();
    return [shown, performance.now() - began] as [number, number];
  }, tab);
}

test(`first paint, and the switch of panels at ${rows} objects`, async ({ serve, visit }) => {
  const lines = ["id,a,b,c,d"];
  for (let i = 0; i < rows; i++) {
    const group = i % 7;
    const near = (j: number) => (group * (j + 1) * 3 + Math.sin(i * (j + 3)) * 0.8).toFixed(3);
    lines.push(`r${i},${near(0)},${near(1)},${near(2)},${near(3)}`);
  }
  const studio = await serve({ "many.csv": lines.join("\n") + "\n" });
  const project = await studio.begin("many.csv", { id: "id" });
  await studio.settled(project);
  const page = await visit(studio, { project, viewport: { width: 1280, height: 800 } });
  await asked(page);
  const paints: number[] = [];
  for (let i = 0; i < times; i++) {
    await page.reload();
    paints.push(await painted(page));
    await asked(page);
  }
  console.log(`first paint: ${Math.round(median(paints))} ms`);
  for (const tab of [
    "Groups",
    "Search",
    "Object",
    "Doubts",
    "History",
    "Contradictions",
    "Export",
    "Settings",
    "Map",
  ] as Tab[]) {
    const all: [number, number][] = [];
    for (let i = 0; i < times; i++) {
      await switched(page, tab === "History" ? "Export" : "History");
      all.push(await switched(page, tab));
    }
    const [shown, filled] = [0, 1].map((k) => Math.round(median(all.map((x) => x[k]!))));
    console.log(`${tab}: ${shown} ms until it is shown, ${filled} ms until it is filled`);
  }
});
