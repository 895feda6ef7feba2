// A look at data before a project is begun, and a new user's walk through all of it by keyboard.

import type { Page } from "@playwright/test";
import { wrongs } from "../fixtures/axe.ts";
import { customers, pictures, waves } from "../fixtures/data.ts";
import { answerAll, asked, exportedByKeyboard, kindsOf, tabTo } from "../fixtures/person.ts";
import { expect, test } from "../fixtures/test.ts";

/** unfold opens all parts of the form. */
async function unfold(page: Page): Promise<void> {
  await page
    .locator(".begin details")
    .evaluateAll((all) => all.forEach((d) => ((d as HTMLDetailsElement).open = true)));
}

const begin = (page: Page) => page.getByRole("button", { name: "Begin", exact: true });

test("a new user's walk by keyboard, from a file to its groups", async ({
  serve,
  visit,
  guard,
}) => {
  guard.allow(/status of 409/);
  const studio = await serve({ "kunden.csv": customers() });
  const page = await visit(studio);
  // chooses the file: arrows go on among the data
  await tabTo(page, page.getByRole("radio", { name: /^iris/ }));
  const file = page.getByRole("radio", { name: /^kunden\.csv/ });
  for (let i = 0; i < 8 && !(await file.isChecked()); i++) await page.keyboard.press("ArrowDown");
  await expect(file).toBeChecked();
  // sees the columns
  await expect(page.getByText("24 rows, 6 columns")).toBeVisible();
  const item = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  await expect(page.getByRole("combobox", { name: "Kunde is" })).toHaveValue("id");
  await expect(
    item("Einkommen").getByRole("img", { name: /from 1\d\d\d\.\d+ to 42\d\d/ }),
  ).toBeVisible();
  await expect(item("Seit").first()).toContainText("2012-03-01 to 2021-03-24");
  await expect(page.getByText("24 rows × 5 features will be compared.")).toBeVisible();
  // changes a role: the points are not to count
  const points = page.getByRole("combobox", { name: "Punkte is" });
  await tabTo(page, points);
  await page.keyboard.type("left");
  await expect(points).toHaveValue("drop");
  await expect(page.getByText("24 rows × 4 features will be compared.")).toBeVisible();
  // chooses what becomes of missing values
  const keep = page.getByRole("radio", { name: /keep all rows/ });
  await tabTo(page, keep);
  await page.keyboard.press("ArrowDown");
  await expect(page.getByText("22 rows × 4 features will be compared.")).toBeVisible();
  await page.keyboard.press("ArrowUp");
  await expect(keep).toBeChecked();
  expect(await wrongs(page)).toEqual([]);
  await tabTo(page, begin(page));
  await page.keyboard.press("Enter");
  // answers, and looks at the columns behind a question
  await asked(page);
  expect(await studio.state("kunden")).toMatchObject({
    rows: 24,
    settings: { missing: "keep", drop: "Punkte" },
  });
  await tabTo(page, page.getByText("What makes them close"));
  await page.keyboard.press("Enter");
  await expect(page.locator(".explain tbody tr")).toHaveCount(3);
  const kind = (id: string) => String(Number(id.slice(2)) % 2);
  await answerAll(page, kind, 12);
  await studio.settled("kunden");
  // looks at the groups, and takes them along
  await tabTo(page, page.getByRole("tab", { selected: true }));
  const tab = page.getByRole("tab", { name: "Groups" });
  for (let i = 0; i < 9 && (await tab.getAttribute("aria-selected")) !== "true"; i++)
    await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("heading", { name: /Group 1/ }).first()).toBeVisible();
  const rows = await exportedByKeyboard(page);
  expect(rows.length).toBe(24);
  for (const [cluster, kinds] of kindsOf(rows, kind))
    expect(kinds.size, `group ${cluster}`).toBe(1);
});

test("a matrix is seen to be one, and begun on", async ({ serve, visit, guard }) => {
  guard.allow(/status of 4\d\d/);
  const names = Array.from({ length: 12 }, (_, i) => `m${i}`);
  const cell = (i: number, j: number) => (i === j ? 0 : i % 2 === j % 2 ? 1 + ((i + j) % 3) : 9);
  const lines = names.map((n, i) => [n, ...names.map((_, j) => cell(i, j))].join(","));
  const studio = await serve({ "matrix.csv": [["", ...names].join(","), ...lines].join("\n") });
  const page = await visit(studio);
  await page.getByRole("radio", { name: /^matrix\.csv/ }).check();
  await expect(page.getByText("12 rows, 13 columns")).toBeVisible();
  await page.getByText("What else can be compared").click();
  await page
    .getByRole("combobox", { name: "It is a matrix of dissimilarities" })
    .selectOption("true");
  await expect(page.getByText("12 objects", { exact: true })).toBeVisible();
  await expect(page.getByRole("alert")).toContainText(/“Number of groups”/);
  await expect(begin(page)).toBeDisabled();
  await page.getByRole("spinbutton", { name: "Number of groups" }).fill("2");
  await expect(page.getByText("12 objects will be compared.")).toBeVisible();
  await begin(page).click();
  await asked(page);
  expect(await studio.state("matrix")).toMatchObject({ rows: 12, method: "evclus" });
});

