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
  guard.allow(/status of 503/); // the page asks for a question while the project is being opened
  const studio = await serve({ "gaps.csv": gaps() });
  const page = await visit(studio);
  await page.getByRole("radio", { name: /^gaps\.csv/ }).check();
  await page.getByRole("button", { name: "Begin" }).click();
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
  guard.allow(/status of 503/);
  const studio = await serve({ "gaps.csv": gaps(), "more.csv": gaps() });
  const page = await visit(studio);
  await page.getByRole("radio", { name: /^more\.csv/ }).check();
  await page.getByRole("button", { name: "Begin" }).click();
  const choice = page.getByRole("group", { name: "Missing values" });
  await expect(choice).toBeVisible();
  await page.getByRole("radio", { name: /^gaps\.csv/ }).check();
  await expect(choice, "that was about other data").toBeHidden();
  await page.getByRole("button", { name: "Begin" }).click();
  await choice.getByRole("radio", { name: /leave out/ }).check();
  await page.getByRole("button", { name: "Begin" }).click();
  await asked(page);
  expect(await studio.state("gaps")).toMatchObject({ rows: 24, settings: { missing: "drop" } });
});
