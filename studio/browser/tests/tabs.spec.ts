import { islands } from "../fixtures/data.ts";
import { saved } from "../fixtures/look.ts";
import { answer, asked, counter } from "../fixtures/person.ts";
import { expect, test } from "../fixtures/test.ts";

test("two tabs of one person show the same question, and each goes on when it is told to", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(4, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "20" });
  const one = await visit(studio, { project });
  const two = await visit(studio, { project, beside: one });
  for (let i = 0; i < 4; i++) {
    // Both are looked at anew each time: the tab that hears of an answer counts it before it has
    // the next question.
    await expect
      .poll(async () => {
        const [here, there] = [(await asked(one))!, (await asked(two))!];
        return here.a === there.a && here.b === there.b;
      })
      .toBe(true);
    const [here, there] = i % 2 === 0 ? [one, two] : [two, one];
    await answer(here, "different");
    // The other tab keeps the pair, and says that it is answered.
    await expect(there.getByText("You answered this pair already: different.")).toBeVisible();
    await there.keyboard.press("k");
    for (const page of [one, two])
      await expect(counter(page)).toHaveAttribute("data-answers", String(i + 1));
  }
  for (const page of [one, two]) {
    await saved(page); // an answer on its way is counted already
    await expect(counter(page)).toHaveAttribute("data-answers", "4");
  }
  expect((await studio.history(project)).total).toBe(4);
});

test("a stale second tab answers the pair that it shows, and never another one", async ({
  serve,
  visit,
  guard,
}) => {
  guard.allow(/ERR_FAILED|status of 409/);
  const studio = await serve({ "islands.csv": islands(4, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "20" });
  const one = await visit(studio, { project });
  // The second one hears of nothing, as a tab that was asleep, or a page on another machine.
  const two = await visit(studio);
  await two.route("**/events", (route) => route.abort());
  await two.goto(`${studio.origin}/#/${project}/history`);
  await two.reload();
  const q = (await asked(two))!;
  await expect.poll(async () => (await asked(one))!.a).toBe(q.a);
  await answer(one, "different");
  await answer(one, "different");
  await expect.poll(async () => (await studio.state(project)).answers).toBe(2);

  expect((await asked(two))!.a + (await asked(two))!.b).toBe(q.a + q.b);
  await two.keyboard.press("s");
  await expect(two.getByText("That pair was answered otherwise meanwhile")).toBeVisible();
  // Nothing was overwritten, nothing else was answered, and the tab goes on from where the first
  // one is.
  const { events } = await studio.history(project);
  expect(events.map((e) => e.step)).toEqual(["different", "different"]);
  expect([events[1]!.a!.id, events[1]!.b!.id].sort()).toEqual([q.a, q.b].sort());
  await expect(two.getByText("You answered this pair already: different.")).toBeVisible();
  await two.keyboard.press("k");
  await expect
    .poll(async () => (await asked(two))!.a + (await asked(two))!.b)
    .toBe((await asked(one))!.a + (await asked(one))!.b);
});

test("answers that two tabs give at the same moment are each kept once", async ({
  serve,
  visit,
  guard,
}) => {
  guard.allow(/status of 409/); // the slower of the two may have been overtaken
  const studio = await serve({ "islands.csv": islands(4, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "20" });
  const one = await visit(studio, { project });
  const two = await visit(studio, { project, beside: one });
  await Promise.all([asked(one), asked(two)]);
  await Promise.all([one.keyboard.press("d"), two.keyboard.press("d")]);
  await expect(counter(one)).not.toHaveAttribute("data-answers", "0");
  await expect(counter(two)).not.toHaveAttribute("data-answers", "0");
  await expect
    .poll(async () => one.locator("[data-waiting]").getAttribute("data-waiting"))
    .toBe("0");
  const { events } = await studio.history(project);
  const pairs = events.map((e) => [e.a!.id, e.b!.id].sort().join());
  expect(new Set(pairs).size).toBe(pairs.length);
});
