import { csv, islands } from "../fixtures/data.ts";
import { answer, asked } from "../fixtures/person.ts";
import { expect, test } from "../fixtures/test.ts";

test("the link opens the page, and leaves the address", async ({ serve, visit }) => {
  const studio = await serve();
  const page = await visit(studio);
  await expect(page.getByRole("heading", { name: "Which data?" })).toBeVisible();
  expect(page.url()).not.toContain("code");
  await expect(page).toHaveTitle(/kindred/);
  expect(await page.evaluate(() => document.cookie), "no script reads the token").toBe("");
});

test("kindred demo: one command, and the first two digits are on the screen as pictures", async ({
  serve,
  visit,
}) => {
  const studio = await serve({}, [], true);
  const page = await visit(studio, { newcomer: true });
  const welcome = page.getByRole("dialog", { name: "How this works" });
  await expect(welcome).toContainText("stop when the groups are right"); // kin has no bar
  await welcome.getByRole("button", { name: "Begin" }).press("Enter");
  const q = (await asked(page))!;
  await expect(
    page
      .getByRole("figure", { name: q.a })
      .getByRole("img", { name: `object ${q.a}`, exact: true }),
  ).toBeVisible();
  await answer(page, "different");
});

test("a project is begun on the page: a sample, a method, the first question", async ({
  serve,
  visit,
  guard,
}) => {
  guard.allow(/status of 409/); // the page asks for a question while the project is being opened
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const page = await visit(studio);
  await page.getByRole("radio", { name: /^iris/ }).check();
  await page.getByRole("combobox", { name: "Method" }).selectOption("cobra");
  await page.getByRole("spinbutton", { name: "Super-instances" }).fill("12");
  await page.getByRole("combobox", { name: "class is" }).selectOption("true classes");
  await expect(page.getByText("150 rows × 4 features will be compared.")).toBeVisible();
  await page.getByRole("button", { name: "Begin" }).click();
  await asked(page);
  await answer(page, "same");
  expect(await studio.state("iris")).toMatchObject({ method: "cobra", rows: 150 });

  // From there a second one, on a file of the folder.
  await page.getByRole("button", { name: /all projects/ }).click();
  await page.getByRole("radio", { name: /^islands\.csv/ }).check();
  await page.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByRole("button", { name: /^islands\.csv: all projects/ })).toBeVisible();
  await asked(page);
});

test("records of persons: what is not compared is said, and a partly filled column is known before", async ({
  serve,
  visit,
  guard,
}) => {
  guard.allow(/status of 409/); // the page asks for a question while the project is being opened
  const persons = Array.from({ length: 280 }, (_, i) => [
    i % 140,
    `name${i}`,
    `road ${i} at ${i / 2}`,
    1000 + ((i * 3) % 700),
    "abc"[i % 3]!,
  ]);
  const table = csv(["entity", "surname", "address", "postcode", "state"], persons);
  const few = Array.from({ length: 24 }, (_, i) => [
    i % 2 ? 1 + i / 40 : 7 + i / 40,
    i % 2 ? 2 + i / 50 : 8 + i / 50,
    i < 5 ? (i % 2 ? "oak" : "elm") : "",
  ]);
  const studio = await serve({ "persons.csv": table, "few.csv": csv(["x", "y", "kind"], few) });
  const page = await visit(studio);
  await page.getByRole("radio", { name: /^persons\.csv/ }).check();
  const only = /only 2 columns are compared, of 5: entity, state/i;
  await expect(page.locator(".suspicion").filter({ hasText: only })).toContainText("File of links");
  await expect(page.getByRole("status").filter({ hasText: only })).toBeVisible(); // beside Begin
  await expect(page.getByText("choose “compared” to compare it").first()).toBeVisible();
  await expect(page.getByText(/in 2 rows each/)).toBeVisible();

  await page.getByRole("radio", { name: /^few\.csv/ }).check();
  await expect(page.getByRole("combobox", { name: "kind is" })).toBeVisible();
  await page.getByText("What is known before").click();
  await page.getByRole("spinbutton", { name: "Share of the true classes known before" }).fill("1");
  await expect(
    page.getByRole("alert").filter({ hasText: "name it with “True classes”" }),
  ).toBeVisible();
  await page.getByRole("combobox", { name: "kind is" }).selectOption("true classes");
  await expect(page.getByText("24 rows × 2 features will be compared.")).toBeVisible();
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await asked(page);
  const state = await studio.state("few");
  expect(state.notes.join("\n")).toContain("the classes of 5 rows are known before");

  // Another project on the same data has a name of its own in the head.
  await page.getByRole("button", { name: /^few\.csv: all projects/ }).click();
  await page.getByRole("radio", { name: /^few\.csv/ }).check();
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await expect(page.getByRole("button", { name: /^few-2: all projects/ })).toBeVisible();
});

