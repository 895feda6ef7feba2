import { islands } from "../fixtures/data.ts";
import { openTab, shot } from "../fixtures/look.ts";
import { answer, answerAll, asked, counter, respond } from "../fixtures/person.ts";
import { expect, test } from "../fixtures/test.ts";

const truth = (id: string) => id[0]!;

test("any method that learns from answers is begun on the page, and a strategy asks for it", async ({
  serve,
  visit,
  guard,
}) => {
  guard.allow(/status of 409/); // the page asks for a question while the project is being opened
  const studio = await serve({ "islands.csv": islands(4, 12) });
  const page = await visit(studio);
  await page.getByRole("radio", { name: /^islands\.csv/ }).check();
  const method = page.getByRole("combobox", { name: "Method" });
  await expect(method.locator("optgroup")).toHaveCount(2);
  expect(
    await method
      .locator("optgroup")
      .first()
      .locator("option")
      .evaluateAll((all) => all.map((o) => (o as HTMLOptionElement).value)),
  ).toEqual(["kin", "cobras", "cobra", "evclus", "kevclus"]);

  // The fields are those that mean something to the method.
  await method.selectOption("cobra");
  await expect(page.getByRole("spinbutton", { name: "Super-instances" })).toBeVisible();
  await expect(page.getByRole("spinbutton", { name: "Number of groups" })).toBeHidden();
  await method.selectOption("ncobras");
  await expect(page.getByRole("spinbutton", { name: "Wrong answers" })).toBeVisible();
  await method.selectOption("mpckmeans");
  await expect(page.getByRole("spinbutton", { name: "Super-instances" })).toBeHidden();
  const strategy = page.getByRole("combobox", { name: "Strategy" });
  await expect(strategy.locator("option[value=nonspecificity]"), "it goes by masses").toHaveCount(
    0,
  );
  await page.getByRole("spinbutton", { name: "Number of groups" }).fill("4");
  await strategy.selectOption("npu");
  await expect(page.getByRole("combobox", { name: "id is" })).toHaveValue("id");
  await shot(page, "method-begin");
  await page.getByRole("button", { name: "Begin" }).click();

  await asked(page);
  await answerAll(page, truth, 14);
  // A key that comes just as the question changes of itself is refused, so fewer may count.
  const shown = async () => Number(await counter(page).getAttribute("data-answers"));
  await expect
    .poll(
      async () => (await studio.settled("islands")).answers - (await shown()),
      "page and server agree",
    )
    .toBe(0);
  const given = await shown();
  expect(given).toBeGreaterThan(8);
  expect(await studio.state("islands")).toMatchObject({ method: "mpckmeans", clusters: 4 });
  await expect(page.getByText("stop when the groups are right")).toBeVisible();
  const groups = await openTab(page, "Groups");
  await expect(groups.getByRole("article")).toHaveCount(4);
  await shot(page, "strategic-groups");

  // What was answered can be taken back, and looked at again under History with why it was asked.
  await page.keyboard.press("u");
  await expect(counter(page)).toHaveAttribute("data-answers", String(given - 1));
  const history = await openTab(page, "History");
  await expect(
    history.getByText(/no answer says yet|is least like|is least certain/).first(),
  ).toBeVisible();
});

test("going on under COBRAS, and under a method with masses, keeps all answers", async ({
  serve,
  visit,
  guard,
}) => {
  // an answer may come while the project is opened anew; the page sends it again
  guard.allow(/status of 409/);
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "12" });
  const page = await visit(studio, { project, panel: "settings" });
  expect(await answerAll(page, truth, 6)).toBe(6);
  const panel = page.getByRole("tabpanel", { name: "Settings" });
  const goOn = async (name: string, answers: number) => {
    await panel.getByRole("button", { name: "Go on with these" }).click();
    await expect
      .poll(async () => (await studio.state(project).catch(() => null))?.method)
      .toBe(name);
    await expect.poll(async () => (await studio.settled(project)).answers).toBe(answers);
    return studio.settled(project);
  };
  await panel.getByRole("combobox", { name: "Method" }).selectOption("cobras");
  await goOn("cobras", 6);
  await expect(counter(page)).toHaveAttribute("data-answers", "6");
  await expect(panel.getByRole("combobox", { name: "Method" })).toHaveValue("cobras");
  await asked(page);
  await answer(page, "different");

  await panel.getByRole("combobox", { name: "Method" }).selectOption("cecm");
  await panel.getByRole("spinbutton", { name: "Number of groups" }).fill("3");
  await panel.getByRole("combobox", { name: "Strategy" }).selectOption("nonspecificity");
  await shot(page, "method-settings");
  const certain = /the groups so far are least certain of/;
  const asks = page.waitForResponse(
    async (r) => /\/turn\?/.test(r.url()) && r.ok() && certain.test(await r.text()),
  );
  const shown = (await asked(page))!;
  expect(await goOn("cecm", 7)).toMatchObject({ clusters: 3 });
  await expect(panel.getByRole("combobox", { name: "Strategy" })).toHaveValue("nonspecificity");
  await asks;
  expect(await asked(page), "the pair on the screen stays").toMatchObject({
    a: shown.a,
    b: shown.b,
  });
  await respond(page, shown, () => page.keyboard.press("k"));
  await expect(
    page.getByText(certain),
    "the next question is of the method that asks now",
  ).toBeVisible();
  const files = await openTab(page, "Export");
  await expect(files.getByRole("link", { name: "The masses of each row: SVG" })).toBeVisible();
  await expect(
    files.getByRole("link", { name: "The objective over the sweeps of the best start: SVG" }),
  ).toBeHidden();
});

test("settings that do not suit are refused in words, and all goes on as it was", async ({
  serve,
  visit,
  guard,
}) => {
  // the page asks for a question while the project is being opened
  guard.allow(/status of 409/);
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "12" });
  const page = await visit(studio, { project, panel: "settings" });
  const panel = page.getByRole("tabpanel", { name: "Settings" });
  await panel.getByRole("combobox", { name: "Method" }).selectOption("ssnb");
  await panel.getByRole("combobox", { name: "Strategy" }).selectOption("nonspecificity");
  await panel.getByRole("button", { name: "Go on with these" }).click();
  await expect(panel.getByRole("alert")).toContainText(/not taken.*number of clusters/);
  expect(await studio.state(project)).toMatchObject({ method: "cobra", answers: 0 });
  await asked(page);
});
