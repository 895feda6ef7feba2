import { islands } from "../fixtures/data.ts";
import { away } from "../fixtures/guard.ts";
import { savedMark } from "../fixtures/look.ts";
import { answer, asked, counter } from "../fixtures/person.ts";
import { expect, test } from "../fixtures/test.ts";

test.beforeEach(({ guard }) => guard.allow(away));

test("a server killed in the middle of an answer: the page says so, sends each answer once, and none is lost", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(4, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "30" });
  const page = await visit(studio, { project });
  let given = 0;
  for (let round = 0; round < 3; round++) {
    await answer(page, "different");
    given++;
    await asked(page);
    const killed = studio.stop("SIGKILL"); // as the answer is on its way
    await answer(page, "different");
    given++;
    await killed;
    await expect(savedMark(page)).toContainText("server away");
    await studio.again();
    await expect(savedMark(page)).toHaveText(/^saved/);
    await expect.poll(async () => (await studio.state(project)).answers).toBe(given);
  }
  const { events } = await studio.history(project);
  expect(events).toHaveLength(given);
  expect(new Set(events.map((e) => e.id)).size).toBe(given);
});

test("answers given while the server is away are counted, kept when the page is closed, and sent when both are back", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(4, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "30" });
  const page = await visit(studio, { project });
  await answer(page, "different");
  await expect(savedMark(page)).toHaveText(/^saved/);
  await studio.stop("SIGKILL");
  let waiting = 0;
  for (; waiting < 3; waiting++) {
    const away = page.getByRole("heading", { name: "The server is away" });
    await expect(
      away.or(page.getByRole("button", { name: "Same", exact: true })).first(),
    ).toBeVisible();
    if (await away.isVisible()) break;
    await answer(page, "different");
  }
  expect(waiting).toBeGreaterThan(0);
  await expect(savedMark(page)).toHaveText(
    `not saved: ${waiting} ${waiting === 1 ? "waits" : "wait"}; server away`,
  );
  await expect(counter(page)).toHaveAttribute("data-answers", String(1 + waiting));

  // keeps the browser's storage while the first page is closed
  const second = await page.context().newPage();
  await page.close();
  await studio.again();
  await second.goto(`${studio.origin}/#/${project}/history`);
  await expect(savedMark(second)).toHaveText(/^saved/);
  await expect.poll(async () => (await studio.state(project)).answers).toBe(1 + waiting);
  expect((await studio.history(project)).total).toBe(1 + waiting);
});

test("answers that wait survive a reload, and one that never left is taken back without the server", async ({
  serve,
  visit,
  guard,
}) => {
  guard.allow(/ERR_FAILED/);
  const studio = await serve({ "islands.csv": islands(4, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "30" });
  const page = await visit(studio, { project });
  await page.context().route("**/answers*", (route) => route.abort());
  await answer(page, "different");
  await answer(page, "same");
  await answer(page, "different");
  await expect(savedMark(page)).toHaveText(/^not saved: 3 wait/);
  await page.keyboard.press("u"); // the last one
  await expect(counter(page)).toHaveAttribute("data-answers", "2");
  await page.reload();
  await expect(savedMark(page)).toHaveText(/^not saved: 2 wait/);
  await expect(counter(page)).toHaveAttribute("data-answers", "2");
  expect((await studio.history(project)).total).toBe(0);
  await page.context().unroute("**/answers*");
  await expect(savedMark(page)).toHaveText(/^saved/);
  const { events } = await studio.history(project);
  expect(events.map((e) => e.step)).toEqual(["same", "different"]);
});