test("data that cannot be are refused in words that name the place and the mend", async ({
  serve,
  visit,
  guard,
}) => {
  guard.allow(/status of 4\d\d/);
  const studio = await serve({ "ragged.csv": "id,x,y\na,1,2\nb,1\nc,3,4\n" });
  const page = await visit(studio);
  await page.getByRole("radio", { name: /^ragged\.csv/ }).check();
  await expect(page.getByRole("alert").filter({ hasText: "ragged.csv" }).first()).toContainText(
    /line 3/,
  );
  await expect(page.getByRole("button", { name: "Begin", exact: true })).toBeDisabled();
  // Another choice is looked at as if nothing had been.
  await page.getByRole("radio", { name: /^iris/ }).check();
  await expect(page.getByText("150 rows × 4 features will be compared.")).toBeVisible();
  await expect(page.getByRole("alert").filter({ hasText: "ragged.csv" })).toHaveCount(0);
});

test("the method is changed under way, and all answers stay", async ({ serve, visit, guard }) => {
  // an answer may come while the project is opened anew; the page sends it again
  guard.allow(/status of 409/);
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "12" });
  const page = await visit(studio, { project, panel: "settings" });
  await answer(page, "different");
  await answer(page, "different");
  const panel = page.getByRole("tabpanel", { name: "Settings" });
  await panel.getByRole("combobox", { name: "Method" }).selectOption("evclus");
  await panel.getByRole("spinbutton", { name: "Number of groups" }).fill("3");
  await panel.getByRole("button", { name: "Go on with these" }).click();
  await expect
    .poll(async () => (await studio.state(project).catch(() => null))?.method)
    .toBe("evclus");
  await expect.poll(async () => (await studio.state(project)).answers).toBe(2);
  await expect(page.locator("[data-answers]")).toHaveAttribute("data-answers", "2");
});

test("the page weighs little, and all of it comes from the server", async ({ serve, visit }) => {
  const studio = await serve();
  const project = await studio.begin("digits", { label: "class" });
  const page = await visit(studio, { project });
  await asked(page);
  const [paint, parts] = await page.evaluate(() => {
    const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
    const all = [
      ...performance.getEntriesByType("navigation"),
      ...performance.getEntriesByType("resource"),
    ] as PerformanceResourceTiming[];
    return [
      paint,
      all
        .filter((e) => !e.name.includes("/api/"))
        .map((e) => ({ name: new URL(e.name).pathname, size: e.encodedBodySize })),
    ] as const;
  });
  const weight = parts.reduce((sum, p) => sum + p.size, 0);
  console.log(
    `page: ${(weight / 1000).toFixed(1)} kB compressed in ${parts.length} files, first paint after ${Math.round(paint)} ms`,
  );
  expect(parts.map((p) => p.name)).toEqual(expect.arrayContaining(["/app.js", "/app.css"]));
  expect(weight).toBeGreaterThan(10_000);
  expect(weight).toBeLessThan(300_000);
});

test("a project that is being opened is asked for nothing, and shown once it is open", async ({
  serve,
  visit,
}) => {
  const lines = ["id,a,b,c,d"];
  for (let i = 0; i < 60_000; i++)
    lines.push([`r${i}`, ...[1, 2, 3, 4].map((j) => Math.sin(i * j).toFixed(3))].join(","));
  const studio = await serve({ "many.csv": lines.join("\n") + "\n" });
  const page = await visit(studio);
  await expect(page.getByRole("heading", { name: "Which data?" })).toBeVisible();
  const { id } = await studio.call<{ id: string }>("POST", "/projects", {
    data: "many.csv",
    settings: { id: "id" },
  });
  // The page goes to the only project there is, and somebody may come while it is being opened. What
  // is refused is an error in the console, which fails the test.
  await page.waitForURL(`${studio.origin}/#/${id}*`);
  await page.reload();
  await asked(page);
});
