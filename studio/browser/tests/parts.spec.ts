// Files of several parts, files that are read otherwise, and what a sentence leads to.

import { npy, workbook, zip } from "../fixtures/data.ts";
import { answerAll, asked, exportedByKeyboard, kindsOf, tabTo } from "../fixtures/person.ts";
import { expect, test } from "../fixtures/test.ts";

/** Two sheets: one of customers of two kinds, and one of articles. */
function book(): Uint8Array {
  const customers: (string | number)[][] = [["Nr", "Umsatz", "Ort"]];
  const articles: (string | number)[][] = [["Nr", "Preis", "Gewicht", "Ort"]];
  for (let i = 0; i < 20; i++) {
    customers.push([`K${i}`, 100 + i + 700 * (i % 2), i % 2 ? "Kiel" : "Bonn"]);
    articles.push([`A${i}`, 2 + (i % 5) / 10 + 30 * (i % 2), 1 + (i % 3) / 10, "Werk"]);
  }
  return workbook({ Kunden: customers, Artikel: articles });
}

test("a sheet is chosen, and its groups exported, by keyboard", async ({ serve, visit, guard }) => {
  guard.allow(/status of 409/);
  const studio = await serve({ "mappe.xlsx": book() });
  const page = await visit(studio);
  await tabTo(page, page.getByRole("radio", { name: /^iris/ }));
  const file = page.getByRole("radio", { name: /^mappe\.xlsx/ });
  for (let i = 0; i < 8 && !(await file.isChecked()); i++) await page.keyboard.press("ArrowDown");
  await expect(file).toBeChecked();
  const sheet = page.getByRole("combobox", { name: "Sheet" });
  await expect(sheet).toHaveValue("Kunden");
  await expect(page.getByText("20 rows, 3 columns")).toBeVisible();
  await tabTo(page, sheet);
  await page.keyboard.type("Art");
  await expect(page.getByText("20 rows, 4 columns")).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Nr is" })).toHaveValue("id");
  const weight = page.getByRole("combobox", { name: "Gewicht is" });
  await tabTo(page, weight);
  await page.keyboard.type("left");
  await expect(page.getByText("20 rows × 1 feature will be compared.")).toBeVisible();
  await tabTo(page, page.getByRole("button", { name: "Begin", exact: true }));
  await page.keyboard.press("Enter");
  await asked(page);
  expect(await studio.state("mappe")).toMatchObject({
    rows: 20,
    settings: { sheet: "Artikel", drop: "Gewicht" },
  });
  const kind = (id: string) => String(Number(id.slice(1)) % 2);
  await answerAll(page, kind, 10);
  await studio.settled("mappe");
  await tabTo(page, page.getByRole("tab", { selected: true }));
  const rows = await exportedByKeyboard(page);
  expect(rows.length).toBe(20);
  for (const [cluster, kinds] of kindsOf(rows, kind))
    expect(kinds.size, `group ${cluster}`).toBe(1);
});

test("an array is to be chosen, and the page offers them all", async ({ serve, visit, guard }) => {
  guard.allow(/status of 422/);
  const rows = (n: number) => Array.from({ length: n }, (_, i) => [i, (i % 2) * 9]);
  const studio = await serve({
    "arrays.npz": zip({ "train.npy": npy(rows(12)), "test.npy": npy(rows(7)) }),
  });
  const page = await visit(studio);
  await page.getByRole("radio", { name: /^arrays\.npz/ }).check();
  const array = page.getByRole("combobox", { name: "Array" });
  await expect(page.getByRole("alert")).toContainText("holds 2 arrays: train, test");
  await expect(array).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByRole("button", { name: "Begin", exact: true })).toBeDisabled();
  await array.selectOption("test");
  await expect(page.getByText("7 rows × 2 features will be compared.")).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await array.selectOption("train");
  await expect(page.getByText("12 rows × 2 features will be compared.")).toBeVisible();
});

test("roles, types and weights stay where a file is read otherwise", async ({ serve, visit }) => {
  const head = "a;x;y;z";
  const lines = Array.from({ length: 12 }, (_, i) => `${i % 4};${i};${i % 3};${2 * i}`);
  const studio = await serve({ "rows.csv": [head, ...lines].join("\n") + "\n", "b.xlsx": book() });
  const page = await visit(studio);
  await page.getByRole("radio", { name: /^rows\.csv/ }).check();
  const role = (name: string) => page.getByRole("combobox", { name: `${name} is`, exact: true });
  await role("y").selectOption("left out");
  await page.getByText("Type and weight of x").click();
  await page.getByRole("spinbutton", { name: "Weight of x" }).fill("3");
  await page.getByText("How the file is read").click();
  const encoding = page.getByRole("textbox", { name: "Encoding" });
  await encoding.or(page.getByRole("combobox", { name: "Encoding" })).fill("windows-1252");
  await expect(page.locator(".seen")).toHaveAttribute("aria-busy", "false");
  await expect(role("y")).toHaveValue("drop");
  await expect(page.getByRole("spinbutton", { name: "Weight of x" })).toHaveValue("3");
  // By commas there is no column y.
  const delimiter = page.getByRole("combobox", { name: "Delimiter" });
  await delimiter.fill(",");
  await expect(page.getByText("12 rows, 1 column")).toBeVisible();
  await delimiter.fill(";");
  await expect(page.getByText("12 rows, 4 columns")).toBeVisible();
  // Another sheet has the column of that name.
  await page.getByRole("radio", { name: /^b\.xlsx/ }).check();
  await role("Ort").selectOption("left out");
  await expect(page.getByText("20 rows × 1 feature will be compared.")).toBeVisible();
  await page.getByRole("combobox", { name: "Sheet" }).selectOption("Artikel");
  await expect(page.getByText("20 rows × 2 features will be compared.")).toBeVisible();
  await expect(role("Ort")).toHaveValue("drop");
});

