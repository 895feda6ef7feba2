import type { Page } from "@playwright/test";
import { islands } from "../fixtures/data.ts";
import { saved, shot } from "../fixtures/look.ts";
import { type Asked, answer, asked, counter } from "../fixtures/person.ts";
import type { Studio } from "../fixtures/studio.ts";
import { expect, test } from "../fixtures/test.ts";

interface Turn {
  question: { a: { row: number }; b: { row: number } };
  ahead: Turn["question"][];
}

/** begin opens a page with a question; its server has another one when the page looks again. */
async function begin(
  serve: typeof Studio.start,
  visit: (studio: Studio, how: { project: string }) => Promise<Page>,
): Promise<{ studio: Studio; project: string; page: Page; q: Asked }> {
  const studio = await serve({ "islands.csv": islands(4, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "20" });
  const page = await visit(studio, { project });
  await asked(page);
  await saved(page);
  await studio.settled(project);
  const q = (await asked(page))!;
  await page.route("**/turn*", async (route) => {
    const response = await route.fetch();
    const { ahead } = (await response.json()) as Turn;
    await route.fulfill({ response, json: { question: ahead[0], ahead: ahead.slice(1) } });
  });
  return { studio, project, page, q };
}

/** pressAtChange presses a key in the page when its pair has changed, before the next frame. */
async function pressAtChange(page: Page, key: string): Promise<void> {
  await page.evaluate((key) => {
    const names = () => {
      return [...document.querySelectorAll("figure figcaption")].map((e) => e.textContent).join();
    };
    const before = names();
    const observer = new MutationObserver(() => {
      if (names() === before || names() === "") return;
      observer.disconnect();
      const how = { key, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new KeyboardEvent("keydown", how));
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  }, key);
}

/** stir changes something else, so that the page asks what is to be answered now. */
async function stir(studio: Studio, project: string): Promise<void> {
  const step = { id: "named", row: 0, name: "sand" };
  await studio.call("POST", `/projects/${project}/names`, step);
}

/** answers returns the answers that the server has, the first one first. */
async function answers(studio: Studio, project: string): Promise<string[]> {
  const { events } = await studio.history(project);
  const answers = events.filter((e) => e.b !== undefined).reverse();
  return answers.map((e) => `${e.a!.id} ${e.step} ${e.b!.id}`);
}

test("a pair stays when the server asks another one, and the key counts for it", async ({
  serve,
  visit,
}) => {
  const { studio, project, page, q } = await begin(serve, visit);
  const asks = page.waitForResponse(/\/turn\?/);
  await stir(studio, project);
  await asks;
  expect(await asked(page)).toEqual(q);
  await answer(page, "same");
  await expect(counter(page)).toHaveAttribute("data-answers", "1");
  await saved(page);
  expect(await answers(studio, project)).toEqual([`${q.a} same ${q.b}`]);
});

test("two quick keys answer one pair, and the page says so", async ({ serve, visit }) => {
  const { studio, project, page } = await begin(serve, visit);
  await page.unroute("**/turn*");
  for (let times = 1; times <= 2; times++) {
    const given = await answers(studio, project);
    const now = (await asked(page))!;
    await pressAtChange(page, "s");
    await page.keyboard.press("s");
    await expect(page.getByText(/^Not counted: (it came with|you had answered)/)).toBeVisible();
    await shot(page, "swap-refused");
    await saved(page);
    expect(await answers(studio, project)).toEqual([...given, `${now.a} same ${now.b}`]);
    await expect(page.getByText(/^Not counted/), "it goes of itself").toBeHidden();
  }
});

test("a key does not answer a pair that another view covers", async ({ serve, visit }) => {
  const { studio, project, page } = await begin(serve, visit);
  await page.unroute("**/turn*");
  await page.setViewportSize({ width: 420, height: 800 });
  await page.getByRole("tab", { name: "History" }).click();
  await expect(page.locator("section.question")).toBeHidden();
  await expect(page.locator("section.question")).toHaveAttribute("data-open", "false");
  // A key pressed before the page has drawn the other view still means the pair.
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  await page.keyboard.press("s");
  await expect(page.getByText("Not counted: there was no pair in sight.")).toBeVisible();
  await page.getByRole("button", { name: "Question", exact: true }).click();
  await answer(page, "same");
  await saved(page);
  expect(await answers(studio, project)).toHaveLength(1);
});
