import { islands } from "../fixtures/data.ts";
import { away } from "../fixtures/guard.ts";
import { savedMark } from "../fixtures/look.ts";
import { answer, asked } from "../fixtures/person.ts";
import { expect, test } from "../fixtures/test.ts";

test("on a laptop's screen every panel's tab is in sight, and what is not saved is one mark", async ({
  guard,
  serve,
  visit,
}) => {
  guard.allow(away);
  const studio = await serve({ "islands.csv": islands(3, 12) });
  const project = await studio.begin("islands.csv", { id: "id", "super-instances": "20" });
  const page = await visit(studio, { project });
  await asked(page);
  for (const width of [1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    for (const tab of await page.getByRole("tab").all())
      await expect(tab).toBeInViewport({ ratio: 0.99 });
  }
  await studio.stop("SIGKILL");
  await answer(page, "different");
  await expect(savedMark(page)).toContainText("server away");
  const [dot, words] = await savedMark(page).evaluate((mark) => {
    const range = document.createRange();
    range.selectNodeContents(mark.lastChild!);
    return [
      mark.querySelector("i")!.getBoundingClientRect().right,
      range.getBoundingClientRect().left,
    ];
  });
  expect(words! - dot!).toBeLessThan(200); // between them stands "not saved: 1 waits"
});

test("dialogs are whole on a laptop's screen, and show small pictures large enough to be judged", async ({
  serve,
  visit,
}) => {
  const studio = await serve();
  const project = await studio.begin("digits");
  const page = await visit(studio, { project, viewport: { width: 1280, height: 800 } });
  await asked(page);
  const dialog = page.getByRole("dialog");
  await page.keyboard.press("h");
  await expect(dialog).toBeVisible();
  expect(await dialog.evaluate((d) => d.scrollHeight - d.clientHeight)).toBe(0);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  for (const size of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await page.keyboard.press("b");
    const pictures = dialog.getByRole("img");
    await expect(pictures).toHaveCount(2);
    for (const picture of await pictures.all()) {
      const box = (await picture.boundingBox())!;
      expect(Math.min(box.width, box.height)).toBeGreaterThan(90);
    }
    expect(await dialog.evaluate((d) => d.scrollWidth - d.clientWidth)).toBe(0);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  }
});