test("a setting that is named is marked and led to", async ({ serve, visit }) => {
  const cell = (i: number, j: number) => (i === j ? 0 : i % 2 === j % 2 ? 1 : 9);
  const line = (i: number) => Array.from({ length: 8 }, (_, j) => cell(i, j)).join(",");
  const studio = await serve({
    "square.csv": Array.from({ length: 8 }, (_, i) => line(i)).join("\n") + "\n",
  });
  const page = await visit(studio);
  await page.getByRole("radio", { name: /^square\.csv/ }).check();
  await page.getByText("What else can be compared").click();
  await page
    .getByRole("combobox", { name: "It is a matrix of dissimilarities" })
    .selectOption("true");
  const clusters = page.getByRole("spinbutton", { name: "Number of groups" });
  await expect(clusters).toHaveAttribute("aria-invalid", "true");
  await page.getByRole("button", { name: "Go to “Number of groups”" }).click();
  await expect(clusters).toBeFocused();
  await page.keyboard.type("2");
  await expect(page.getByText("8 objects will be compared.")).toBeVisible();
  await expect(clusters).not.toHaveAttribute("aria-invalid", "true");
  await expect(page.getByRole("button", { name: /^Go to/ })).toHaveCount(0);
});

test("a slow look says how far it is, and gives way to another", async ({
  serve,
  visit,
  guard,
}) => {
  guard.allow(/ERR_ABORTED|status of/);
  const studio = await serve({ "rows.csv": "x,y\n1,2\n3,4\n5,6\n" });
  const page = await visit(studio);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/api/v1/preview", async (route) => {
    if (route.request().method() === "GET")
      return route.fulfill({ json: { what: "reading rows.csv", share: 0.4 } });
    if (route.request().postData()?.includes("rows.csv")) await held;
    return route.continue().catch(() => {}); // nobody waits for it any more
  });
  await page.getByRole("radio", { name: /^rows\.csv/ }).check();
  await expect(page.locator(".seen")).toHaveAttribute("aria-busy", "true");
  const progress = page.getByRole("progressbar", { name: "looking at rows.csv" });
  await expect(progress).toHaveAttribute("value", "0.4");
  await expect(page.getByText("reading rows.csv")).toBeVisible();
  await expect(page.getByRole("button", { name: "Begin", exact: true })).toBeDisabled();
  await page.getByRole("radio", { name: /^iris/ }).check();
  await expect(page.getByText("150 rows × 4 features will be compared.")).toBeVisible();
  await expect(progress).toHaveCount(0);
  release();
  await page.getByRole("radio", { name: /^rows\.csv/ }).check();
  await expect(page.getByText("3 rows × 2 features will be compared.")).toBeVisible();
});

test("settings of an open project that meet missing values ask what becomes of them", async ({
  serve,
  visit,
  guard,
}) => {
  guard.allow(/status of 4\d\d/);
  const line = (i: number) =>
    `r${i},${i % 10 === 3 ? "" : 100 * (i % 2) + i},${100 * (i % 2) - i},${i % 2 ? "red" : "blue"}`;
  const studio = await serve({
    "gaps.csv": ["id,a,b,colour", ...Array.from({ length: 30 }, (_, i) => line(i))].join("\n"),
  });
  const project = await studio.begin("gaps.csv", { metric: "gower", clusters: "2" });
  const page = await visit(studio, { project, panel: "settings" });
  const form = page.locator("form.method");
  await form.getByRole("combobox", { name: "Method" }).selectOption("kin");
  await form.getByRole("button", { name: "Go on with these" }).click();
  const choice = form.getByRole("group", { name: "Missing values" });
  await expect(choice).toContainText("3 rows lack values: a 3.");
  await expect(choice.getByRole("radio", { name: /keep all rows/ })).toBeChecked();
  const prose = () =>
    page.locator("body").evaluate((body) => {
      const copy = body.cloneNode(true) as HTMLElement;
      for (const sample of copy.querySelectorAll("code")) sample.remove(); // of commands
      return copy.textContent;
    });
  await expect.poll(prose).not.toMatch(/--[a-z]/);
  await form.getByRole("button", { name: "Go on with these" }).click();
  await expect
    .poll(() =>
      studio.state(project).then(
        (s) => s.method,
        () => "",
      ),
    )
    .toBe("kin");
  await expect(choice).toHaveCount(0);
  expect(await studio.state(project)).toMatchObject({ settings: { missing: "keep" } });
});
