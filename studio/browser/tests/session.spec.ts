import type { Page } from "@playwright/test";
import { readFile } from "node:fs/promises";
import { classes, islands, readCSV } from "../fixtures/data.ts";
import { answer, answerAll, type Asked, asked, counter, respond } from "../fixtures/person.ts";
import { adjustedRand } from "../fixtures/score.ts";
import { saved } from "../fixtures/look.ts";
import { expect, test } from "../fixtures/test.ts";

test("a whole session on handwritten digits, by the keyboard alone, finds the groups", async ({
  serve,
  visit,
}) => {
  const truth = classes("digits");
  const studio = await serve();
  const project = await studio.begin("digits", { label: "class", "super-instances": "40" });
  const page = await visit(studio, { project, panel: "map" });

  const given = await answerAll(page, (id) => truth.get(id)!);
  await expect(
    page.getByRole("heading", { name: /No more questions|the groups have settled/ }),
  ).toBeVisible();
  expect(given).toBeGreaterThan(30);
  expect(given).toBeLessThan(110);

  // From the end of the questions to the file, still without a mouse.
  await press(page, "Export");
  const download = page.waitForEvent("download");
  await press(page, "For spreadsheets: CSV");
  const rows = readCSV(await readFile(await (await download).path(), "utf8"));
  expect(rows).toHaveLength(truth.size);
  const score = adjustedRand(
    rows.map((r) => r["cluster"]!),
    rows.map((r) => truth.get(r["id"]!)!),
  );
  console.log(`digits: ${given} answers, adjusted Rand index ${score.toFixed(3)}`);
  expect(score).toBeGreaterThan(0.75);
});

test("thirty answers already put most digits right, and the page says how many more are likely", async ({
  serve,
  visit,
}) => {
  const truth = classes("digits");
  const studio = await serve();
  const project = await studio.begin("digits", { label: "class", "super-instances": "40" });
  const page = await visit(studio, { project });
  await answerAll(page, (id) => truth.get(id)!, 30);
  await expect(counter(page)).toHaveText(/^30 answers/);
  await expect(page.getByText(/likely .*\d+ more, at most \d+|\d+ more/)).toBeVisible();
  await expect.poll(async () => (await studio.state(project)).fitting).toBe(false);
  const { rows } = await studio.call<{ rows: { id: string; cluster: number }[] }>(
    "GET",
    `/projects/${project}/partition?limit=2000`,
  );
  expect(
    adjustedRand(
      rows.map((r) => String(r.cluster)),
      rows.map((r) => truth.get(r.id)!),
    ),
  ).toBeGreaterThan(0.6);
});

test("don't know, skip and bad data each have a key, and none of them is lost", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(4, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "16" });
  const page = await visit(studio, { project });

  const first = (await asked(page))!;
  await answer(page, "unknown");
  await expect.poll(async () => (await studio.state(project)).answers).toBe(1);

  const second = (await asked(page))!;
  await respond(page, second, () => page.keyboard.press("k"));
  await expect.poll(async () => (await studio.state(project)).skipped).toBe(1);

  const third = (await asked(page))!;
  const dialog = page.getByRole("dialog", { name: "Which of the two is bad data?" });
  await expect(async () => {
    // the pair may change once more, and refuse the key
    if (!(await dialog.isVisible())) await page.keyboard.press("b");
    await expect(dialog).toBeVisible({ timeout: 2500 });
  }).toPass();
  await dialog.getByRole("button", { name: third.b }).press("Enter");
  await expect(dialog).toBeHidden();
  await expect.poll(async () => (await studio.state(project)).bad).toBe(1);

  const { events } = await studio.history(project);
  expect(events.map((e) => [e.step, e.a?.id, e.b?.id])).toEqual([
    ["bad", third.b, undefined],
    ["skip", second.a, second.b],
    ["unknown", first.a, first.b],
  ]);
  // Undo takes them back from the last to the first.
  for (const left of [
    { bad: 0, skipped: 1, answers: 1 },
    { bad: 0, skipped: 0, answers: 1 },
    { bad: 0, skipped: 0, answers: 0 },
  ]) {
    await page.keyboard.press("u");
    await expect
      .poll(async () => {
        const { bad, skipped, answers } = await studio.state(project);
        return { bad, skipped, answers };
      })
      .toEqual(left);
  }
});

/** noneAhead opens a page anew that knows no question but the one on the screen. */
async function noneAhead(page: Page): Promise<Asked> {
  await page.route("**/turn*", async (route) => {
    const response = await route.fetch();
    const turn = (await response.json()) as { ahead: object[] };
    await route.fulfill({ response, json: { ...turn, ahead: [] } });
  });
  await page.reload();
  const q = (await asked(page))!;
  await saved(page);
  await page.unroute("**/turn*");
  return q;
}

