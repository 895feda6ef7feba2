import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { away } from "../fixtures/guard.ts";
import { asked } from "../fixtures/person.ts";
import { expect, test } from "../fixtures/test.ts";

/** Two groups of rows, of which a few lack values. */
function gaps(): string {
  const rows = ["a,b,colour"];
  for (let i = 0; i < 30; i++) {
    const far = i % 2 === 0 ? 0 : 100;
    rows.push(
      [
        i % 10 === 3 ? "" : far + i,
        i % 15 === 4 ? "" : far - i,
        i === 7 ? "" : far ? "red" : "blue",
      ].join(","),
    );
  }
  return rows.join("\n") + "\n";
}

test("missing values are asked about before a project is begun, and all rows stay", async ({
  serve,
  visit,
  guard,
}) => {
  guard.allow(/status of 409/); // the page asks for a question while the project is being opened
  const studio = await serve({ "gaps.csv": gaps() });
  const page = await visit(studio);
  await page.getByRole("radio", { name: /^gaps\.csv/ }).check();
  const choice = page.getByRole("group", { name: "Missing values" });
  await expect(choice).toContainText("6 rows lack values: a 3, b 2, colour 1.");
  await expect(
    choice.getByRole("radio", { name: /keep all rows.*30 rows, 4 features/ }),
  ).toBeChecked();
  await expect(
    choice.getByRole("radio", { name: /leave out 6 rows.*24 rows, 4 features/ }),
  ).toBeVisible();
  await expect(page.locator("body"), "no flag is quoted").not.toContainText("--");
  const listed = await studio.call<{ projects: unknown[] }>("GET", "/projects");
  expect(listed.projects, "nothing is created before").toEqual([]);

  await page.getByRole("button", { name: "Begin" }).click();
  await asked(page);
  expect(await studio.state("gaps")).toMatchObject({ rows: 30, settings: { missing: "keep" } });
});

test("rows that lack values are left out where that is chosen, and other data ask anew", async ({
  serve,
  visit,
  guard,
}) => {
  guard.allow(/status of 409/);
  const studio = await serve({ "gaps.csv": gaps(), "more.csv": gaps() });
  const page = await visit(studio);
  await page.getByRole("radio", { name: /^more\.csv/ }).check();
  const choice = page.getByRole("group", { name: "Missing values" });
  await choice.getByRole("radio", { name: /fill in the mean/ }).check();
  await page.getByRole("radio", { name: /^gaps\.csv/ }).check();
  await expect(
    choice.getByRole("radio", { name: /keep all rows/ }),
    "the other choice was about other data",
  ).toBeChecked();
  await choice.getByRole("radio", { name: /leave out/ }).check();
  await page.getByRole("button", { name: "Begin" }).click();
  await asked(page);
  expect(await studio.state("gaps")).toMatchObject({ rows: 24, settings: { missing: "drop" } });
});

test("a stored project whose data lack values now asks, and goes on with all answers", async ({
  serve,
  visit,
  guard,
}) => {
  guard.allow(away);
  const whole = "id,x,y\n" + Array.from({ length: 12 }, (_, i) => `r${i},${i},${i % 3}`).join("\n");
  const studio = await serve({ "rows.csv": `${whole}\n` });
  const project = await studio.begin("rows.csv");
  await studio.call("POST", `/projects/${project}/answers`, {
    id: "a1",
    a: 0,
    b: 9,
    answer: "different",
  });
  await studio.stop();
  await writeFile(join(studio.folder, "rows.csv"), `${whole.replace("r4,4,1", "r4,,1")}\n`);
  await studio.again();
  const page = await visit(studio, { project });
  const choice = page.getByRole("group", { name: "Missing values" });
  await expect(choice).toContainText("1 row lacks values: x 1.");
  await expect(page.locator("body"), "no flag is quoted").not.toContainText(/--[a-z]/);
  await page.getByRole("button", { name: "Go on", exact: true }).click();
  await page.getByRole("button", { name: "Take the answers along" }).click();
  await asked(page);
  expect(await studio.state(project)).toMatchObject({
    rows: 12,
    answers: 1,
    settings: { missing: "keep" },
  });
});
