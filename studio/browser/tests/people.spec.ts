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

test("a link opens the page once, and the first of the people makes others", async ({
  serve,
  visit,
  guard,
  browser,
}) => {
  guard.allow(/status of 4(01|09)|ERR_/);
  const studio = await serve({ "islands.csv": islands(3, 12) }, ["ann", "bob"]);
  const project = await studio.begin("islands.csv", { id: "id" });
  const ann = await visit(studio, { person: "ann", project, panel: "people" });
  const people = await openTab(ann, "People");
  await people.getByRole("combobox", { name: "person whom a link is for" }).selectOption("bob");
  await people.getByRole("button", { name: "New link for bob" }).click();
  const field = people.getByRole("textbox", { name: "new link for bob" });
  await expect(field).toHaveValue(/\/\?code=\w+$/);
  await expect(people.getByText("Send it to bob in private.")).toBeVisible();
  await shot(ann, "link");
  const link = await field.inputValue();

  const enter = async () => {
    const context = await browser.newContext();
    guard.watch(context, studio.origin);
    const page = await context.newPage();
    await page.goto(link);
    return page;
  };
  const bob = await enter();
  await expect(bob.getByText("bob", { exact: true })).toBeVisible();
  const other = await enter();
  await expect(other.getByText("The link was used already", { exact: false })).toBeVisible();
  await expect(other.getByText("What to do:")).toBeVisible();
  await shot(other, "link-used");
  // Who came by it goes on after a restart.
  await studio.stop();
  await studio.again();
  await bob.reload();
  await expect(bob.getByText("bob", { exact: true })).toBeVisible();
  for (const page of [bob, other]) await page.context().close();
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
  await expect(page.getByText("open a new link")).toBeVisible();
  await stranger.close();
});
