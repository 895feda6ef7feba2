import { execFile, spawn } from "node:child_process";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { islands } from "../fixtures/data.ts";
import { away } from "../fixtures/guard.ts";
import { savedMark } from "../fixtures/look.ts";
import { answer, asked, counter } from "../fixtures/person.ts";
import { kindred, type Studio } from "../fixtures/studio.ts";
import { expect, test } from "../fixtures/test.ts";

const run = promisify(execFile);

test.beforeEach(({ guard }) => {
  guard.allow(away);
  guard.allow(/status of (423|500|507)/);
});

const settings = { id: "id", "super-instances": "30" };

/** unkept is what the page says of answers that cannot be kept. */
const unkept = (page: Page) => page.getByRole("region", { name: "answers are not saved" });

/** once checks that the server has so many answers, each once. */
async function once(studio: Studio, project: string, answers: number): Promise<void> {
  const { events } = await studio.history(project);
  expect(events).toHaveLength(answers);
  expect(new Set(events.map((e) => e.id)).size).toBe(answers);
}

/** waits answers while nothing can be kept, and checks what the page and the server have. */
async function waits(page: Page, studio: Studio, project: string, kept: number): Promise<number> {
  await answer(page, "different");
  await expect(unkept(page)).toBeVisible();
  await asked(page);
  await answer(page, "different");
  await expect(savedMark(page)).toHaveText("not saved: 2 wait");
  await expect(counter(page)).toHaveAttribute("data-answers", String(kept + 2));
  await once(studio, project, kept); // nothing is acknowledged
  return kept + 2;
}

test("a project that was moved: the page says so and what to do, answers wait, and are sent once it is back", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(4, 12) });
  const project = await studio.begin("islands.csv", settings);
  const page = await visit(studio, { project });
  await answer(page, "different");
  await expect(savedMark(page)).toHaveText(/^saved/);
  const file = join(studio.folder, `${project}.kindred`);
  await rename(file, `${file}.aside`);
  const all = await waits(page, studio, project, 1);
  await expect(unkept(page)).toContainText("moved or removed while it was open");
  await expect(unkept(page)).toContainText("put it back");
  await rename(`${file}.aside`, file);
  await expect(savedMark(page)).toHaveText(/^saved/); // by itself
  await expect(unkept(page)).toHaveCount(0);
  await once(studio, project, all);
});

test("a limit on the size of files: answers wait over a reload, and a press sends them", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(4, 12) });
  const project = await studio.begin("islands.csv", settings);
  const page = await visit(studio, { project });
  await answer(page, "different");
  await expect(savedMark(page)).toHaveText(/^saved/);
  const limit = (bytes: string) =>
    run("prlimit", ["--pid", String(studio.pid), `--fsize=${bytes}:`]);
  try {
    await limit("1");
  } catch {
    test.skip(true, "prlimit is not there");
  }
  const all = await waits(page, studio, project, 1);
  await expect(unkept(page)).toContainText("The disk is full");
  await page.reload();
  await expect(unkept(page)).toBeVisible();
  await expect(savedMark(page)).toHaveText("not saved: 2 wait");
  await limit("unlimited");
  // unless it was just tried again by itself, and the button is gone
  const press = unkept(page).getByRole("button", { name: "Try again now" });
  await press.click({ timeout: 5000 }).catch(() => {});
  await expect(savedMark(page)).toHaveText(/^saved/);
  await once(studio, project, all);
});

test("a full disk: no answer is lost or counted twice", async ({ serve, visit }) => {
  const studio = await serve({ "islands.csv": islands(4, 12) }, [], false, "1m").catch((error) => {
    test.skip(/unshare/.test(String(error)), "no disk can be made here");
    throw error;
  });
  const project = await studio.begin("islands.csv", settings);
  const page = await visit(studio, { project });
  await answer(page, "different");
  await expect(savedMark(page)).toHaveText(/^saved/);
  const free = await studio.fill();
  let given = 1;
  // what fits into the room that the project has already is kept
  for (; given < 100 && !(await unkept(page).isVisible()); given++) {
    await asked(page);
    await answer(page, "different");
    await expect(savedMark(page).or(unkept(page)).first()).toHaveText(/^saved|^not saved|full/i);
  }
  await expect(unkept(page)).toContainText("The disk is full");
  await expect(unkept(page)).toContainText("free some space");
  const kept = (await studio.history(project)).total;
  expect(kept).toBeLessThan(given);
  await free();
  await expect(savedMark(page)).toHaveText(/^saved/);
  await once(studio, project, given);
});

test("a project that another kindred has open, or that is damaged: the page says so, and opens it once it can", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(4, 12) });
  const project = await studio.begin("islands.csv", settings);
  await studio.stop();
  const file = join(studio.folder, `${project}.kindred`);
  const other = spawn(kindred, ["ask", file, "--studio", "--no-browser", "--port", "0"], {
    cwd: studio.folder,
    env: studio.environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    await new Promise<void>((resolve) => {
      let said = "";
      other.stderr.setEncoding("utf8").on("data", (text: string) => {
        if ((said += text).includes("answer on the page")) resolve();
      });
    });
    await studio.again();
    const page = await visit(studio, { project });
    const end = page.locator("section.question .end");
    await expect(end).toContainText("the project is open in another kindred");
    await expect(end).toContainText("close that one first");
    await expect(end.getByRole("button", { name: "Try again now" })).toBeVisible();
    other.kill("SIGINT");
    await answer(page, "different"); // it opens by itself
    await expect(savedMark(page)).toHaveText(/^saved/);
    await once(studio, project, 1);
  } finally {
    other.kill("SIGKILL");
  }
  await studio.stop();
  const good = await readFile(file);
  await writeFile(file, "no project");
  await studio.again();
  const page = await visit(studio, { project });
  const end = page.locator("section.question .end");
  await expect(end).toContainText("the project file is damaged");
  await expect(end).toContainText("restore it from a copy");
  await expect(end).not.toContainText("--");
  await writeFile(file, good);
  await end.getByRole("button", { name: "Try again now" }).click();
  await answer(page, "same");
  await expect(savedMark(page)).toHaveText(/^saved/);
  await once(studio, project, 2);
});

test("a mistake in kindred: the page names the request that the log has", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "islands.csv": islands(4, 12) });
  const project = await studio.begin("islands.csv", settings);
  const page = await visit(studio, { project });
  await asked(page);
  let name = "";
  await page.route("**/answers*", (route) => {
    name = "0123456789ab";
    return route.fulfill({
      status: 500,
      contentType: "application/problem+json",
      body: JSON.stringify({
        type: "about:blank",
        title: "It failed",
        status: 500,
        detail: `something failed in kindred; its log says more under request ${name}`,
        mend: "try again",
        request: name,
      }),
    });
  });
  await answer(page, "different");
  await expect(unkept(page)).toContainText("its log says more under request 0123456789ab");
  await page.unroute("**/answers*");
  await expect(savedMark(page)).toHaveText(/^saved/);
  await once(studio, project, 1);
});
