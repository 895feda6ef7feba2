import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { classes, readCSV } from "../fixtures/data.ts";
import { openTab } from "../fixtures/look.ts";
import { answerAll } from "../fixtures/person.ts";
import { expect, test } from "../fixtures/test.ts";
import type { Page } from "@playwright/test";

async function taken(page: Page, name: string): Promise<Buffer> {
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name, exact: true }).click();
  return readFile(await (await download).path());
}

test("what is exported is opened again: groups, answers, history, picture, model and the project", async ({
  serve,
  visit,
}) => {
  const truth = classes("iris");
  const studio = await serve();
  const project = await studio.begin("iris", { label: "class", "super-instances": "15" });
  const page = await visit(studio, { project, panel: "exports" });
  const given = await answerAll(page, (id) => truth.get(id)!, 12);
  await expect.poll(async () => (await studio.settled(project)).answers).toBe(given);
  await openTab(page, "Export");

  const partition = readCSV((await taken(page, "For spreadsheets: CSV")).toString());
  expect(partition.map((r) => r["id"])).toEqual([...truth.keys()]);
  expect(partition.every((r) => /^\d+$/.test(r["cluster"]!))).toBe(true);
  const lines = (await taken(page, "For programs: JSON lines"))
    .toString()
    .trim()
    .split("\n")
    .map((l) => JSON.parse(l) as { id: string | number; cluster: number });
  expect(lines.map((l) => String(l.cluster))).toEqual(partition.map((r) => r["cluster"]));
  expect((await taken(page, "For large data: Parquet")).subarray(0, 4).toString()).toBe("PAR1");

  const answers = await taken(page, "The answers: CSV");
  expect(readCSV(answers.toString())).toHaveLength(given);
  const history = readCSV((await taken(page, "The history: CSV")).toString());
  expect(history.map((r) => r["step"])).toEqual(
    (await studio.history(project)).events.map((e) => e.step).reverse(),
  );

  const svg = (await taken(page, "The groups in the plane: SVG")).toString();
  // where the page's content policy does not look at what is parsed
  const blank = await page.context().newPage();
  const drawn = await blank.evaluate((text) => {
    const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    return {
      name: root.nodeName,
      wrong: root.querySelector("parsererror")?.textContent ?? "",
      shapes: root.querySelectorAll("path, circle").length,
    };
  }, svg);
  expect(drawn).toMatchObject({ name: "svg", wrong: "" });
  expect(drawn.shapes).toBeGreaterThan(100);
  expect((await taken(page, "The groups in the plane: PNG")).subarray(1, 4).toString()).toBe("PNG");
  const model = await taken(page, "The model: JSON");
  expect(JSON.parse(model.toString())).toBeTruthy();
  const file = await taken(page, "The project: Project file");
  expect(file.subarray(0, 15).toString()).toBe("SQLite format 3");

  // The command takes them all again.
  await writeFile(join(studio.folder, "answers.csv"), answers);
  await writeFile(join(studio.folder, "model.json"), model);
  await writeFile(join(studio.folder, "groups.csv"), await taken(page, "For spreadsheets: CSV"));
  await writeFile(join(studio.folder, "copy.kindred"), file);
  await studio.command(
    "cluster",
    "iris",
    "--method",
    "cobra",
    "--links",
    "answers.csv",
    "--oracle",
    "labels",
    "--label",
    "class",
    "--budget",
    "5",
    "--out",
    "again.csv",
  );
  await studio.command("score", "groups.csv", "iris", "--label", "class", "--links", "answers.csv");
  await studio.command("predict", "model.json", "iris", "--out", "placed.csv");
  const placed = readCSV(await readFile(join(studio.folder, "placed.csv"), "utf8"));
  expect(placed).toHaveLength(truth.size);
  // The copy is a project like the other, and goes on from there.
  await studio.open("copy");
  expect((await studio.state("copy")).answers).toBe(given);
  await page.goto(`${studio.origin}/#/copy/history`);
  await expect(page.locator("[data-answers]")).toHaveAttribute("data-answers", String(given));
});

test("every picture that is offered of an evidential partition can be had", async ({
  serve,
  visit,
}) => {
  const studio = await serve();
  const project = await studio.begin("wine", {
    label: "class",
    method: "evclus",
    clusters: "3",
    scale: "zscore",
  });
  const page = await visit(studio, { project, panel: "exports" });
  const links = page.getByRole("region", { name: "Pictures", exact: true }).getByRole("link");
  await expect(links.first()).toBeVisible();
  for (const link of await links.all()) {
    const address = await link.getAttribute("href");
    const response = await page.request.get(`${studio.origin}${address}`);
    expect(response.status(), address ?? "").toBe(200);
    expect(response.headers()["content-disposition"]).toMatch(/^attachment/);
    expect((await response.body()).length).toBeGreaterThan(1000);
  }
  const partition = readCSV((await taken(page, "For spreadsheets: CSV")).toString());
  expect(partition).toHaveLength(178);
  expect(Object.keys(partition[0]!)).toEqual(
    expect.arrayContaining(["id", "cluster", "lower", "upper", "outlier"]),
  );
});
