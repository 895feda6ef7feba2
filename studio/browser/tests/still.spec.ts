import type { Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { classes, islands } from "../fixtures/data.ts";
import { saved, shot } from "../fixtures/look.ts";
import { answer, asked, type Asked, counter } from "../fixtures/person.ts";
import type { Studio } from "../fixtures/studio.ts";
import { expect, test } from "../fixtures/test.ts";

const samples = new URL("../../../data/sample/files/", import.meta.url);
const wine = () => gunzipSync(readFileSync(new URL("wine.csv.gz", samples)));
const digits = () => gunzipSync(readFileSync(new URL("digits.csv.gz", samples)));

const pair = (q: Asked | null) => (q === null ? "" : `${q.a}-${q.b}`);

/** answers returns the answers that the server has, the first one first. */
async function answers(studio: Studio, project: string): Promise<string[]> {
  const { events } = await studio.history(project);
  return events
    .filter((e) => ["same", "different", "unknown"].includes(e.step))
    .map((e) => `${e.a!.id} ${e.step} ${e.b!.id}`)
    .reverse();
}

/**
 * sixty presses sixty keys, each by the true classes of the pair then on the screen: ten a second,
 * or as fast as the browser draws the next pair, where that takes longer. It returns what was on
 * the screen at each press, with the answer.
 */
async function sixty(page: Page, classOf: Map<string, string>): Promise<string[]> {
  const pressed: string[] = [];
  let last = -Infinity;
  for (let i = 0; i < 60; i++) {
    const q = (await asked(page))!;
    await new Promise((resolve) => setTimeout(resolve, last + 100 - performance.now()));
    const how = classOf.get(q.a) === classOf.get(q.b) ? "same" : "different";
    last = performance.now();
    await page.keyboard.press(how === "same" ? "s" : "d");
    // Where it came to the page late, the next one must not come with it.
    last = Math.max(last, performance.now() - 30);
    pressed.push(`${q.a} ${how} ${q.b}`);
  }
  return pressed;
}

for (const [name, method, file] of [
  ["digits", "kin", digits],
  ["wine", "cobra", wine],
] as const) {
  test(`sixty presses at ten a second are sixty answers: ${method} on ${name}`, async ({
    serve,
    visit,
  }) => {
    const studio = await serve({ [`${name}.csv`]: file() });
    const project = await studio.begin(`${name}.csv`, {
      label: "class",
      method,
      ...(method === "cobra" ? { "super-instances": "60" } : {}),
    });
    const page = await visit(studio, { project });
    await asked(page);
    const pressed = await sixty(page, classes(name));
    await shot(page, `still-sixty-${name}`);
    await expect(page.getByText("Not counted")).toHaveCount(0);
    await saved(page);
    expect(await answers(studio, project)).toEqual(pressed);
    await expect(counter(page)).toHaveAttribute("data-answers", "60");
    expect((await studio.state(project)).answers).toBe(60);
  });
}

test("a pair stays through a refit and the answer of somebody else, and says what became of it", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(4, 12) }, ["ann", "bob"]);
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "20" });
  const page = await visit(studio, { person: "ann", project });
  const q = (await asked(page))!;
  const rows = async () => {
    const { question } = await studio.call<{
      question: { a: { row: number }; b: { row: number } };
    }>("GET", `/projects/${project}/turn?shown=${await shown(page)}`);
    return { a: question.a.row, b: question.b.row };
  };
  const { a, b } = await rows();
  // Bob answers other pairs: the groups are found anew, and the pair stays.
  for (const [i, row] of [a, b].entries()) {
    const other = (row + 7 + i) % 48;
    const step = { id: `bob${i}`, a: row, b: other, answer: "unknown" };
    await studio.call("POST", `/projects/${project}/answers`, step, "bob");
  }
  await studio.settled(project);
  await expect(counter(page)).toHaveAttribute("data-answers", "2");
  expect(pair(await asked(page))).toBe(pair(q));
  await expect(page.locator(".moot")).toBeEmpty();

  // Bob answers this one.
  const same = { id: "bob", a, b, answer: "same" };
  await studio.call("POST", `/projects/${project}/answers`, same, "bob");
  const moot = page.locator(".moot");
  await expect(moot).toHaveText(
    "bob answered this pair meanwhile: same. Press k to go on, or answer it: your answer counts, too.",
  );
  expect(pair(await asked(page))).toBe(pair(q));
  await shot(page, "still-moot");
  await page.keyboard.press("s");
  await expect(counter(page)).toHaveAttribute("data-answers", "4");
  await saved(page);
  expect((await answers(studio, project)).at(-1)).toBe(`${q.a} same ${q.b}`);

  // One of the next two is left out: the pair stays, and is not answered.
  const next = (await asked(page))!;
  expect(pair(next)).not.toBe(pair(q));
  const bad = { id: "bad", row: (await rows()).b };
  await studio.call("POST", `/projects/${project}/bad`, bad, "bob");
  await expect(moot).toHaveText(
    `${next.b} was left out as bad data, so that an answer about it cannot count. Press k to go on.`,
  );
  await page.keyboard.press("d");
  await expect(page.getByText(`Not counted: ${next.b} was left out as bad data`)).toBeVisible();
  expect(pair(await asked(page))).toBe(pair(next));
  await shot(page, "still-closed");
  await page.keyboard.press("k");
  await expect.poll(async () => pair(await asked(page))).not.toBe(pair(next));
  await expect(moot).toBeEmpty();
  await saved(page);
  expect((await studio.history(project)).events[0]!.step, "to go on is no step").toBe("bad");
});

