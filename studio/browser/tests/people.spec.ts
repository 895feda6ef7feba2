import { islands } from "../fixtures/data.ts";
import { answer, asked, type Asked } from "../fixtures/person.ts";
import { openTab, saved, shot } from "../fixtures/look.ts";
import { expect, test } from "../fixtures/test.ts";

const pair = (q: Asked | null) => (q === null ? "" : [q.a, q.b].sort().join());

test("two people with addresses of their own get different questions, and each sees the other's progress", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(4, 12) }, ["ann", "bob"]);
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "24" });
  const ann = await visit(studio, { person: "ann", project, panel: "people" });
  const bob = await visit(studio, { person: "bob", project, panel: "people" });
  await expect(ann.getByText("ann", { exact: true }).first()).toBeVisible();
  for (let i = 0; i < 4; i++) {
    for (const page of [ann, bob]) await saved(page);
    await expect.poll(async () => pair(await asked(ann)) === pair(await asked(bob))).toBe(false);
    await Promise.all([answer(ann, "different"), answer(bob, "different")]);
  }
  await expect.poll(async () => (await studio.state(project)).answers).toBe(8);
  const pairs = (await studio.history(project)).events.map((e) => [e.a!.id, e.b!.id].sort().join());
  expect(new Set(pairs).size, "no pair was answered by both").toBe(8);
  const people = await openTab(ann, "People");
  await expect(people.getByRole("listitem").filter({ hasText: "bob" })).toContainText("here now");
  await expect(people.getByRole("listitem").filter({ hasText: "bob" })).toContainText(
    /answers\s*4/,
  );
  await shot(ann, "people");
  // Each takes back their own step alone.
  await bob.keyboard.press("u");
  await expect
    .poll(async () => (await studio.history(project)).events[0])
    .toMatchObject({ step: "undo", who: "bob" });
  await expect(people.getByRole("listitem").filter({ hasText: "bob" })).toContainText(
    /answers\s*3/,
  );
});

test("a disagreement is kept, shown to both, and gone when they agree", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(4, 12) }, ["ann", "bob"]);
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "20" });
  const ann = await visit(studio, { person: "ann", project });
  const first = await asked(ann);
  await answer(ann, "same");
  await saved(ann); // else bob's first question would be another one
  await studio.call("PUT", `/projects/${project}/sharing`, {
    overlap: 1,
    repeat: 0,
    discount: false,
  });

  const bob = await visit(studio, { person: "bob", project });
  await expect.poll(async () => pair(await asked(bob))).toBe(pair(first));
  await expect(bob.getByText("Others answered this one, too.")).toBeVisible();
  await answer(bob, "different");
  await expect.poll(async () => (await studio.state(project)).disagreements).toBe(1);

  for (const page of [ann, bob]) {
    await expect(page.getByRole("tab", { name: "Contradictions 1" })).toBeVisible();
    const panel = await openTab(page, "Contradictions");
    await expect(panel.getByRole("heading", { name: "Answered in different ways" })).toBeVisible();
    await expect(panel.getByText("It counts as don't know.")).toBeVisible();
  }
  await shot(ann, "disagreement");
  // Neither changes what the other said: nobody is offered more than their own answer.
  await expect(ann.getByRole("button", { name: "I say same" })).toBeDisabled();
  await bob.getByRole("button", { name: "I say same" }).click();
  for (const page of [ann, bob]) await expect(page.getByText("All answers agree.")).toBeVisible();
  const people = await openTab(ann, "People");
  await expect(people.getByRole("listitem").filter({ hasText: "ann" })).toContainText("100 % of 1");
});

test("an address of one person is no use for the other's answers, and no address at all gets nothing", async ({
  serve,
  visit,
  guard,
  browser,
}) => {
  guard.allow(/status of 401/);
  const studio = await serve({ "islands.csv": islands(3, 12) }, ["ann", "bob"]);
  const project = await studio.begin("islands.csv", { id: "id" });
  const ann = await visit(studio, { person: "ann", project });
  await answer(ann, "different");
  await expect.poll(async () => (await studio.history(project)).events[0]?.who).toBe("ann");
  const seq = (await studio.history(project)).events[0]!.seq;
  expect(
    (
      await studio.fetch(
        "PATCH",
        `/projects/${project}/history/${seq}`,
        { id: "x", answer: "same" },
        "bob",
      )
    ).status,
  ).toBe(403);

  const stranger = await browser.newContext();
  guard.watch(stranger, studio.origin);
  const page = await stranger.newPage();
  await page.goto(studio.origin);
  await expect(page.getByText("open the link that kindred printed")).toBeVisible();
  await stranger.close();
});
