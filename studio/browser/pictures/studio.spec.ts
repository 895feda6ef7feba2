// The pictures of the documents in which a project is under way.
import { fileURLToPath } from "node:url";
import { classes } from "../fixtures/data.ts";
import { openTab } from "../fixtures/look.ts";
import { answerAll, asked } from "../fixtures/person.ts";
import { expect, test } from "../fixtures/test.ts";

const to = (name: string) =>
  fileURLToPath(new URL(`../../../docs/images/studio-${name}.png`, import.meta.url));

test("digits: the question with the map, and the groups", async ({ serve, visit }) => {
  const truth = classes("digits");
  const studio = await serve();
  const project = await studio.begin("digits", { label: "class" });
  const page = await visit(studio, { project, viewport: { width: 1280, height: 800 } });
  await answerAll(page, (id) => truth.get(id)!, 39);
  await asked(page);
  await studio.settled(project);
  await openTab(page, "Map");
  await expect(page.getByRole("button", { name: "Neighbours" })).toBeVisible();
  await page.waitForTimeout(4000);
  await page.screenshot({ path: to("question") });
  const { clusters } = await studio.call<{ clusters: { medoid: { row: number; id: string } }[] }>(
    "GET",
    `/projects/${project}/groups`,
  );
  const words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
  for (const [i, c] of clusters.entries())
    await studio.call("POST", `/projects/${project}/names`, {
      id: `name-${i}`,
      row: c.medoid.row,
      name: words[Number(truth.get(c.medoid.id))]!,
    });
  const groups = await openTab(page, "Groups");
  await expect(groups.getByRole("heading", { name: "zero" }).first()).toBeVisible();
  await page.screenshot({ path: to("groups") });
});

test("digits: a contradiction", async ({ serve, visit, guard }) => {
  guard.allow(/status of 409/);
  const studio = await serve();
  const project = await studio.begin("digits", { label: "class" });
  const pairs = [
    { a: 41, b: 110, link: "same" },
    { a: 110, b: 154, link: "same" },
    { a: 41, b: 154, link: "same" },
  ];
  for (const [i, pair] of pairs.entries())
    await studio.call("POST", `/projects/${project}/links`, { id: `given-${i}`, pairs: [pair] });
  const page = await visit(studio, { project, viewport: { width: 1280, height: 800 } });
  await page.getByRole("combobox", { name: "answer about 42 and 155" }).selectOption("different");
  await expect(
    page.getByRole("dialog", { name: "This contradicts earlier answers" }),
  ).toBeVisible();
  await page.waitForTimeout(500);
  await page.screenshot({ path: to("contradiction") });
});