/** shown returns the rows of the pair on the screen, which are its ids in their order. */
async function shown(page: Page): Promise<string> {
  const q = (await asked(page))!;
  const row = (id: string) => 12 * "abcd".indexOf(id[0]!) + Number(id.slice(1));
  return `${row(q.a)}-${row(q.b)}`;
}

test("undo and redo, pressed quickly, come back to the same pairs", async ({ serve, visit }) => {
  const studio = await serve({ "islands.csv": islands(4, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "20" });
  const page = await visit(studio, { project });
  const seen: string[] = [];
  for (let i = 0; i < 4; i++) {
    const q = (await asked(page))!;
    seen.push(pair(q));
    await answer(page, q.a[0] === q.b[0] ? "same" : "different");
  }
  seen.push(pair(await asked(page)));
  const given = await answers(studio, project);
  for (let round = 0; round < 2; round++) {
    for (const key of ["u", "u", "u", "r", "u", "r", "r", "r"]) await page.keyboard.press(key);
    await expect.poll(async () => pair(await asked(page))).toBe(seen[4]);
    await saved(page);
    await expect.poll(async () => pair(await asked(page))).toBe(seen[4]);
    await expect(counter(page)).toHaveAttribute("data-answers", "4");
  }
  for (const left of [3, 2, 1, 0]) {
    await page.keyboard.press("u");
    await expect.poll(async () => pair(await asked(page))).toBe(seen[left]);
  }
  for (const left of [1, 2, 3, 4]) {
    await page.keyboard.press("r");
    await expect.poll(async () => pair(await asked(page))).toBe(seen[left]);
  }
  await saved(page);
  const { links } = await studio.call<{ links: unknown[] }>("GET", `/projects/${project}/links`);
  expect(links).toHaveLength(4);
  expect(await answers(studio, project), "nothing was answered anew").toEqual(given);
});

test("a key that acts on nothing says why", async ({ serve, visit }) => {
  const studio = await serve({ "islands.csv": islands(4, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "20" });
  const page = await visit(studio, { project });
  const q = await asked(page);
  await page.keyboard.press("u");
  await expect(page.getByText("There is nothing to take back.")).toBeVisible();
  await page.keyboard.press("h");
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(page.locator("section.question")).toHaveAttribute("data-open", "false");
  // A key pressed before the browser has drawn the dialog still means the pair.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
  await page.keyboard.press("s");
  await expect(page.getByRole("dialog").getByRole("status")).toHaveText(
    "Not counted: a dialog covers the pair. Close it first.",
  );
  await shot(page, "still-covered");
  await page.keyboard.press("Escape");
  expect(pair(await asked(page))).toBe(pair(q));
  await page.keyboard.down("d");
  await page.keyboard.down("d"); // it repeats
  await expect(page.getByText("Not counted: a key that is held down counts once.")).toBeVisible();
  await page.keyboard.up("d");
  await expect(counter(page)).toHaveAttribute("data-answers", "1");
  await saved(page);
  expect(await answers(studio, project)).toEqual([`${q!.a} different ${q!.b}`]);
});