test("while the groups are still being worked out, nobody is told that it is the end", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(4, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "20" });
  const page = await visit(studio, { project });
  await noneAhead(page);
  await page.evaluate(() => {
    const ends = () =>
      document.querySelector(".end.done") !== null && document.body.setAttribute("data-ended", "");
    new MutationObserver(ends).observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
    });
  });
  // As of a fit that takes long: the reply has no question, and the next turn comes late.
  await page.route("**/answers*", async (route) => {
    const response = await route.fetch();
    const reply = (await response.json()) as {
      state: { fitting: boolean; fitted: number };
      turn: object;
    };
    reply.state.fitting = true;
    reply.state.fitted--;
    reply.turn = { ahead: [], done: "The groups are being worked out." };
    await route.fulfill({ response, json: reply });
  });
  let come = () => {};
  const late = new Promise<void>((resolve) => (come = resolve));
  await page.route("**/turn*", async (route) => {
    await late;
    await route.continue();
  });
  await page.keyboard.press("d");
  await expect(page.locator(".end[aria-busy=true]")).toBeVisible();
  // the page hears that the fit has ended
  await studio.call("POST", `/projects/${project}/names`, { id: "named", row: 0, name: "sand" });
  await expect(page.getByRole("button", { name: /^Undo/ })).toBeEnabled();
  await page.waitForTimeout(1000);
  come();
  await expect.poll(async () => (await asked(page)) !== null).toBe(true);
  await expect(page.locator("body")).not.toHaveAttribute("data-ended");
});

test("a reply that comes after the news of what follows from it does not keep the page waiting", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(4, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "20" });
  const page = await visit(studio, { project });
  const q = await noneAhead(page);
  // It is of a moment before the fit ended, which leaves nothing to ask.
  await page.route("**/answers*", async (route) => {
    const response = await route.fetch();
    const reply = (await response.json()) as {
      state: { fitting: boolean; fitted: number };
      turn: object;
    };
    await studio.settled(project);
    await page.waitForTimeout(1000);
    reply.state.fitting = true;
    reply.state.fitted--;
    reply.turn = { ahead: [], done: "The groups are being worked out." };
    await route.fulfill({ response, json: reply });
  });
  await page.route("**/turn*", (route) =>
    route.fulfill({ json: { ahead: [], done: "Every question is answered." } }),
  );
  await respond(page, q, () => page.keyboard.press("d"));
  await expect(page.locator(".end.done")).toContainText("Every question is answered.");
});

test("the guess is hidden until it is asked for, and hidden again with the next question", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const page = await visit(studio, { project: await studio.begin("islands.csv", { id: "id" }) });
  await asked(page);
  const button = page.getByRole("button", { name: "What would kindred guess?" });
  await expect(button).toHaveAttribute("aria-expanded", "false");
  await expect(page.getByText(/same: \d+ %/)).toBeHidden();
  await page.keyboard.press("g");
  await expect(page.getByText(/same: \d+ %/)).toBeVisible();
  await answer(page, "same");
  await expect(page.getByText(/same: \d+ %/)).toBeHidden();
});

test("a key that is held down, or a button clicked twice, answers once", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(4, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "20" });
  const page = await visit(studio, { project });
  const q = (await asked(page))!;
  await respond(page, q, async () => {
    await page.keyboard.down("d");
    await page.keyboard.down("d"); // the browser's repeat
    await page.keyboard.down("d");
    await page.keyboard.up("d");
  });
  await expect(counter(page)).toHaveAttribute("data-answers", "1");
  await saved(page);
  await studio.settled(project);
  const next = (await asked(page))!;
  await respond(page, next, () =>
    page.getByRole("button", { name: "Different" }).evaluate(async (button) => {
      button.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
      // the page goes on from the question, and none stands still in between
      for (let i = 0; i < 10; i++) await Promise.resolve();
      button.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 2 }));
    }),
  );
  await expect(counter(page)).toHaveAttribute("data-answers", "2");
  await expect.poll(async () => (await studio.state(project)).answers).toBe(2);
});

/** press walks with Tab to a control of that name, and presses it. */
async function press(page: import("@playwright/test").Page, name: string): Promise<void> {
  for (let i = 0; i < 120; i++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(
      () =>
        document.activeElement?.getAttribute("aria-label") ??
        document.activeElement?.textContent?.trim() ??
        "",
    );
    if (focused === name) {
      await page.keyboard.press("Enter");
      return;
    }
  }
  throw new Error(`Tab does not lead to ${name}`);
}
