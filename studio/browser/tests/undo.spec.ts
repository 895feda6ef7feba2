import { islands } from "../fixtures/data.ts";
import { answer, asked, counter } from "../fixtures/person.ts";
import { openTab, savedMark } from "../fixtures/look.ts";
import { away } from "../fixtures/guard.ts";
import { expect, test } from "../fixtures/test.ts";

test("what was answered before the server was started again can be taken back and brought back, one by one", async ({
  serve,
  visit,
  guard,
}) => {
  guard.allow(away);
  const studio = await serve({ "islands.csv": islands(4, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "20" });
  const page = await visit(studio, { project });
  const seen: string[] = [];
  for (let i = 0; i < 4; i++) {
    const q = (await asked(page))!;
    seen.push(`${q.a}-${q.b}`);
    await answer(page, q.a[0] === q.b[0] ? "same" : "different");
  }
  await expect.poll(async () => (await studio.state(project)).answers).toBe(4);

  await studio.stop();
  await expect(savedMark(page)).toHaveText("server away");
  await studio.again();
  await expect(savedMark(page)).toHaveText(/^saved/);

  for (let left = 3; left >= 0; left--) {
    await page.keyboard.press("u");
    await expect(counter(page)).toHaveAttribute("data-answers", String(left));
    // The question that was taken back is on the screen again.
    await expect.poll(async () => ask(await asked(page))).toBe(seen[left]);
  }
  for (let n = 1; n <= 4; n++) {
    await page.keyboard.press("r");
    await expect(counter(page)).toHaveAttribute("data-answers", String(n));
  }
  await expect.poll(async () => (await studio.state(project)).answers).toBe(4);
});

function ask(q: { a: string; b: string } | null): string {
  return q === null ? "" : `${q.a}-${q.b}`;
}

test("an answer in the history is changed, dropped, and both are taken back again", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(4, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "20" });
  const page = await visit(studio, { project });
  const q = (await asked(page))!;
  await answer(page, "same");
  await answer(page, "different");
  const links = async () => {
    const { links } = await studio.call<{
      links: { a: { id: string }; b: { id: string }; link: string }[];
    }>("GET", `/projects/${project}/links`);
    return links
      .filter((l) => (l.a.id === q.a && l.b.id === q.b) || (l.a.id === q.b && l.b.id === q.a))
      .map((l) => l.link);
  };
  const panel = await openTab(page, "History");
  const choice = panel.getByRole("combobox", { name: `answer about ${q.a} and ${q.b}` });
  await expect(choice).toHaveValue("same");
  await choice.selectOption("don't know");
  await expect(choice).toHaveValue("unknown");
  await expect.poll(links).toEqual(["unknown"]);
  await expect(counter(page)).toHaveAttribute("data-answers", "2");

  await panel.getByRole("button", { name: `Drop the answer about ${q.a} and ${q.b}` }).click();
  await expect.poll(links).toEqual([]);
  await expect(counter(page)).toHaveAttribute("data-answers", "1");

  // the focus is on the page
  await page.getByRole("heading", { name: "Do these two belong together?" }).click();
  await page.keyboard.press("Control+z");
  await expect.poll(links).toEqual(["unknown"]);
  await page.keyboard.press("Control+z");
  await expect.poll(links).toEqual(["same"]);
  await expect(choice).toHaveValue("same");
  const { events } = await studio.history(project);
  expect(events.map((e) => e.step)).toEqual([
    "undo",
    "undo",
    "drop",
    "unknown",
    "different",
    "same",
  ]);
  // Steps that no longer count stay in sight.
  await panel.getByRole("combobox", { name: "Show" }).selectOption("taken back or replaced");
  await expect(panel.getByText("no longer counts")).toHaveCount(1);
});