test("of a wide table the first columns are shown, and others are found by name", async ({
  serve,
  visit,
}) => {
  const head = Array.from({ length: 10_000 }, (_, i) => `c${i}`).join(",");
  const row = (k: number) => Array.from({ length: 10_000 }, (_, i) => (i * k) % 7).join(",");
  const studio = await serve({ "wide.csv": [head, row(1), row(2), row(3), row(5)].join("\n") });
  const page = await visit(studio);
  await page.getByRole("radio", { name: /^wide\.csv/ }).check();
  const columns = page.getByRole("region", { name: "columns" });
  await expect(columns.getByRole("combobox")).toHaveCount(200);
  await expect(columns).toContainText("9,800 more columns");
  await page.getByRole("searchbox", { name: "find a column" }).fill("c9999");
  await expect(columns.getByRole("combobox")).toHaveCount(1);
  await page.getByRole("combobox", { name: "c9999 is" }).selectOption("left out");
  await expect(page.getByText(/^4 rows × 8,57\d features|^4 rows × 9,\d+ features/)).toBeVisible();
  // It comes back beside all others.
  await page.getByRole("combobox", { name: "c9999 is" }).selectOption("compared");
  await expect(page.getByRole("combobox", { name: "c9999 is" })).toHaveValue("features");
  await expect(begin(page)).toBeEnabled();
});

test("one changes one's mind: the last choice counts, and all can be taken back", async ({
  serve,
  visit,
}) => {
  const studio = await serve({ "kunden.csv": customers(), "waves.csv": waves(6) });
  const page = await visit(studio);
  await page.getByRole("radio", { name: /^kunden\.csv/ }).check();
  await page.getByRole("radio", { name: /^wine/ }).check();
  await page.getByRole("radio", { name: /^iris/ }).check();
  await expect(page.getByText("150 rows × 4 features will be compared.")).toBeVisible();
  await page.getByRole("radio", { name: /^kunden\.csv/ }).check();
  await expect(page.getByText("24 rows × 5 features will be compared.")).toBeVisible();
  const place = page.getByRole("combobox", { name: "Ort is" });
  await place.selectOption("left out");
  await expect(page.getByText("24 rows × 3 features will be compared.")).toBeVisible();
  await place.selectOption("compared");
  await expect(page.getByText("24 rows × 5 features will be compared.")).toBeVisible();
  const since = page.getByRole("combobox", { name: "Seit is" });
  await since.selectOption("compared");
  await expect(page.getByText(/24 rows × ([6-9]|\d\d) features will be compared/)).toBeVisible();
  await page.getByRole("button", { name: /Take all back/ }).click();
  await expect(page.getByText("24 rows × 5 features will be compared.")).toBeVisible();
  await expect(since).toHaveValue("drop");
});

test("no sentence of the page quotes a flag, whatever is wrong with the data", async ({
  serve,
  visit,
  guard,
}) => {
  guard.allow(/status of 4\d\d/);
  const files: Record<string, string | Uint8Array> = {
    "ragged.csv": "id,x,y\na,1,2\nb,1\nc,3,4\n",
    "gaps.csv": customers(),
    "class.csv": "x,y,class\n1,2,a\n2,3,b\n4,5,a\n",
    "texts.csv": "id,note\na,the cat sat on the mat\nb,a dog ran\nc,some rain fell\nd,sun again\n",
    "codes.csv":
      "zip,customer_no,x,when\n" +
      Array.from(
        { length: 30 },
        (_, i) => `0${1000 + i},${i + 1},${i % 4},2021-03-${10 + (i % 9)}`,
      ).join("\n"),
    "constant.csv": "x,y\n1,1\n1,1\n1,1\n1,1\n",
    "square.csv": "0,1,2\n1,0,3\n2,3,0\n",
    "lists.jsonl": '{"v":[1,2,3],"n":"a"}\n{"v":[1,2,4],"n":"b"}\n{"v":[9,2,3],"n":"c"}\n',
    "ragged.jsonl": '{"v":[1,2,3]}\n{"v":[1,2]}\n{"v":"x"}\n',
    "none.csv":
      "x,y\n" + Array.from({ length: 40 }, (_, i) => `${i === 5 ? -999 : i},${i % 3}`).join("\n"),
    "mixed.csv":
      "price,n\n" + Array.from({ length: 40 }, (_, i) => `${i % 9 ? i : "n.v."},${i}`).join("\n"),
    "empty.csv": "",
    "old.parquet": "not parquet",
    "book.xlsx": "not a workbook",
    "base.sqlite": "not a database",
    "latin.csv": new Uint8Array([120, 44, 121, 10, 0xe4, 0x81, 44, 49, 10, 0xff, 44, 50, 10]),
    "waves.csv": waves(6),
    ...pictures(3),
  };
  const studio = await serve(files);
  const page = await visit(studio);
  const names = [...Object.keys(files).filter((n) => !n.startsWith("shapes/")), "shapes", "iris"];
  for (const name of names) {
    await page.getByRole("radio", { name: new RegExp(`^${name.replace(".", "\\.")}`) }).check();
    await expect(page.locator(".seen")).toHaveAttribute("aria-busy", "false");
    await expect(
      page
        .getByText(/will be compared\.|^It cannot be begun so/)
        .or(page.getByRole("alert"))
        .first(),
    ).toBeVisible();
    await unfold(page);
    const text = (await page.locator("body").textContent()) ?? "";
    expect(/.{0,60}(?:--[a-z]|\s-k\b).{0,40}/.exec(text)?.[0] ?? "", name).toBe("");
  }
});

test("on a phone nothing is wider than the page", async ({ serve, visit }) => {
  const studio = await serve({ "kunden.csv": customers() });
  const page = await visit(studio, { viewport: { width: 390, height: 800 } });
  await page.getByRole("radio", { name: /^kunden\.csv/ }).check();
  await expect(begin(page)).toBeEnabled();
  await unfold(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
